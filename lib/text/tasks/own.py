"""The course's own tasks, in data/tasks: seven small sets written for it, a card beside each.

Every task has a file to learn from, `train`, and one to be tested on, `test`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

from lib import root
from lib.text.tasks.choices import ChoiceExample
from lib.text.tasks.conll import TaggedSentence, read_conll
from lib.text.tasks.glue import TextExample
from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import decimal, whole_number
from lib.text.tasks.squad import QuestionExample, read_squad

FOLDER = root / "data" / "tasks"
Split = Literal["train", "test"]

SENTIMENTS = ("negative", "positive")
#: the nine of the livedoor news corpus, as the files of headlines have them
LIVEDOOR_CATEGORIES = (
    "single life", "software", "appliances", "men", "film", "women", "phones", "sports", "topics",
)  # fmt: skip
#: the same, as they are shown: each says what its headlines are about
CATEGORIES = (
    "relationships", "software", "appliances", "cars and grooming", "movies", "beauty and wellness", "phones",
    "sports", "odd news",
)  # fmt: skip
ENTITY_TAGS = ("O", *(f"{place}-{kind}" for kind in ("PER", "LOC", "ORG", "DATE") for place in "BI"))


def reviews(split: Split) -> list[TextExample]:
    """A trap set about films, books, meals, gadgets and hotels, see its card; 1 for a favorable one."""
    rows = _table("reviews", split, label=SENTIMENTS.index)
    return [TextExample(row["text"], None, row["label"]) for row in rows]


def plain_reviews(split: Split) -> list[TextExample]:
    """Reviews as people write them, about many things; 1 for a favorable one."""
    rows = _table("plain_reviews", split, label=SENTIMENTS.index)
    return [TextExample(row["text"], None, row["label"]) for row in rows]


def sentiment(split: Split) -> list[TextExample]:
    """Plain reviews, then the trap set; to learn from, the plain ones twice, so that they weigh more."""
    plain = plain_reviews(split)
    return [*plain, *(plain if split == "train" else ()), *reviews(split)]


def headlines(split: Split) -> list[TextExample]:
    """Headlines, and the place of each one's category in `CATEGORIES`."""
    rows = _table("headlines", split, category=LIVEDOOR_CATEGORIES.index)
    return [TextExample(row["text"], None, row["category"]) for row in rows]


def save_spreadsheet(path: str | Path, examples: Iterable[TextExample]) -> None:
    """Headlines as a spreadsheet saves a table: a byte-order mark, semicolons, each category by its name."""
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["text", "label"])
        for example in examples:
            writer.writerow([example.first, CATEGORIES[int(example.label or 0)]])


def unlabeled(task: str) -> list[str]:
    """More texts of the same kind, whose labels nobody has written."""
    lines = lines_of(FOLDER / task / "unlabeled.txt", f"the unlabeled {task}")
    return [line for line in lines if line]


def pairs(split: Split) -> list[TextExample]:
    """Pairs of sentences; 1 where they say the same, which is a grade of 3.5 and more."""
    rows = _table("pairs", split, same=whole_number)
    return [TextExample(row["first"], row["second"], row["same"]) for row in rows]


def graded_pairs(split: Split) -> list[TextExample]:
    """The same pairs with their grade, from 0, nothing in common, to 5, the same meaning."""
    rows = _table("pairs", split, grade=decimal)
    return [TextExample(row["first"], row["second"], row["grade"]) for row in rows]


def entities(split: Split) -> list[TaggedSentence]:
    """Sentences in which persons, places, organizations and dates are marked, see `ENTITY_TAGS`."""
    return read_conll(FOLDER / "entities" / f"{split}.conll")


def passages(split: Split) -> list[QuestionExample]:
    """Paragraphs with five questions each, one of which the paragraph does not answer."""
    return read_squad(FOLDER / "passages" / f"{split}.json")


def stories(split: Split, kind: Literal["honest", "cue"] | None = None) -> list[ChoiceExample]:
    """Beginnings with two endings; kind: those whose endings alone tell nothing, or those with a cue."""
    return [
        ChoiceExample(row["beginning"], (row["first"], row["second"]), row["label"])
        for row in _table("stories", split, label=whole_number)
        if kind in (None, row["kind"])
    ]


def _table(task: str, split: Split, **number_of: Callable[[str], float]) -> list[dict[str, Any]]:
    """The rows of a table, by the names of its columns; quotation marks are part of the text.

    number_of: for a column that is read as numbers, how. Raises ValueError with the line of what is none.
    """
    path = Path(FOLDER, task, f"{split}.tsv")
    rows, table = csv.DictReader(lines_of(path, task), delimiter="\t", quoting=csv.QUOTE_NONE), []
    for row in rows:
        try:
            table.append(row | {column: number(row[column]) for column, number in number_of.items()})
        except ValueError as error:
            where = f"Line {rows.line_num} of {path} cannot be read ({error})"
            raise ValueError(f"{where}: restore data/tasks from the course's repository.") from None
    return table
