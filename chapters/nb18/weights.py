"""What the notebook computes with all weights of a model: mixtures, and steps that fit them."""

from collections.abc import Sequence

import torch
from torch import Tensor

Weights = dict[str, Tensor]


def soup(models: Sequence[Weights], shares: Sequence[float]) -> Weights:
    """One model: each tensor is the sum of the models' tensors of this name, each times its share."""
    mixed = {name: torch.zeros_like(tensor) for name, tensor in models[0].items()}
    for model, share in zip(models, shares, strict=True):
        for name in mixed:
            mixed[name] = mixed[name] + share * model[name]
    return mixed


def filter_normalize(direction: Tensor, weight: Tensor) -> Tensor:
    """A direction for one tensor, with each row as long as the same row of the weights."""
    if direction.dim() < 2:
        return torch.zeros_like(direction)
    lengths = direction.norm(dim=1, keepdim=True)
    wanted = weight.norm(dim=1, keepdim=True)
    return direction * torch.where(lengths > 0, wanted / lengths, 0.0)
