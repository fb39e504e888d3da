"""How much is pruned at each step: slowly at the end, when every further weight costs more.

A ramp is a function of the number of steps that were made. Sparsity is the share of weights that is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: the sparsity, or another level, after so many steps
Ramp = Callable[[int], float]


def cubic_sparsity(step: int, steps: int, final: float) -> float:
    """The sparsity after `step` of `steps` steps, from 0 up to `final` (Zhu and Gupta, 2017, equation 1).

    A good deal is pruned at the beginning, when much is superfluous, and little at the end.
    """
    return final * (1 - (1 - step / steps) ** 3)


@dataclass(frozen=True)
class CubicRamp:
    """From `initial`, which holds up to step `first`, along a cubic to `final`, which holds from `last` on.

    Between the two it moves at every `every`-th step alone. Movement pruning has a plateau at both ends
    (Sanh et al., 2020); of a threshold or a share that is kept it is the same curve.
    """

    final: float
    last: int
    first: int = 0
    initial: float = 0.0
    every: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.first < self.last or self.every < 1:
            raise ValueError(
                f"A ramp from step {self.first} to {self.last}, every {self.every} steps: let it begin at 0"
                " or later, end after it begins, and move every 1 or more."
            )
        if not (0 <= self.initial <= 1 and 0 <= self.final <= 1):
            raise ValueError(f"A ramp from {self.initial} to {self.final}: give levels from 0 to 1.")

    def __call__(self, step: int) -> float:
        if step >= self.last:
            return self.final
        done = max(0, step - self.first) // self.every * self.every
        return self.initial + cubic_sparsity(done, self.last - self.first, self.final - self.initial)
