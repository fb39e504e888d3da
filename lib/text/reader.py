"""The course's own stories and articles, from `data/reader/`; its README says what they are."""

import csv
from typing import NamedTuple

from lib import root
from lib.text.corpus import documents

FOLDER = root / "data" / "reader"


class Sense(NamedTuple):
    """A sentence of the reader with one word of two meanings, and which of them it has there."""

    word: str
    sense: str
    file: str
    line: int  # counted from 1, as an editor does
    sentence: str


def reader() -> list[list[str]]:
    """The stories and articles, each the list of its paragraphs; the first paragraph is the title."""
    return list(documents(FOLDER))


def senses() -> list[Sense]:
    """Sentences with twenty-one ambiguous words, each in at least two senses, from `senses.tsv`."""
    path = FOLDER / "senses.tsv"
    if not path.is_file():
        raise ValueError(f"There is no {path}: restore data/reader from the course's repository.")
    with path.open(encoding="utf-8", newline="") as file:
        # Quotation marks are part of the text.
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Sense(row["word"], row["sense"], row["file"], int(row["line"]), row["sentence"]) for row in rows
        ]
