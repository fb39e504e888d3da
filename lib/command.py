"""A command line whose users see sentences instead of tracebacks."""

from collections.abc import Callable
from typing import Any


def run(command: Callable[[], Any]) -> None:
    """Run a command; what is wrong with its arguments is said in one sentence."""
    try:
        command()
    except ValueError as error:
        raise SystemExit(str(error)) from None
