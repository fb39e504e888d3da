"""Layers that share their weights in groups (ALBERT; Lan et al., 2020), begun from layers that do not.

share_in_groups(model, albert_groups(layers=6, groups=2))  # layers 0 to 2 are one, and 3 to 5

Weights are stored once for each group, and every layer runs as before: with many texts at once hardly any
time is saved, with one short text some.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from lib.bert.alterations import share_layers
from lib.bert.surgery import module_at


def albert_groups(layers: int, groups: int) -> list[int]:
    """The group of each layer, both from 0: floor(layer * groups / layers).

    The released code divides first, in floating point: the same for 6, 12 and 24 layers, but not for 22
    groups of 22, where two layers share one.
    """
    if not 1 <= groups <= layers:
        raise ValueError(f"{groups} groups of {layers} layers: give from 1 to {layers}.")
    return [layer * groups // layers for layer in range(layers)]


@torch.no_grad()
def share_in_groups(model: nn.Module, groups: Sequence[int], path: str = "bert.encoder") -> None:
    """Let the layers of a group, by its number for each layer, be one, which begins as their mean.

    ALBERT is pretrained so, from random weights; here a trained model is made into one, and has to be trained
    further. path: of the `Encoder`.
    """
    layers: Any = module_at(model, f"{path}.layer", nn.ModuleList)
    if len(groups) != len(layers):
        raise ValueError(f"{len(groups)} groups for {len(layers)} layers: name the group of each.")
    first = [list(groups).index(group) for group in groups]
    for number in set(first):
        members = [layer.state_dict() for layer, of in zip(layers, first, strict=True) if of == number]
        mean = {name: torch.stack([member[name] for member in members]).mean(0) for name in members[0]}
        layers[number].load_state_dict(mean)
    share_layers(model, path, first)
