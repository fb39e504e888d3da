"""Tasks by name: the course's own, and the public sets from a folder in their published format."""

from __future__ import annotations

from collections.abc import Callable

from lib.text.tasks import own
from lib.training.finetuning import Task
from lib.training.task_kinds import (
    Classification,
    MultipleChoice,
    Regression,
    SpanExtraction,
    Tagging,
    TaskKind,
)

#: of each of the course's tasks its kind, and the function that reads a split
OWN: dict[str, tuple[TaskKind, Callable[..., list]]] = {
    "reviews": (Classification(own.SENTIMENTS), own.reviews),
    "headlines": (Classification(own.CATEGORIES), own.headlines),
    "pairs": (Classification(("different", "same"), ("accuracy", "f1")), own.pairs),
    "graded_pairs": (Regression(), own.graded_pairs),
    "entities": (Tagging(own.ENTITY_TAGS), own.entities),
    "passages": (SpanExtraction(), own.passages),
    "stories": (MultipleChoice(), own.stories),
}


def load_task(name: str) -> Task:
    """A task of the course by its name, such as "reviews"."""
    if name not in OWN:
        raise ValueError(f"There is no task {name!r}: use {', '.join(OWN)}.")
    kind, read = OWN[name]
    return Task(name, kind, read("train"), read("test"))
