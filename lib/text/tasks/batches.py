"""Padded, numbered batches of encoded examples.

Sizes in the comments: B rows, C choices, T pieces in the longest row of a batch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lib.text.masking import IGNORED
from lib.text.tasks.encoding import Row

LONGEST_STRETCH = 50  # batches among which rows are sorted by length, as in `transformers`


@dataclass(frozen=True)
class TaskBatches:
    """All batches of encoded examples: `batches(number)` makes one, and always the same for the same number.

    Each epoch has `size` batches and reads every row once, in an order of its own that `seed` decides, or in
    the order of the rows where there is no seed, as for scoring. One batch of an epoch may be smaller.

    group_by_length: rows of like length share a batch, which saves padding and so time (Khomenko et al.,
    2016): the shuffled rows are cut into stretches of many batches, each is sorted by length, and the order
    of the batches is shuffled. Without a seed all rows are sorted; `places` says which rows a batch holds.
    """

    rows: Sequence[Row]
    pad_id: int = 0
    batch_size: int = 32
    seed: int | None = 0
    group_by_length: bool = False

    def __post_init__(self) -> None:
        if not self.rows or self.batch_size < 1:
            raise ValueError(
                f"{len(self.rows)} rows in batches of {self.batch_size}: give at least 1 row, and at least 1 "
                "to a batch."
            )
        if isinstance(self.rows, Mapping) or isinstance(self.rows[0]["input_ids"], Tensor):
            raise ValueError(
                "What a tokenizer gives is a batch already: give rows of lists, as encode_texts makes them."
            )
        if any(row.keys() != self.rows[0].keys() for row in self.rows):
            raise ValueError("Some rows have a label and others none: make batches of one kind.")

    @property
    def size(self) -> int:
        """Batches in an epoch."""
        return -(-len(self.rows) // self.batch_size)

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        digest = hashlib.sha256()
        for row in self.rows:
            # a label may be a number of NumPy, as tables have them
            digest.update(json.dumps(row, sort_keys=True, default=np.generic.item).encode() + b"\n")
        return {
            "kind": "task",
            "rows": digest.hexdigest(),
            "pad_id": self.pad_id,
            "batch_size": self.batch_size,
            "seed": self.seed,
            "group_by_length": self.group_by_length,
        }

    def places(self, number: int) -> list[int]:
        """The places, among the rows, of those in batch `number`."""
        epoch, place = divmod(number, self.size)
        if self.group_by_length:
            return list(_grouped(self._lengths, self.batch_size, self.seed, epoch)[place])
        order = _order(len(self.rows), self.seed, epoch)
        return order[place * self.batch_size :][: self.batch_size]

    def __call__(self, number: int) -> dict[str, Tensor]:
        """Batch `number`, from 0: `input_ids`, `attention_mask`, `token_type_ids` [B, T] and what is asked.

        All three are [B, C, T] where the rows have choices. `labels` are [B], or [B, T] for a label a piece;
        `start_positions` and `end_positions` are [B].
        """
        rows = [self.rows[place] for place in self.places(number)]
        fill = {"input_ids": self.pad_id, "labels": IGNORED}
        batch = {name: _stacked([row[name] for row in rows], fill.get(name, 0)) for name in rows[0]}
        batch["attention_mask"] = _stacked([_ones(row["input_ids"]) for row in rows], 0)
        return batch

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(pieces_in(row["input_ids"]) for row in self.rows)


def pieces_in(ids: list[Any]) -> int:
    """The pieces of a row, of its longest choice where it has some."""
    return max(map(len, ids)) if isinstance(ids[0], list) else len(ids)


def _stacked(values: list[Any], fill: int) -> Tensor:
    """Numbers as [B]; lists, filled up to the longest, as [B, T]; lists of lists as [B, C, T]."""
    if isinstance(values[0], list) and isinstance(values[0][0], list):
        choices = [choice for value in values for choice in value]
        return _stacked(choices, fill).unflatten(0, (len(values), -1))
    if isinstance(values[0], list):
        return pad_sequence([torch.tensor(value) for value in values], batch_first=True, padding_value=fill)
    return torch.tensor(values)


def _ones(ids: Any) -> Any:
    """A 1 for each piece, in lists like theirs."""
    return [_ones(piece) for piece in ids] if isinstance(ids, list) else 1


@lru_cache(maxsize=4)
def _order(count: int, seed: int | None, epoch: int) -> list[int]:
    """The order of so many rows in an epoch."""
    if seed is None:
        return list(range(count))
    order: list[int] = np.random.default_rng([seed, 0, epoch]).permutation(count).tolist()
    return order


@lru_cache(maxsize=4)
def _grouped(lengths: tuple[int, ...], batch_size: int, seed: int | None, epoch: int) -> list[list[int]]:
    """The batches of an epoch whose rows are grouped by length, each the places of its rows."""
    order = _order(len(lengths), seed, epoch)
    # a stretch is a quarter of the rows at most: the same rows shall not meet in every epoch
    stretch = batch_size * max(min(LONGEST_STRETCH, len(order) // (4 * batch_size)), 1)
    if seed is None:
        stretch = len(order)
    alike = [
        place
        for begin in range(0, len(order), stretch)
        for place in sorted(order[begin : begin + stretch], key=lengths.__getitem__)
    ]
    batches = [alike[begin : begin + batch_size] for begin in range(0, len(alike), batch_size)]
    return [batches[place] for place in _order(len(batches), seed, epoch)]
