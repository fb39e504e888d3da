"""Batches for pretraining: pairs of text cut from a packed corpus, each batch a pure function of its number.

Every row is [CLS] A [SEP] B [SEP] and exactly full: no padding. A is the first part of a window of the
corpus; what B is depends on the objective. B is always as long as the part that it stands for, so that
length says nothing. A window ends anywhere, in the middle of a sentence as a rule. So where texts change
places it is cut anywhere too: cut where a sentence ends, only the first half would end with a full stop,
and that alone would tell the order of 96 pairs in 100.

Sizes in the comments: B rows, T pieces in a row, W = T - 3 pieces of text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.text.masking import Ids, Masking, mask_pieces
from lib.text.packing import PackedCorpus

SENTENCE_ENDS = (".", "!", "?")
SHORTEST = 8  # pieces on either side of a cut
SHORTEST_ROW = 2 * SHORTEST + 3  # with [CLS] and twice [SEP]
TRIES = 20  # texts looked at for a start of a sentence

# Here a text is an array of ids or a list of sentences, and `other` gives one of so many from elsewhere.


def next_sentence(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: B is from another document (Devlin et al., 2019, section 3.1, task 2)."""
    if rng.random() < 0.5:
        return first, second, 0
    return first, other(len(second)), 1


def sentence_order(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: A follows B, the two swapped (Lan et al., 2020, section 3.1)."""
    if rng.random() < 0.5:
        return first, second, 0
    return second, first, 1


def three_way(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """0: B follows A. 1: B precedes A. 2: another document, a third each (Wang et al., 2020, section 2.3)."""
    label = int(rng.integers(3))
    if label == 0:
        return first, second, 0
    if label == 1:
        return second, first, 1
    return first, other(len(second)), 2


def no_pairs(
    first: Any, second: Any, other: Callable[[int], Any], rng: np.random.Generator
) -> tuple[Any, Any, int]:
    """Always the text as it stands, for masked words alone; the label means nothing."""
    return first, second, 0


OBJECTIVES: dict[str, tuple[Callable[..., tuple[Any, Any, int]], int]] = {
    "none": (no_pairs, 2),
    "next": (next_sentence, 2),
    "order": (sentence_order, 2),
    "three-way": (three_way, 3),
}
SWAPPING = ("order", "three-way")


@dataclass(frozen=True)
class PairBatches:
    """All batches that there are: `batches(number)` makes one, and always the same for the same number.

    Each epoch runs through the windows of all documents in a new order, cut at new places; a document
    shorter than a window is never read (`lost` is their share of the corpus).
    """

    corpus: PackedCorpus
    tokenizer: WordPieceTokenizer
    length: int = 128
    batch_size: int = 32
    objective: str = "next"
    masking: Masking = field(default_factory=Masking)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise ValueError(f"There is no objective {self.objective!r}: use {', '.join(OBJECTIVES)}.")
        if self.length < SHORTEST_ROW:
            raise ValueError(
                f"A length of {self.length} leaves no room for two texts: use at least {SHORTEST_ROW}."
            )
        if not self.corpus.is_cut_by(self.tokenizer):
            raise ValueError(
                f"{self.corpus.folder} holds the pieces of another tokenizer: pack the corpus again."
            )
        if not self.size:
            raise ValueError(
                f"No document of {self.corpus.folder} has {self.window} pieces: use a smaller length."
            )
        if self.objective in ("next", "three-way") and (np.diff(self.windows_before) > 0).sum() < 2:
            raise ValueError(
                f"Only one document of {self.corpus.folder} is long enough; {self.objective!r} takes text "
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
        """All that the batches depend on (JSON)."""
        return {
            "rows": type(self).__name__,
            "corpus": self.corpus.card["fingerprint"],
            "length": self.length,
            "batch_size": self.batch_size,
            "objective": self.objective,
            "masking": {"kind": type(self.masking).__name__} | asdict(self.masking),
            "seed": self.seed,
        }

    def __call__(self, number: int) -> dict[str, Tensor]:
        """Batch `number`, from 0: `input_ids`, `token_type_ids`, `labels` [B, T] and `pair_labels` [B]."""
        rng = np.random.default_rng([self.seed, 1, number])
        rows = [self._row(number * self.batch_size + place, rng) for place in range(self.batch_size)]
        ids, types, pair_labels = (np.stack(part) for part in zip(*rows, strict=True))
        input_ids, labels = mask_pieces(
            ids, ~self._is_special[ids], self.begin_words(ids), self.masking,
            len(self.tokenizer), self.tokenizer.mask_token_id, rng,
        )  # fmt: skip
        arrays = {
            "input_ids": input_ids,
            "token_type_ids": types,
            "labels": labels,
            "pair_labels": pair_labels,
        }
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def _row(self, number: int, rng: np.random.Generator) -> tuple[Ids, Ids, int]:
        """[CLS] A [SEP] B [SEP], the token types, and the label."""
        epoch, place = divmod(number, self.size)
        order, shifts = _epoch(self, epoch)
        document, start = self._place(int(order[place]), shifts)
        text = self._read(start)
        cut = self._cut(text, rng)
        after_end = bool(self._ends[text[cut - 1]])
        objective, _ = OBJECTIVES[self.objective]
        first, second, label = objective(
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
        if len(ends) and self.objective not in SWAPPING:
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
    def _is_special(self) -> NDArray[np.bool_]:
        return np.isin(np.arange(len(self.tokenizer)), self.tokenizer.all_special_ids)

    def begin_words(self, ids: Ids) -> NDArray[np.bool_]:
        """Whether each piece of rows [B, T] begins a word; what is left of one behind [CLS] or [SEP] does."""
        begins = self._begins[ids]
        begins[:, 1:] |= self._is_special[ids[:, :-1]]
        return begins

    @cached_property
    def _begins(self) -> NDArray[np.bool_]:
        """[V]: whether a piece begins a word."""
        return np.array([not piece.startswith("##") for piece in self.tokenizer.vocab])

    @cached_property
    def _ends(self) -> NDArray[np.bool_]:
        """[V]: whether a piece ends a sentence."""
        return np.array([piece in SENTENCE_ENDS for piece in self.tokenizer.vocab])


@lru_cache(maxsize=2)
def _epoch(batches: PairBatches, epoch: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of the windows in an epoch [N], and how far each document's first one is moved."""
    rng = np.random.default_rng([batches.seed, 0, epoch])
    slack = np.diff(batches.corpus.starts) % batches.window
    return rng.permutation(batches.size), rng.integers(slack + 1)
