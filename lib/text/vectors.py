"""Word vectors and what can be asked of them: neighbors, analogies, the company of a sentence.

Our own are kept in `data/vectors`; `python course.py make word-vectors --help` says how they were made.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from lib import root
from lib.files import replacing, write_whole
from lib.text.words import lowercase_words

FOLDER = root / "data" / "vectors"
WORDS, VECTORS, ANALOGIES = "words.tsv", "vectors.safetensors", "analogies.tsv"
HEADER = "word\tcount"
RESTORE = "restore data/vectors from the course's repository."
RARE = 1e-4  # the share of all text at which a word's weight in its company has fallen to a half


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
    """Words with how often they were read, the most frequent first, and their vectors [V, D]."""

    counts: Mapping[str, int]
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
        passed_over = {self.number(word) for word in without}
        if not 1 <= count <= len(self.words) - len(passed_over):
            raise ValueError(
                f"There are no {count} nearest words: ask for 1 to {len(self.words) - len(passed_over):,}."
            )
        cosines, rows = nearest_rows(self.directions, vector, count, sorted(passed_over))
        return [
            (self.words[row], cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)
        ]

    def neighbors(self, word: str, count: int = 8) -> list[tuple[str, float]]:
        """The nearest other words of a word, with the cosines."""
        return self.nearest(self[word], count, without=[word])

    def around(self, text: str, word: str) -> Tensor:
        """The direction of the company that `word` has in a text, the mean of the other words' [D].

        A word whose share of all text is f weighs a / (a + f), as in Arora et al. (2017), so that "the" says
        little; words without a vector are left out. ValueError if no other word has one.
        """
        rows = [
            self._numbers[other]
            for other in lowercase_words(text)
            if other in self._numbers and other != word
        ]
        if not rows:
            raise ValueError(f"No other word of {text!r} has a vector: give a longer text.")
        weights = RARE / (RARE + self._shares[rows])  # [words]
        return weights @ self.directions[rows] / weights.sum()

    def analogy(self, one: str, other: str, third: str) -> Tensor:
        """Where the word should be that is to `third` as `other` is to `one`: a vector [D]."""
        first, second, start = (self.directions[self.number(word)] for word in (one, other, third))
        return second - first + start

    @cached_property
    def words(self) -> list[str]:
        """The words in the order of the rows."""
        return list(self.counts)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _shares(self) -> Tensor:
        counts = torch.tensor(list(self.counts.values()), dtype=torch.float32)
        return counts / counts.sum()  # [V]

    @cached_property
    def directions(self) -> Tensor:
        """The vectors, each divided by its length [V, D]."""
        return F.normalize(self.vectors, dim=1)


class Analogy(NamedTuple):
    """`one` is to `other` as `third` is to `answer`."""

    kind: str
    one: str
    other: str
    third: str
    answer: str


def vectors(folder: Path = FOLDER) -> WordVectors:
    """The course's word vectors, in float32. ValueError where a file of theirs is not there or not whole."""
    for name in (VECTORS, WORDS):
        if not (folder / name).is_file():
            raise ValueError(f"There is no {folder / name}: {RESTORE}")
    try:
        stored = load_file(folder / VECTORS)
        header, *lines = (folder / WORDS).read_text(encoding="utf-8").removesuffix("\n").split("\n")
        counts = {word: int(count) for word, count in (line.split("\t") for line in lines)}
        word_vectors = WordVectors(counts, stored["rows"] * stored["scales"].unsqueeze(1))
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"The vectors in {folder} cannot be read ({error}): {RESTORE}") from None
    if header != HEADER or len(word_vectors.words) != len(word_vectors.vectors):
        raise ValueError(
            f"{folder} has {len(word_vectors.vectors):,} vectors for {len(word_vectors.words):,} words: "
            f"{RESTORE}"
        )
    return word_vectors


def analogies(folder: Path = FOLDER) -> list[Analogy]:
    """The course's own questions of the form "king is to queen as man is to woman"."""
    with (folder / ANALOGIES).open(encoding="utf-8", newline="") as file:
        return [Analogy(**row) for row in csv.DictReader(file, delimiter="\t")]


def save(counts: Counter[str], vectors: Tensor, folder: Path) -> None:
    """Write words with their counts, and vectors in whole numbers from -127 to 127 with a scale a word."""
    scales = vectors.abs().amax(dim=1) / 127  # [V]
    rows = (vectors / scales.unsqueeze(1)).round().to(torch.int8)
    lines = [HEADER, *(f"{word}\t{count}" for word, count in counts.items())]
    with replacing(folder / VECTORS) as beside:
        save_file({"rows": rows, "scales": scales}, beside)
        write_whole(folder / WORDS, "\n".join(lines) + "\n")


def answer_analogies(
    word_vectors: WordVectors, questions: Sequence[Analogy], excluding: bool = True
) -> list[str]:
    """The word nearest to where each answer should be: at other - one + third.

    excluding: the three words of a question are no answers to it, as is usual (Mikolov et al., 2013a).
    """
    rows = _rows(word_vectors, questions)  # [N, 3]
    one, other, third = word_vectors.directions[rows].unbind(dim=1)  # 3 of [N, D]
    return _nearest_words(word_vectors, other - one + third, rows if excluding else rows[:, :0])


def nearest_to_third(word_vectors: WordVectors, questions: Sequence[Analogy]) -> list[str]:
    """What a guesser says who sees the third word alone: its nearest neighbor (Linzen, 2016)."""
    rows = _rows(word_vectors, questions)
    return _nearest_words(word_vectors, word_vectors.directions[rows[:, 2]], rows)


def _rows(word_vectors: WordVectors, questions: Sequence[Analogy]) -> Tensor:
    """The rows of the three words of each question [N, 3]."""
    rows = [[word_vectors.number(word) for word in question[1:4]] for question in questions]
    return torch.tensor(rows, dtype=torch.long).view(-1, 3)


def _nearest_words(word_vectors: WordVectors, places: Tensor, without: Tensor) -> list[str]:
    """The nearest word to each place [N, D], those in its row of `without` [N, any] passed over."""
    scores = places @ word_vectors.directions.T  # [N, V]: cosines times the length of each place
    scores.scatter_(1, without, -torch.inf)
    return [word_vectors.words[row] for row in scores.argmax(dim=1).tolist()]


def score_analogies(questions: Sequence[Analogy], answers: Sequence[str]) -> dict[str, float]:
    """The share of right answers, for each kind of question."""
    right: dict[str, list[bool]] = {}
    for question, answer in zip(questions, answers, strict=True):
        right.setdefault(question.kind, []).append(answer == question.answer)
    return {kind: sum(each) / len(each) for kind, each in right.items()}
