"""What a training step holds in memory: weights, gradients, what the optimizer remembers, and activations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from lib.analysis.cost.memory import kept_bytes
from lib.text.tasks import TaskBatches
from lib.training.loop import Batch, Trainer


class TrainingMemory(NamedTuple):
    """What a training step holds, in bytes, besides what the program itself needs."""

    weights: int
    gradients: int
    optimizer: int  # AdamW: two numbers for each weight that learns
    activations: int  # what the backward pass needs of the longest batch

    @property
    def total(self) -> int:
        return sum(self)


def longest_batch(batches: TaskBatches) -> Batch:
    """As many rows as a batch has, the longest of all: what needs most memory."""
    by_length = replace(batches, seed=None, batch_size=1, group_by_length=True)
    places = [place for number in range(by_length.size) for place in by_length.places(number)]
    longest = [batches.rows[place] for place in places[-batches.batch_size :]]
    return replace(batches, rows=longest, seed=None, group_by_length=False)(0)


def training_memory(trainer: Trainer, batch: Batch) -> TrainingMemory:
    """What a step on this batch holds; the optimizer has made a step before."""
    parameters = list(trainer.objective.parameters())
    batch = {name: tensor.to(trainer.device) for name, tensor in batch.items()}

    def forward() -> object:
        with torch.autocast(trainer.device.type, torch.bfloat16, enabled=trainer.precision == "bf16"):
            return trainer.objective(**batch)

    return TrainingMemory(
        weights=_bytes(parameters),
        gradients=_bytes(parameter for parameter in parameters if parameter.requires_grad),
        optimizer=_bytes(
            value
            for state in trainer.optimizer.state.values()
            for value in state.values()
            if isinstance(value, Tensor)
        ),
        activations=kept_bytes(trainer.objective.train(), forward),
    )


def _bytes(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
