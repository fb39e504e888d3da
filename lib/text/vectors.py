"""Our own word vectors: made from a large corpus by one command, kept in `data/vectors`, asked for neighbors.

python -m lib.text.vectors --corpus FOLDER --corpus FOLDER
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple

import torch
import torch.nn.functional as F
import typer
from safetensors.torch import load_file, save_file
from torch import Tensor

from lib import root
from lib.text.corpus import documents
from lib.text.word2vec import Settings, count_words, ids_of, learn_vectors

FOLDER = root / "data" / "vectors"
WORDS, VECTORS, ANALOGIES = "words.tsv", "vectors.safetensors", "analogies.tsv"


def nearest_rows(
    vectors: Tensor, vector: Tensor, count: int, without: Sequence[int] = ()
) -> tuple[Tensor, Tensor]:
    """The `count` largest cosines of `vector` [D] with the rows of `vectors` [V, D], and whose they are.

    Rows in `without` are passed over. Both answers are [count], the largest cosine first.
    """
    cosines = F.normalize(vectors, dim=1) @ F.normalize(vector, dim=0)  # [V]
    cosines[list(without)] = -2.0  # below any cosine
    values, rows = cosines.topk(count)
    return values, rows


@dataclass(frozen=True)
class WordVectors:
    """Words and their vectors [V, D], the most frequent word first."""

    words: Sequence[str]
    vectors: Tensor

    def __getitem__(self, word: str) -> Tensor:
        """The vector of a word [D]; ValueError if there is none."""
        return self.vectors[self.number(word)]

    def number(self, word: str) -> int:
        """The row of a word; ValueError if there is none."""
        if word not in self._numbers:
            raise ValueError(f"There is no vector for {word!r}: use one of the {len(self.words):,} words.")
        return self._numbers[word]

    def nearest(self, vector: Tensor, count: int = 8, without: Iterable[str] = ()) -> list[tuple[str, float]]:
        """The words whose vectors point most nearly where `vector` [D] does, with the cosines."""
        cosines, rows = nearest_rows(self._directions, vector, count, [self.number(word) for word in without])
        return [
            (self.words[row], cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)
        ]

    def neighbors(self, word: str, count: int = 8) -> list[tuple[str, float]]:
        """The nearest other words of a word, with the cosines."""
        return self.nearest(self[word], count, without=[word])

    def analogy(self, one: str, other: str, third: str) -> Tensor:
        """Where the word should be that is to `third` as `other` is to `one`: a vector [D]."""
        first, second, start = (self._directions[self.number(word)] for word in (one, other, third))
        return second - first + start

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _directions(self) -> Tensor:
        return F.normalize(self.vectors, dim=1)


class Analogy(NamedTuple):
    """`one` is to `other` as `third` is to `answer`."""

    kind: str
    one: str
    other: str
    third: str
    answer: str


def vectors(folder: Path = FOLDER) -> WordVectors:
    """The course's word vectors, in float32."""
    if not (folder / VECTORS).is_file():
        raise ValueError(
            f"There is no {folder / VECTORS}: restore data/vectors from the course's repository."
        )
    stored = load_file(folder / VECTORS)
    lines = (folder / WORDS).read_text(encoding="utf-8").splitlines()[1:]
    return WordVectors(
        [line.split("\t")[0] for line in lines], stored["rows"] * stored["scales"].unsqueeze(1)
    )


def analogies(folder: Path = FOLDER) -> list[Analogy]:
    """The course's own questions of the form "king is to queen as man is to woman"."""
    with (folder / ANALOGIES).open(encoding="utf-8", newline="") as file:
        return [Analogy(**row) for row in csv.DictReader(file, delimiter="\t")]


def save(counts: Counter[str], vectors: Tensor, folder: Path) -> None:
    """Write words with their counts, and vectors in whole numbers from -127 to 127 with a scale a word."""
    scales = vectors.abs().amax(dim=1) / 127  # [V]
    rows = (vectors / scales.unsqueeze(1)).round().to(torch.int8)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["word\tcount", *(f"{word}\t{count}" for word, count in counts.items())]
    (folder / f"{WORDS}.new").write_text("\n".join(lines) + "\n", encoding="utf-8")
    save_file({"rows": rows, "scales": scales}, folder / f"{VECTORS}.new")
    for name in (WORDS, VECTORS):
        os.replace(folder / f"{name}.new", folder / name)


def score_analogies(
    found: WordVectors, questions: Iterable[Analogy], excluding: bool = True
) -> dict[str, tuple[int, int]]:
    """How many questions of each kind are answered by the nearest word, and how many there are.

    excluding: the three words of the question are no answers, as is usual (Mikolov et al., 2013a).
    """
    score: dict[str, tuple[int, int]] = {}
    for question in questions:
        asked = question[1:4]
        place = found.analogy(*asked)
        (answer, _), *_ = found.nearest(place, 1, without=asked if excluding else ())
        good, total = score.get(question.kind, (0, 0))
        score[question.kind] = (good + (answer == question.answer), total + 1)
    return score


def main(
    corpus: Annotated[list[Path], typer.Option(help="a text file or a folder of them; may be given again")],
    out: Annotated[Path, typer.Option(help="where to write the vectors")] = FOLDER,
    words: Annotated[int, typer.Option(help="how many words get a vector")] = 30_000,
    size: Annotated[int, typer.Option(help="how many numbers a vector has")] = 100,
    epochs: Annotated[int, typer.Option(help="how often the corpus is read")] = 2,
) -> None:
    """Learn word vectors from a corpus by skip-gram with negative sampling, and write them to a folder.

    A corpus is plain or gzipped text: one paragraph a line, a blank line between documents.
    """
    counts = count_words(chain.from_iterable(map(documents, corpus)), most=words)
    ids = ids_of(chain.from_iterable(map(documents, corpus)), counts)
    learned = learn_vectors(
        ids, torch.tensor(list(counts.values())), settings=Settings(size=size, epochs=epochs)
    )
    save(counts, learned, out)
    found = WordVectors(list(counts), learned)
    print(f"{len(counts):,} words from {counts.total():,}; neighbors of bank: {found.neighbors('bank')}")


if __name__ == "__main__":
    typer.run(main)
