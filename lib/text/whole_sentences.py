"""Batches of whole sentences, for a model so young that finding where a sentence begins would be a task.

Sizes in the comments: S sentences, N rows in an epoch, B rows of a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from lib.text.masking import Ids
from lib.text.pair_batches import PairBatches


@dataclass(frozen=True)
class WholeSentences(PairBatches):
    """The same, but each row is one sentence: [CLS] A [SEP], and a sentence ends where its full stop stands.

    The rows of a batch are equally long, so nothing is padded; `length` is the most that a row can have.
    Sentences that are longer are never read, nor in an epoch those that are too few to fill a batch.
    """

    objective: str = "none"

    def __post_init__(self) -> None:
        if self.objective != "none":
            raise ValueError(f"A row of one sentence has no pair: {self.objective!r} needs PairBatches.")
        if not self.size:
            raise ValueError(
                f"{self.corpus.folder} has no {self.batch_size} sentences of one length that fit into "
                f"{self.length} pieces: use a smaller batch or a larger length."
            )
        super().__post_init__()

    @cached_property
    def size(self) -> int:
        """Rows in an epoch; every row asks for it."""
        _, counts = np.unique(self._sentences[:, 1], return_counts=True)
        return int((counts // self.batch_size).sum()) * self.batch_size

    def _row(self, number: int, rng: np.random.Generator) -> tuple[Ids, Ids, int]:
        """[CLS] A [SEP], the token types, and the label that means nothing."""
        epoch, place = divmod(number, self.size)
        start, length = self._sentences[_epoch(self, epoch)[place]]
        text = self.corpus.tokens[start : start + length].astype(np.int64)
        ids = np.concatenate([[self.tokenizer.cls_token_id], text, [self.tokenizer.sep_token_id]])
        return ids, np.zeros_like(ids), 0

    @cached_property
    def _sentences(self) -> NDArray[np.int64]:
        """[S, 2]: where in the corpus each sentence that fits starts, and how many pieces it has."""
        ends = np.flatnonzero(self._ends[self.corpus.tokens]) + 1
        bounds = np.union1d(ends, self.corpus.starts)
        lengths = np.diff(bounds)
        fits = lengths <= self.length - 2
        return np.stack([bounds[:-1], lengths], axis=1)[fits]


@lru_cache(maxsize=4)
def _epoch(batches: WholeSentences, epoch: int) -> NDArray[np.int64]:
    """[N]: the order of the sentences in an epoch; those of a batch are equally long."""
    rng = np.random.default_rng([batches.seed, 0, epoch])
    lengths = batches._sentences[:, 1]
    full: list[NDArray[np.int64]] = []
    for length in np.unique(lengths):
        mixed = rng.permutation(np.flatnonzero(lengths == length))
        rows = len(mixed) // batches.batch_size * batches.batch_size
        full += [*mixed[:rows].reshape(-1, batches.batch_size)]  # [B] each
    return np.concatenate([full[place] for place in rng.permutation(len(full))])
