"""Sentences with their dependency trees, and the files that hold them (universaldependencies.org)."""

import re
from pathlib import Path
from typing import NamedTuple

from lib.text.corpus import opened

#: what stands in the first column: 7, or 2-3 for a contraction of two words, or 8.1 for an added word
COUNTER = re.compile(r"\d+([-.]\d+)?", re.ASCII)


class Link(NamedTuple):
    """Two words of a sentence by their places, from 0: is `governor` what `word` looks at most?"""

    word: int
    governor: int


class Parse(NamedTuple):
    """A sentence and its dependency tree, a word for each place in the four lists."""

    words: list[str]
    tags: list[str]  # universal parts of speech: VERB, NOUN, ...
    governors: list[int]  # places; -1 for the root
    relations: list[str]

    def links(self, relation: str) -> list[Link]:
        """The words in that relation, such as "obj", each with its governor; subtypes (obj:x) are others."""
        named = zip(self.governors, self.relations, strict=True)
        return [Link(word, governor) for word, (governor, name) in enumerate(named) if name == relation]


def read_conllu(path: str | Path) -> list[Parse]:
    """The parses of a CoNLL-U file (universaldependencies.org), plain or .gz.

    A contraction that the treebank splits (don't: do, n't) counts as its parts; words that it adds and the
    text lacks (8.1) are left out. Raises ValueError where there is no file, where it is no CoNLL-U in UTF-8,
    and where a word hangs on one that its sentence lacks.
    """
    return [parse for block in conllu_blocks(path) if (parse := parse_conllu(block)).words]


def read_ewt(folder: str | Path) -> tuple[list[Parse], list[Parse]]:
    """The dev and the test part of UD English EWT (Silveira et al., 2014), plain or .gz, from a folder."""
    parts = []
    for part in ("dev", "test"):
        name = f"en_ewt-ud-{part}.conllu"
        places = [Path(folder, name), Path(folder, f"{name}.gz")]
        if not any(place.is_file() for place in places):
            raise ValueError(
                f"There is no {name} in {folder}: name the folder that holds UD English EWT, dev and test."
            )
        parts.append(read_conllu(next(place for place in places if place.is_file())))
    return parts[0], parts[1]


def conllu_blocks(path: str | Path) -> list[str]:
    """The sentences of a CoNLL-U file, plain or .gz, as they stand there; the last may be empty."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {path}: name a CoNLL-U file, such as en_ewt-ud-test.conllu.")
    with opened(path) as file:
        return re.split(r"\n[ \t]*\n", file.read())


def parse_conllu(block: str) -> Parse:
    """The parse of one sentence of a CoNLL-U file, by the rules of `read_conllu`; without words for none."""
    parse = Parse([], [], [], [])
    for line in block.split("\n"):  # not splitlines, which also cuts where a comment has U+2028
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) != 10:
            raise ValueError(f"This is no line of CoNLL-U, it has {len(columns)} columns, not 10: {line!r}.")
        if not COUNTER.fullmatch(columns[0]):
            raise ValueError(f"{columns[0]!r} is no number of a word, such as 7, 2-3 or 8.1: mend {line!r}.")
        if columns[0].isdecimal():  # neither 2-3, a contraction, nor 8.1, an added word
            parse.words.append(columns[1])
            parse.tags.append(columns[3])
            is_place = columns[6].isascii() and columns[6].isdecimal()
            parse.governors.append(int(columns[6]) - 1 if is_place else len(block))
            parse.relations.append(columns[7])
    count = len(parse.words)
    if wrong := [word for word, place in zip(parse.words, parse.governors, strict=True) if place >= count]:
        raise ValueError(
            f"{wrong[0]!r} hangs on a word that its sentence of {count} words lacks: mend column 7 of its "
            "line."
        )
    return parse
