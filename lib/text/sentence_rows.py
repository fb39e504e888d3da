"""Rows of whole sentences, for a model so young that finding where a sentence begins would be a task.

Sizes in the comments: S sentences, N rows in an epoch, B rows of a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lib.bert import WordPieceTokenizer
from lib.text.packing import PackedCorpus
from lib.text.pair_rows import ends_sentences, validate_rows
from lib.text.pair_tasks import NO_PAIRS, PairTask
from lib.text.pretraining_batches import Rows


@dataclass(frozen=True)
class SentenceRows:
    """Each row is one sentence, [CLS] A [SEP], and a sentence ends where its full stop stands.

    The rows of a batch are equally long, so nothing is padded; `length` is the most that a row can have.
    Sentences that are longer are never read, nor in an epoch those that are too few to fill a batch.
    """

    corpus: PackedCorpus
    tokenizer: WordPieceTokenizer
    length: int = 128
    batch_size: int = 32
    seed: int = 0
    task: ClassVar[PairTask] = NO_PAIRS

    def __post_init__(self) -> None:
        validate_rows(self.corpus, self.tokenizer, self.batch_size)
        if not self.size:
            raise ValueError(
                f"{self.corpus.folder} has no {self.batch_size} sentences of one length that fit into "
                f"{self.length} pieces: use a smaller batch or a larger length."
            )

    @cached_property
    def size(self) -> int:
        """Rows in an epoch; every row asks for it."""
        _, counts = np.unique(self.sentences[:, 1], return_counts=True)
        return int((counts // self.batch_size).sum()) * self.batch_size

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What the rows depend on, as JSON."""
        return {
            "kind": "sentences",
            "corpus": self.corpus.card["fingerprint"],
            "length": self.length,
            "batch_size": self.batch_size,
            "seed": self.seed,
        }

    def draw(self, number: int, rng: np.random.Generator) -> Rows:
        """The rows of batch `number`, from 0; the generator is not asked, and the labels mean nothing."""
        epoch, place = divmod(number * self.batch_size, self.size)  # an epoch is so many full batches
        order = _epoch(self, epoch)[place : place + self.batch_size]
        ids = np.stack([self._row(*self.sentences[sentence].tolist()) for sentence in order])
        return Rows(ids, np.zeros_like(ids), np.zeros(self.batch_size, dtype=np.int64))

    def _row(self, start: int, length: int) -> NDArray[np.int64]:
        """[CLS] A [SEP]."""
        text = self.corpus.tokens[start : start + length].astype(np.int64)
        return np.concatenate([[self.tokenizer.cls_token_id], text, [self.tokenizer.sep_token_id]])

    @cached_property
    def sentences(self) -> NDArray[np.int64]:
        """[S, 2]: where in the corpus each sentence that fits starts, and how many pieces it has."""
        ends = np.flatnonzero(ends_sentences(self.tokenizer)[self.corpus.tokens]) + 1
        bounds = np.union1d(ends, self.corpus.starts)
        lengths = np.diff(bounds)
        fits = lengths <= self.length - 2
        return np.stack([bounds[:-1], lengths], axis=1)[fits]


@lru_cache(maxsize=4)
def _epoch(rows: SentenceRows, epoch: int) -> NDArray[np.int64]:
    """[N]: the order of the sentences in an epoch; those of a batch are equally long."""
    rng = np.random.default_rng([rows.seed, 0, epoch])
    lengths = rows.sentences[:, 1]
    full: list[NDArray[np.int64]] = []
    for length in np.unique(lengths):
        mixed = rng.permutation(np.flatnonzero(lengths == length))
        read = len(mixed) // rows.batch_size * rows.batch_size
        full += [*mixed[:read].reshape(-1, rows.batch_size)]  # [B] each
    return np.concatenate([full[place] for place in rng.permutation(len(full))])
