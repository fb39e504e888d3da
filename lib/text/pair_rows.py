"""Rows for pretraining: pairs of text cut from a packed corpus, the rows of a batch a function of its number.

Every row is [CLS] A [SEP] B [SEP] and exactly full: no padding. A is the first part of a window of the
corpus; what B is depends on the task. B is always as long as the part that it stands for, so that
length says nothing. A window ends anywhere, in the middle of a sentence as a rule. So where texts change
places it is cut anywhere too: cut where a sentence ends, only the first half would end with a full stop,
and that alone would tell the order of 96 pairs in 100.

Sizes in the comments: B rows, T pieces in a row, W = T - 3 pieces of text, V pieces in the vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.bert import WordPieceTokenizer
from lib.text.masking import Flags, Ids
from lib.text.packing import PackedCorpus
from lib.text.pair_tasks import NEXT_SENTENCE, PairTask
from lib.text.pretraining_batches import Rows

SENTENCE_ENDS = (".", "!", "?")
SHORTEST = 8  # pieces on either side of a cut
SHORTEST_ROW = 2 * SHORTEST + 3  # with [CLS] and twice [SEP]
TRIES = 20  # texts looked at for a start of a sentence


@dataclass(frozen=True)
class PairRows:
    """The pairs of all batches that there are, always the same for the same number.

    Each epoch runs through the windows of all documents in a new order, cut at new places; a document
    shorter than a window is never read (`lost` is their share of the corpus).
    """

    corpus: PackedCorpus
    tokenizer: WordPieceTokenizer
    length: int = 128
    batch_size: int = 32
    task: PairTask = NEXT_SENTENCE
    seed: int = 0

    def __post_init__(self) -> None:
        if self.length < SHORTEST_ROW:
            raise ValueError(
                f"A length of {self.length} leaves no room for two texts: use at least {SHORTEST_ROW}."
            )
        validate_rows(self.corpus, self.tokenizer, self.batch_size)
        if not self.size:
            raise ValueError(
                f"No document of {self.corpus.folder} has {self.window} pieces: use a smaller length."
            )
        if self.task.needs_other_document and (np.diff(self.windows_before) > 0).sum() < 2:
            raise ValueError(
                f"Only one document of {self.corpus.folder} is long enough; {self.task.name!r} takes text "
                "from another: give more documents, or use 'order' or 'none'."
            )

    @property
    def window(self) -> int:
        """Pieces of text in a row."""
        return self.length - 3

    @cached_property
    def windows_before(self) -> NDArray[np.int64]:
        """[N + 1]: how many windows the documents before each have."""
        counts = np.diff(self.corpus.starts) // self.window
        return np.concatenate([[0], np.cumsum(counts)])

    @property
    def size(self) -> int:
        """Windows in an epoch."""
        return int(self.windows_before[-1])

    @property
    def lost(self) -> float:
        """The share of the corpus that no window of an epoch covers."""
        return 1 - self.size * self.window / len(self.corpus.tokens)

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What the rows depend on, as JSON."""
        return {
            "kind": "pairs",
            "corpus": self.corpus.card["fingerprint"],
            "length": self.length,
            "batch_size": self.batch_size,
            "task": self.task.name,
            "seed": self.seed,
        }

    def draw(self, number: int, rng: np.random.Generator) -> Rows:
        """The rows of batch `number`, from 0, with what the generator of that batch draws."""
        rows = [self._row(number * self.batch_size + place, rng) for place in range(self.batch_size)]
        return Rows(*(np.stack(part) for part in zip(*rows, strict=True)))

    def _row(self, number: int, rng: np.random.Generator) -> tuple[Ids, Ids, int]:
        """[CLS] A [SEP] B [SEP], the token types, and the label."""
        epoch, place = divmod(number, self.size)
        order, shifts = _epoch(self, epoch)
        document, start = self._place(int(order[place]), shifts)
        text = self._read(start)
        cut = self._cut(text, rng)
        after_end = bool(self._ends[text[cut - 1]])
        first, second, label = self.task.draw(
            text[:cut], text[cut:], lambda size: self._from_another(document, size, after_end, rng), rng
        )
        cls, sep = [self.tokenizer.cls_token_id], [self.tokenizer.sep_token_id]
        types = np.repeat([0, 1], [len(first) + 2, len(second) + 1])
        return np.concatenate([cls, first, sep, second, sep]), types, label

    def _place(self, window: int, shifts: NDArray[np.int64]) -> tuple[int, int]:
        """The document of a window, and where in the corpus the window starts."""
        document = int(np.searchsorted(self.windows_before, window, side="right")) - 1
        within = window - int(self.windows_before[document])
        return document, int(self.corpus.starts[document] + shifts[document]) + within * self.window

    def _read(self, start: int) -> Ids:
        return self.corpus.tokens[start : start + self.window].astype(np.int64)

    def _cut(self, text: Ids, rng: np.random.Generator) -> int:
        """After the end of a sentence; anywhere in the middle half if none ends or texts change places."""
        ends = np.flatnonzero(self._ends[text[SHORTEST - 1 : -SHORTEST]]) + SHORTEST
        if len(ends) and not self.task.swaps:
            return int(rng.choice(ends))
        return int(rng.integers(len(text) // 4, 3 * len(text) // 4))

    def _from_another(self, document: int, size: int, after_end: bool, rng: np.random.Generator) -> Ids:
        """`size` pieces of another document, cut as the text that they stand for.

        They begin a sentence if that does (`after_end`), and no sentence if it does not. Where there is no
        such place early enough another text is drawn, at most TRIES.
        """
        for _ in range(TRIES):
            text = self._read(self._elsewhere(document, rng))
            places = np.flatnonzero(self._ends[text[: len(text) - size]] == after_end) + 1
            if len(places):
                begin = int(rng.choice(places))
                return text[begin : begin + size]
        return text[:size]

    def _elsewhere(self, document: int, rng: np.random.Generator) -> int:
        """Where a window of another document starts."""
        shifts = np.zeros(len(self.corpus), dtype=np.int64)
        other = document
        while other == document:
            other, start = self._place(int(rng.integers(self.size)), shifts)
        return start

    @cached_property
    def _ends(self) -> Flags:
        return ends_sentences(self.tokenizer)


def ends_sentences(tokenizer: WordPieceTokenizer) -> Flags:
    """[V]: whether a piece ends a sentence."""
    return np.array([piece in SENTENCE_ENDS for piece in tokenizer.vocab])


def validate_rows(corpus: PackedCorpus, tokenizer: WordPieceTokenizer, batch_size: int) -> None:
    """ValueError if no rows of this many to a batch can be cut from the corpus with this tokenizer."""
    if batch_size < 1:
        raise ValueError(f"A batch of {batch_size} rows is none: give at least 1.")
    if not corpus.is_cut_by(tokenizer):
        raise ValueError(f"{corpus.folder} holds the pieces of another tokenizer: pack the corpus again.")


@lru_cache(maxsize=2)
def _epoch(rows: PairRows, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of the windows in an epoch [N], and how far each document's first one is moved."""
    rng = np.random.default_rng([rows.seed, 0, epoch])
    slack = np.diff(rows.corpus.starts) % rows.window
    return rng.permutation(rows.size), rng.integers(slack + 1)
