"""Batches for pretraining, each a pure function of its number: rows of text, and what is made of them.

Where the rows come from and what the model is asked about them are two choices: a source of rows, such as
`lib.text.pair_rows.PairRows`, and a corruption, such as `lib.text.masking.Masking`.

Sizes in the comments: B rows, T pieces in a row, V pieces in the vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.text.masking import IGNORED, Flags, Ids, Masking
from lib.text.pair_tasks import PairTask


class Rows(NamedTuple):
    """The text of a batch, equally long rows with nothing hidden and no padding."""

    ids: Ids  # [B, T]
    token_types: Ids  # [B, T]
    pair_labels: Ids  # [B]; they mean nothing where rows are no pairs


class RowSource(Protocol):
    """Where rows come from: all that it draws is a function of the number and of the generator."""

    @property
    def tokenizer(self) -> WordPieceTokenizer: ...

    @property
    def batch_size(self) -> int: ...

    @property
    def task(self) -> PairTask: ...

    @property
    def seed(self) -> int: ...

    @property
    def fingerprint(self) -> dict[str, Any]: ...

    def draw(self, number: int, rng: np.random.Generator) -> Rows: ...


class Corruption(Protocol):
    """What the model reads in place of rows of pieces, and what it is to say: see `Masking.corrupt`."""

    @property
    def fingerprint(self) -> dict[str, Any]: ...

    def corrupt(
        self, ids: Ids, candidates: Flags, begins: Flags, vocab_size: int, mask_token_id: int,
        rng: np.random.Generator,
    ) -> tuple[Ids, Ids]: ...  # fmt: skip

    def with_whole_words(self) -> Corruption: ...


@dataclass(frozen=True)
class NextPieces:
    """For a model that writes: nothing is hidden, and each place is to say the piece after it.

    With `among`, only those places are asked whose next piece that masking would have hidden.
    """

    among: Masking | None = None

    @property
    def fingerprint(self) -> dict[str, Any]:
        """What is asked, as JSON."""
        return {"kind": "next pieces", "among": None if self.among is None else self.among.fingerprint}

    def with_whole_words(self) -> NextPieces:
        """The same where whole words would be hidden."""
        return replace(self, among=None if self.among is None else self.among.with_whole_words())

    def corrupt(
        self, ids: Ids, candidates: Flags, begins: Flags, vocab_size: int, mask_token_id: int,
        rng: np.random.Generator,
    ) -> tuple[Ids, Ids]:  # fmt: skip
        """The rows as they are, and the piece that stands next to the right: two [B, T]."""
        targets = ids
        if self.among is not None:
            _, targets = self.among.corrupt(ids, candidates, begins, vocab_size, mask_token_id, rng)
        end = np.full_like(ids[:, :1], IGNORED)
        return ids, np.concatenate([targets[:, 1:], end], axis=1)


@dataclass(frozen=True)
class PretrainingBatches:
    """All batches that there are: `batches(number)` makes one, and always the same for the same number."""

    rows: RowSource
    corruption: Corruption = field(default_factory=Masking)

    @property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        return {"rows": self.rows.fingerprint, "corruption": self.corruption.fingerprint}

    def __call__(self, number: int) -> dict[str, Tensor]:
        """Batch `number`, from 0: `input_ids`, `token_type_ids`, `labels` [B, T] and `pair_labels` [B]."""
        rng = np.random.default_rng([self.rows.seed, 1, number])
        ids, token_types, pair_labels = self.rows.draw(number, rng)
        tokenizer = self.rows.tokenizer
        input_ids, labels = self.corruption.corrupt(
            ids, ~self._is_special[ids], self.begin_words(ids), len(tokenizer), tokenizer.mask_token_id, rng
        )
        arrays = {
            "input_ids": input_ids,
            "token_type_ids": token_types,
            "labels": labels,
            "pair_labels": pair_labels,
        }
        return {name: torch.from_numpy(array) for name, array in arrays.items()}

    def begin_words(self, ids: Ids) -> Flags:
        """Whether each piece of rows [B, T] begins a word; what is left of one behind [CLS] or [SEP] does."""
        begins = self._begins[ids]
        begins[:, 1:] |= self._is_special[ids[:, :-1]]
        return begins

    @cached_property
    def _is_special(self) -> Flags:
        """[V]: whether a piece is a special token."""
        tokenizer = self.rows.tokenizer
        return np.isin(np.arange(len(tokenizer)), tokenizer.all_special_ids)

    @cached_property
    def _begins(self) -> Flags:
        """[V]: whether a piece begins a word."""
        return np.array([not piece.startswith("##") for piece in self.rows.tokenizer.vocab])
