"""Multiple choice: a text and several ways to go on, of which one is right."""

from __future__ import annotations

from typing import NamedTuple


class ChoiceExample(NamedTuple):
    """What is told or asked, its choices, and the place of the right one, or None where nobody tells."""

    context: str
    choices: tuple[str, ...]
    label: int | None
