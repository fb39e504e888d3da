"""Neurons of the feed-forward networks taken out of the tensors.

A neuron owns a row of the first matrix with its bias, and a column of the second. GELU(0) is 0, so a neuron
whose row and bias are 0 is one that is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor, nn

from lib.bert import alterations
from lib.compression.pruning.heads import layers_of
from lib.training.features import encoder_of


def remove_neurons(model: nn.Module, chosen: Mapping[int, Sequence[int]]) -> None:
    """Take these neurons of each layer out of a model, in place; it is saved and loaded without them."""
    for number, neurons in chosen.items():
        alterations.prune_neurons(model, f"{layers_of(model)}.{number}", list(neurons))


def neuron_magnitudes(model: nn.Module) -> list[Tensor]:
    """The length of each neuron's row times that of its column, [F] for each layer.

    Large weights are no proof of importance: this is what `importance_of_neurons` is compared with.
    """
    layers: list[Any] = list(encoder_of(model).encoder.layer)
    return [
        (layer.intermediate.dense.weight.norm(dim=1) * layer.output.dense.weight.norm(dim=0)).detach()
        for layer in layers
    ]
