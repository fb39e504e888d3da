"""The course's own tasks, in data/tasks: six small sets written for it, a card beside each.

Every task has a file to learn from, `train`, and one to be tested on, `test`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from lib import root
from lib.text.tasks.choices import ChoiceExample
from lib.text.tasks.conll import TaggedSentence, read_conll
from lib.text.tasks.glue import TextExample
from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Example, decimal, whole_number
from lib.text.tasks.squad import QuestionExample, read_squad

FOLDER = root / "data" / "tasks"
Split = Literal["train", "test"]

SENTIMENTS = ("negative", "positive")
#: after the nine of the livedoor news corpus
CATEGORIES = (
    "single life",
    "software",
    "appliances",
    "men",
    "film",
    "women",
    "phones",
    "sports",
    "topics",
)
ENTITY_TAGS = ("O", *(f"{place}-{kind}" for kind in ("PER", "LOC", "ORG", "DATE") for place in "BI"))


def reviews(split: Split) -> list[TextExample]:
    """Sentences about films, books, meals, gadgets and hotels; 1 for a favorable one."""
    return _examples(
        "reviews", split, lambda row: TextExample(row["text"], None, SENTIMENTS.index(row["label"]))
    )


def headlines(split: Split) -> list[TextExample]:
    """Headlines, and the place of each one's category in `CATEGORIES`."""
    return _examples(
        "headlines", split, lambda row: TextExample(row["text"], None, CATEGORIES.index(row["category"]))
    )


def unlabeled(task: str) -> list[str]:
    """More texts of the same kind, whose labels nobody has written."""
    lines = lines_of(FOLDER / task / "unlabeled.txt", f"the unlabeled {task}")
    return [line for line in lines if line]


def pairs(split: Split) -> list[TextExample]:
    """Pairs of sentences; 1 where they say the same, which is a grade of 3.5 and more."""
    return _examples(
        "pairs", split, lambda row: TextExample(row["first"], row["second"], whole_number(row["same"]))
    )


def graded_pairs(split: Split) -> list[TextExample]:
    """The same pairs with their grade, from 0, nothing in common, to 5, the same meaning."""
    return _examples(
        "pairs", split, lambda row: TextExample(row["first"], row["second"], decimal(row["grade"]))
    )


def entities(split: Split) -> list[TaggedSentence]:
    """Sentences in which persons, places, organizations and dates are marked, see `ENTITY_TAGS`."""
    return read_conll(FOLDER / "entities" / f"{split}.conll")


def passages(split: Split) -> list[QuestionExample]:
    """Paragraphs with five questions each, one of which the paragraph does not answer."""
    return read_squad(FOLDER / "passages" / f"{split}.json")


def stories(split: Split, kind: Literal["honest", "cue"] | None = None) -> list[ChoiceExample]:
    """Beginnings with two endings; kind: those whose endings alone tell nothing, or those with a cue."""
    read = _examples(
        "stories",
        split,
        lambda row: (
            row["kind"],
            ChoiceExample(row["beginning"], (row["first"], row["second"]), whole_number(row["label"])),
        ),
    )
    return [story for its_kind, story in read if kind in (None, its_kind)]


def _examples(task: str, split: Split, example: Callable[[dict[str, str]], Example]) -> list[Example]:
    """What `example` makes of each row of a table, by the names of its columns; quotation marks are text.

    Raises ValueError, with the file and the line, for a row of which it makes nothing.
    """
    path = Path(FOLDER, task, f"{split}.tsv")
    rows = csv.DictReader(lines_of(path, task), delimiter="\t", quoting=csv.QUOTE_NONE)
    examples = []
    for row in rows:
        try:
            examples.append(example(row))
        except (KeyError, ValueError) as error:
            raise ValueError(
                f"Line {rows.line_num} of {path} cannot be read ({error}): restore data/tasks from the "
                "course's repository."
            ) from None
    return examples
