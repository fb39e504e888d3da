"""LayerDrop: whole layers are skipped at random in training, so that the network can lose some later.

Fan et al., 2020, "Reducing Transformer Depth on Demand with Structured Dropout". A skipped layer hands on
what it was given. Nothing is divided by the share that runs, other than in dropout.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lib.compression.elastic.depth import only_layers
from lib.training.features import encoder_of
from lib.training.loop import Batch, Objective, Term


def draw_layers(num_layers: int, p: float) -> list[int]:
    """The layers that run in one step: each is left out with probability p, on its own."""
    return [layer for layer, drawn in enumerate(torch.rand(num_layers).tolist()) if drawn >= p]


class LayerDrop(Objective):
    """Another objective, learned with layers of its model skipped; drawn anew for each micro-batch.

    p: how often a layer is skipped; 0.2 in the paper, 0.5 where half of them will go. In eval() all run.
    A layer that is skipped gets no gradient, and AdamW leaves it as it is in that step.
    """

    def __init__(self, objective: Objective, model: nn.Module, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"Layers are skipped with probability {p}: give a number from 0, below 1.")
        self.objective, self.p = objective, p
        self._models = (model,)  # a tuple: it is a part of the objective already

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """Those of the objective inside."""
        return self.objective.counts(batch)

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        (model,) = self._models
        count = len(encoder_of(model).encoder.layer)
        layers = draw_layers(count, self.p) if self.training else range(count)
        with only_layers(model, layers):
            terms: dict[str, Term] = self.objective(**batch)
        return terms

    @property
    def fingerprint(self) -> Any:
        return {**super().fingerprint, "of": self.objective.fingerprint, "p": self.p}
