"""Putting a learner's code where the published model runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


@contextmanager
def replaced(module: ModuleType, name: str, candidate: Any) -> Iterator[None]:
    """Let `candidate` stand in for `module.name` as long as the context lasts."""
    original = getattr(module, name)
    setattr(module, name, candidate)
    try:
        yield
    finally:
        setattr(module, name, original)
