"""Tasks by name: the course's own, and the public sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lib.text.tasks import GLUE, LIVEDOOR, PUBLIC, TaggedSentence, own, read_public
from lib.text.tasks.entity_tags import are_of_entities
from lib.training.task_kinds import (
    Classification,
    MultipleChoice,
    Regression,
    SpanExtraction,
    Tagging,
    Task,
    TaskKind,
)

#: of each of the course's tasks its kind, and the function that reads a split
OWN: dict[str, tuple[TaskKind, Callable[..., Sequence[Any]]]] = {
    "reviews": (Classification(own.SENTIMENTS), own.reviews),
    "sentiment": (Classification(own.SENTIMENTS), own.sentiment),
    "headlines": (Classification(own.CATEGORIES), own.headlines),
    "pairs": (Classification(("different", "same"), ("accuracy", "f1")), own.pairs),
    "graded_pairs": (Regression(), own.graded_pairs),
    "entities": (Tagging(own.ENTITY_TAGS), own.entities),
    "passages": (SpanExtraction(), own.passages),
    "stories": (MultipleChoice(), own.stories),
}
TEST_SPLITS = ("dev", "dev_matched", "test")  # of the first that a set has, the labels are public


def load_task(name: str, place: Path | None = None) -> Task:
    """A task by its name: "reviews", ..., or one of `PUBLIC` from the folder `place`, or else from the hub.

    Public sets are tested on their dev split, since the labels of most tests are kept back. livedoor has no
    splits: every fifth article is tested on.
    """
    if name in OWN:
        kind, read = OWN[name]
        return Task(name, kind, read("train"), read("test"))
    if name not in PUBLIC:
        raise ValueError(f"There is no task {name!r}: use {', '.join([*OWN, *PUBLIC])}.")
    if name == "livedoor":
        articles = read_public(name, "all", place)
        train = [article for number, article in enumerate(articles) if number % 5]
        return Task(name, Classification(LIVEDOOR), train, articles[::5])
    splits = PUBLIC[name].files
    first = "train" if "train" in splits else "dev"
    second = next(split for split in TEST_SPLITS if split in splits and split != first)
    train, test = read_public(name, first, place), read_public(name, second, place)
    return Task(name, _kind(name, train), _reliable(train), test)


def _kind(name: str, train: Sequence[Any]) -> TaskKind:
    if name in GLUE:
        known = GLUE[name]
        return Classification(known.classes, known.metrics) if known.classes else Regression()
    if name.startswith("SQuAD"):
        return SpanExtraction(math.inf if name == "SQuAD 1.1" else 0.0)
    return tagging(tags_of(train))


def tagging(tags: Sequence[str]) -> Tagging:
    """The task of these tags: of entities, scored as a whole, or of others, scored word by word.

    Raises ValueError for those that are neither, see `are_of_entities`.
    """
    return Tagging(tuple(tags), "f1" if are_of_entities(tags) else "accuracy")


def tags_of(sentences: Sequence[TaggedSentence]) -> tuple[str, ...]:
    """All tags that occur, O first where there is one."""
    tags = {tag for sentence in sentences for tag in sentence.tags}
    return tuple(sorted(tags, key=lambda tag: (tag != "O", tag)))


def _reliable(examples: Sequence[Any]) -> Sequence[Any]:
    """Without questions of whose answers nobody is sure where they stand."""
    return [example for example in examples if not getattr(example, "start_guessed", False)]


def evenly(examples: Sequence[Any], count: int | None) -> list[Any]:
    """So many of the examples, evenly spread, since some sets are sorted by subject; None: all of them."""
    if count is None or count >= len(examples):
        return list(examples)
    return [examples[number * len(examples) // count] for number in range(count)]
