"""What a thing is called, in words that are the same in every process: by these a run is known again."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any


def stable_name(thing: Any) -> str:
    """A function by its name, a partial and a dataclass by name and what they were given, a collection by
    what it holds, all else by what it says of itself.

    A function says its address by itself, which is another in the next process: a run that was killed would
    not know its checkpoints again. Of a lambda nothing is known but that it is one.
    """
    if is_dataclass(thing) and not isinstance(thing, type):
        entries = [f"{field.name}={stable_name(getattr(thing, field.name))}" for field in fields(thing)]
        return f"{type(thing).__name__}({', '.join(entries)})"
    if isinstance(thing, partial):
        arguments = [stable_name(value) for value in thing.args]
        arguments += [f"{name}={stable_name(value)}" for name, value in sorted(thing.keywords.items())]
        return f"{stable_name(thing.func)}({', '.join(arguments)})"
    if isinstance(thing, dict):
        entries = [f"{stable_name(key)}: {stable_name(value)}" for key, value in thing.items()]
        return "{" + ", ".join(entries) + "}"
    if isinstance(thing, list | tuple):
        return "[" + ", ".join(map(stable_name, thing)) + "]"
    return getattr(thing, "__qualname__", "") or repr(thing)
