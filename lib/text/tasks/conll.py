"""Sentences with a tag for each word, in the columns of CoNLL."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.lines import lines_of


class TaggedSentence(NamedTuple):
    """Words, and a tag for each, such as B-person, I-person, O."""

    words: list[str]
    tags: list[str]


def read_conll(path: str | Path) -> list[TaggedSentence]:
    """The sentences of a file in columns: a word a line, the word first, its tag last, blank lines between.

    Columns are parted by a tab, or by spaces where there is none (Tjong Kim Sang and De Meulder, 2003; their
    lines -DOCSTART- are passed over). Raises ValueError, with the number of the line, for a word with no tag.
    """
    sentences = [TaggedSentence([], [])]
    for number, line in enumerate(lines_of(path, "a file in CoNLL's columns, such as train.conll"), start=1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            sentences.append(TaggedSentence([], []))
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2 or not cells[0] or not cells[-1]:
            raise ValueError(
                f"Line {number} of {path} is {line!r}, not a word and its tag: part them by a tab."
            )
        sentences[-1].words.append(cells[0])
        sentences[-1].tags.append(cells[-1])
    return [sentence for sentence in sentences if sentence.words]
