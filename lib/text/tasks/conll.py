"""Sentences with a tag for each word, in the columns of CoNLL or of CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, whole_examples
from lib.text.treebank import conllu_blocks, parse_conllu


class TaggedSentence(NamedTuple):
    """Words, and a tag for each, such as B-person, I-person, O."""

    words: list[str]
    tags: list[str]


def read_conll(path: str | Path) -> Examples[TaggedSentence]:
    """The sentences of a file in columns: a word a line, the word first, its tag last, blank lines between.

    Columns are parted by a tab, or by spaces where there is none (Tjong Kim Sang and De Meulder, 2003; their
    lines -DOCSTART- are passed over). A sentence with a word that has no tag is left out, which a warning
    says. Raises ValueError where the file is not of this form.
    """
    what = "a file in CoNLL's columns, such as train.conll"
    return whole_examples(path, _sentences(lines_of(path, what)), what)


def read_conllu_tags(path: str | Path) -> Examples[TaggedSentence]:
    """The sentences of a CoNLL-U file, plain or .gz, with the universal part of speech of each word.

    A sentence that is no CoNLL-U is left out, which a warning says. Raises ValueError where none is.
    """
    return whole_examples(path, _parsed(conllu_blocks(path)), "a CoNLL-U file, such as en_ewt-ud-dev.conllu")


def _sentences(lines: list[str]) -> Iterator[TaggedSentence | Broken]:
    sentence, broken = TaggedSentence([], []), None
    for number, line in enumerate([*lines, ""], start=1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            if broken or sentence.words:
                yield broken or sentence
            sentence, broken = TaggedSentence([], []), None
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2 or not cells[0] or not cells[-1]:
            broken = broken or Broken(f"line {number}", f"{line!r} is not a word and its tag")
        else:
            sentence.words.append(cells[0])
            sentence.tags.append(cells[-1])


def _parsed(blocks: list[str]) -> Iterator[TaggedSentence | Broken]:
    line = 1
    for block in blocks:
        try:
            parse = parse_conllu(block)
        except ValueError as error:
            yield Broken(f"the sentence of line {line}", str(error).rstrip("."))
        else:
            if parse.words:
                yield TaggedSentence(parse.words, parse.tags)
        line += block.count("\n") + 2
