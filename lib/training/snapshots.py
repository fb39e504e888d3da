"""Snapshots: where the weights stood at some steps of a run, to look at the way that training took."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from lib.training.loop import Callback, Trainer


class Snapshots(Callback):
    """Keeps a copy of a model's weights after some of a run's steps, in half precision: `kept[step]`.

    Step 0 is the model as it is when the callback is made. Half precision rounds a weight by at most 0.05 %,
    and takes half the room.
    """

    def __init__(self, model: nn.Module, steps: Iterable[int]) -> None:
        self.kept: dict[int, dict[str, Tensor]] = {}
        self._model = model
        self._steps = frozenset(steps)
        self._keep(0)

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        self._keep(trainer.steps_done)

    def state_dict(self) -> dict[str, Tensor]:
        return {
            f"{step}/{name}": tensor for step, taken in self.kept.items() for name, tensor in taken.items()
        }

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        self.kept = {}
        for key, tensor in state.items():
            step, _, name = key.partition("/")
            self.kept.setdefault(int(step), {})[name] = tensor

    def _keep(self, step: int) -> None:
        if step in self._steps:
            self.kept[step] = {
                name: parameter.detach().to(torch.float16, copy=True)
                for name, parameter in self._model.named_parameters()
            }
