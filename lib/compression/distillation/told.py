"""What a distance, a map or a choice is called, in words that are the same in every process."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def told(thing: Any) -> str:
    """A function by its name, a dataclass by its own and its fields', all else by what it says of itself.

    A function that stands in a dataclass says its address by itself, which is another in the next process:
    a run that was killed would not know its checkpoints again.
    """
    if is_dataclass(thing) and not isinstance(thing, type):
        entries = [f"{field.name}={told(getattr(thing, field.name))}" for field in fields(thing)]
        return f"{type(thing).__name__}({', '.join(entries)})"
    return getattr(thing, "__qualname__", "") or repr(thing)
