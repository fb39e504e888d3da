"""Batches made ahead by other processes, so that a graphics card does not wait for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, Protocol

from torch.utils.data import DataLoader, Dataset, Sampler

from lib.text.pretraining_batches import RowSource
from lib.training.loop import Batch, Batches


class BatchesOfRows(Batches, Protocol):
    """Batches that are made of rows of text."""

    @property
    def rows(self) -> RowSource: ...


class PrefetchedBatches:
    """The same batches under the same numbers, made ahead by `workers` processes.

    A number out of order, as after a resumption, starts them anew from there.
    """

    def __init__(self, batches: BatchesOfRows, workers: int, ahead: int = 4):
        if workers < 1:
            raise ValueError(
                f"{workers} workers make no batches: give at least 1, or use the batches directly."
            )
        self.batches, self.workers, self.ahead = batches, workers, ahead
        self._made: Iterator[Batch] | None = None
        self._next = 0

    def __call__(self, number: int) -> Batch:
        if self._made is None or number != self._next:
            self._made = self._from(number)
        self._next = number + 1
        return next(self._made)

    @property
    def rows(self) -> RowSource:
        """Those of the batches."""
        return self.batches.rows

    @property
    def fingerprint(self) -> Any:
        """That of the batches: who makes them changes nothing."""
        return self.batches.fingerprint

    def _from(self, number: int) -> Iterator[Batch]:
        loader = DataLoader(
            _Numbered(self.batches),
            batch_size=None,
            sampler=_CountFrom(number),
            num_workers=self.workers,
            prefetch_factor=self.ahead,
        )
        return iter(loader)


class _Numbered(Dataset[Batch]):
    def __init__(self, batches: Batches):
        self.batches = batches

    def __getitem__(self, number: int) -> Batch:
        return self.batches(number)


class _CountFrom(Sampler[int]):
    def __init__(self, first: int):
        self.first = first

    def __iter__(self) -> Iterator[int]:
        return count(self.first)
