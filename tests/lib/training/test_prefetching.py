"""Batches made ahead by other processes are the same batches."""

from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Tensor

from lib.training.prefetching import PrefetchedBatches


@dataclass(frozen=True)
class Counted:
    """Batch n holds n."""

    rows: Any = None
    fingerprint: Any = "counted"

    def __call__(self, number: int) -> dict[str, Tensor]:
        return {"number": torch.tensor([number])}


def test_they_come_under_their_numbers_also_out_of_order() -> None:
    batches = PrefetchedBatches(Counted(), workers=2)
    for number in (0, 1, 2, 7, 8, 3, 3):
        assert batches(number)["number"].item() == number
    assert batches.fingerprint == "counted"


def test_no_workers_make_no_batches() -> None:
    with pytest.raises(ValueError, match="give at least 1"):
        PrefetchedBatches(Counted(), workers=0)
