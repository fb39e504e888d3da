"""Small trainings on the one loop: batches that lie in memory, and any function of a batch as the loss."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor, nn

from lib.training.loop import Batch, Batches, Objective, Term, Trainer
from lib.training.schedules import Constant


@dataclass(frozen=True)
class InMemory:
    """Batches one after the other, and from the first again when all have been read."""

    batches: Sequence[Mapping[str, Tensor]]

    def __call__(self, number: int) -> Batch:
        return dict(self.batches[number % len(self.batches)])

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """All that the batches depend on, as JSON: what is in them."""
        digest = hashlib.sha256()
        for batch in self.batches:
            for name, tensor in sorted(batch.items()):
                digest.update(f"{name}{tensor.dtype}{tuple(tensor.shape)}".encode())
                digest.update(tensor.contiguous().numpy().tobytes())
        return {"kind": "in memory", "digest": digest.hexdigest()}


class BatchLoss(Objective):
    """A module under its loss, which `loss(**batch)` gives as the mean over a batch; all batches weigh alike.

    What the loss draws at random it draws anew in each step, by PyTorch's own generator.
    """

    def __init__(self, module: nn.Module, loss: Callable[..., Tensor]) -> None:
        super().__init__()
        self.module, self.loss = module, loss

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        return {"batches": 1}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        return {"mean": Term(self.loss(**batch), "batches")}


def adam(objective: Objective, batches: Batches, steps: int, rate: float, warm_up: int = 0) -> Trainer:
    """A trainer that does no more than Adam's steps: its gradients are not cut, and nothing is saved.

    The learning rate climbs to `rate` over `warm_up` steps and stays there.
    """
    optimizer = torch.optim.Adam(objective.parameters(), lr=rate)
    return Trainer(objective, batches, optimizer, Constant(steps, rate, warm_up), clip=math.inf)


def fit(
    module: nn.Module, loss: Callable[..., Tensor], batches: Batches, steps: int, rate: float
) -> list[float]:
    """Adam for so many steps on what `loss(**batch)` gives; the loss of each step, before it is made."""
    trainer = adam(BatchLoss(module, loss), batches, steps, rate)
    return [trainer.step()["loss"] for _ in range(steps)]


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch on one thread, so that a machine repeats a sum to the bit; then on as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
