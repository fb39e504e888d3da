"""How long a design will take, predicted from a few that were timed.

AutoTinyBERT trains a network of three hidden layers on thousands of timed designs (Yin et al., 2021, section
3.3). Here four numbers do: every layer takes some time whatever is in it, and some for each weight of its
attention and of its feed-forward network, and what is around the layers takes the same for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lib.compression.designs.super_network import Design


def sizes_in_time(design: Design) -> list[float]:
    """What time is a sum of: 1, layers, and the weights (in millions) of attention and feed-forward."""
    attention = design.layers * design.hidden_size * design.heads * design.head_size * 4
    feed_forward = design.layers * design.hidden_size * design.neurons * 2
    return [1.0, design.layers, attention / 1e6, feed_forward / 1e6]


@dataclass(frozen=True)
class LatencyModel:
    """A linear model of milliseconds: one coefficient for each of `sizes_in_time`."""

    coefficients: tuple[float, ...]

    @classmethod
    def fitted(cls, designs: Sequence[Design], milliseconds: Sequence[float]) -> LatencyModel:
        """The one with the least squared error on these.

        ValueError where the designs do not tell the coefficients apart.
        """
        sizes = torch.tensor([sizes_in_time(design) for design in designs], dtype=torch.float64)
        if len(designs) == 0 or torch.linalg.matrix_rank(sizes) < sizes.size(1):
            raise ValueError(
                f"{len(designs)} designs don't tell four coefficients apart: time four or more that "
                "differ in layers, heads and neurons."
            )
        times: Tensor = torch.tensor(milliseconds, dtype=torch.float64)
        return cls(tuple(torch.linalg.lstsq(sizes, times[:, None]).solution.flatten().tolist()))

    def __call__(self, design: Design) -> float:
        """The milliseconds that a design is predicted to take."""
        pairs = zip(self.coefficients, sizes_in_time(design), strict=True)
        return sum(coefficient * size for coefficient, size in pairs)
