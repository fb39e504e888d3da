"""Directions in the space of all weights: drawn at random, or from one checkpoint to another.

A point of that space is a dict from the names of a model's parameters to tensors, and so is a direction. A
tensor that a direction leaves out does not move.
"""

import math
import re
from collections.abc import Mapping

import torch
from torch import Tensor, nn

Weights = Mapping[str, Tensor]
Direction = dict[str, Tensor]


def filter_normalize(direction: Tensor, weight: Tensor) -> Tensor:
    """A direction for one tensor, scaled to it row by row (Li et al., 2018, section 4).

    Both [rows, ...]. Each row gets the length of the same row of the weights, a row of zeros stays zero, and
    a vector, such as a bias or the scale of a norm, becomes zeros. A row is what one output neuron reads, in
    an embedding the vector of one token.
    """
    if direction.shape != weight.shape:
        raise ValueError(
            f"The direction has the shape {list(direction.shape)} and the weight {list(weight.shape)}: give "
            "a direction for this very tensor."
        )
    if weight.dim() < 2:
        return torch.zeros_like(direction)
    lengths = direction.flatten(1).norm(dim=1)  # [rows]
    wanted = weight.detach().flatten(1).norm(dim=1)
    factors = torch.where(lengths > 0, wanted / lengths, 0.0)
    return direction * factors.view(-1, *[1] * (weight.dim() - 1))


def weights_of(model: nn.Module) -> Direction:
    """Where a model stands: a copy of its floating-point parameters, a tied one once, no buffers."""
    return {
        name: parameter.detach().clone()
        for name, parameter in model.named_parameters()
        if parameter.is_floating_point()
    }


def select(weights: Weights, pattern: str) -> Direction:
    """The tensors whose name holds a regular expression, such as r"attention\\.self\\.(query|key)"."""
    tensors = {name: tensor for name, tensor in weights.items() if re.search(pattern, name)}
    if not tensors:
        raise ValueError(
            f"No parameter's name holds {pattern!r}: the first of {len(weights)} is {next(iter(weights))}."
        )
    return tensors


def random_direction(weights: Weights, seed: int) -> Direction:
    """A normally distributed number for each weight, the same ones for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    return {
        name: torch.randn(tensor.shape, generator=generator, dtype=tensor.dtype).to(tensor.device)
        for name, tensor in weights.items()
    }


def filter_normalized(direction: Weights, weights: Weights) -> Direction:
    """Every tensor of a direction, scaled to the weights row by row: see `filter_normalize`."""
    return {name: filter_normalize(tensor, weights[name]) for name, tensor in direction.items()}


def direction_between(end: Weights, start: Weights) -> Direction:
    """The way from one checkpoint to another, end - start, over the tensors of `start`.

    `end` may hold more, as a state dict does. ValueError where it lacks one, or has it in another shape.
    """
    for name, tensor in start.items():
        if name not in end or end[name].shape != tensor.shape:
            there = f"in the shape {list(end[name].shape)}" if name in end else "not at all"
            raise ValueError(
                f"One checkpoint has {name} in the shape {list(tensor.shape)}, the other {there}: compare "
                "checkpoints of one architecture."
            )
    return {name: end[name].detach() - tensor.detach() for name, tensor in start.items()}


def inner(first: Weights, second: Weights) -> float:
    """The dot product of two directions, summed in double precision."""
    pairs = [(tensor.detach(), second[name].detach()) for name, tensor in first.items() if name in second]
    return sum(float(left.double().flatten() @ right.double().flatten()) for left, right in pairs)


def length(direction: Weights) -> float:
    """How long a direction is: the root of the sum of its squares."""
    return math.sqrt(inner(direction, direction))


def cosine(first: Weights, second: Weights) -> float:
    """The cosine of the angle between two directions; ValueError where one has no length."""
    lengths = length(first) * length(second)
    if not lengths:
        raise ValueError("A direction of zeros points nowhere: give two that move the weights.")
    return inner(first, second) / lengths
