"""Schedules: the learning rate as a pure function of the step, counted from 0."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Protocol


class Schedule(Protocol):
    """The learning rate of each step."""

    def __call__(self, step: int) -> float: ...

    @property
    def steps(self) -> int | None:
        """How many steps there are; None while that is not decided."""

    def fingerprint(self, steps: int) -> Any:
        """What the rates of the first `steps` steps depend on (JSON)."""


def learning_rate(step: int, steps: int, warm: int, peak: float) -> float:
    """The rate of a step, counted from 0: up to `peak` in `warm` equal strides, then down a line to 0.

    The first step has peak / warm. Steps warm - 1 and warm both have the peak; a step after the last would
    have 0.
    """
    return peak * min((step + 1) / warm, (steps - step) / max(1, steps - warm))


@dataclass(frozen=True)
class LinearDecay:
    """Up to `peak` in the share `warmup` of the steps, then down a line to 0 (Devlin et al., 2019, A.2)."""

    steps: int
    peak: float = 1e-3
    warmup: float = 0.1

    def __post_init__(self) -> None:
        _validate(self.steps, self.peak)
        if not 0 <= self.warmup <= 1:
            raise ValueError(f"The warm-up is {self.warmup}: give a share of the steps from 0 to 1.")

    def __call__(self, step: int) -> float:
        return learning_rate(step, self.steps, max(1, round(self.warmup * self.steps)), self.peak)

    def fingerprint(self, steps: int) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Constant:
    """Up to `peak` in `warm` equal strides, then that to the end."""

    steps: int
    peak: float
    warm: int = 0

    def __post_init__(self) -> None:
        _validate(self.steps, self.peak)

    def __call__(self, step: int) -> float:
        return self.peak * min(1, (step + 1) / max(1, self.warm))

    def fingerprint(self, steps: int) -> dict[str, Any]:
        return {"peak": self.peak, "warm": self.warm}


@dataclass(frozen=True)
class Trapezoid:
    """Up, stay, and down a line to 0 (Zhai et al., 2022; Hu et al., 2024).

    Up to `peak` in `warm` equal strides; from the step `decay_from` on down in `decay` strides. The end may
    be decided while a run goes on: without `decay_from` there is none yet.
    """

    peak: float
    warm: int
    decay_from: int | None = None
    decay: int = 1

    def __post_init__(self) -> None:
        _validate(self.decay, self.peak)
        if self.warm < 0 or (self.decay_from is not None and self.decay_from < self.warm):
            raise ValueError(
                f"A warm-up of {self.warm} steps and a decay from step {self.decay_from} overlap: begin the "
                "decay after the warm-up."
            )

    @property
    def steps(self) -> int | None:
        return None if self.decay_from is None else self.decay_from + self.decay

    def __call__(self, step: int) -> float:
        up = (step + 1) / max(1, self.warm)
        down = 1.0 if self.steps is None else (self.steps - step) / self.decay
        return self.peak * min(1.0, up, down)

    def fingerprint(self, steps: int) -> dict[str, Any]:
        """The end only once it has begun."""
        begun = self.decay_from is not None and steps > self.decay_from
        shape = {"peak": self.peak, "warm": self.warm}
        return shape | ({"decay_from": self.decay_from, "decay": self.decay} if begun else {})


def _validate(steps: int, peak: float) -> None:
    if steps < 1 or not (math.isfinite(peak) and peak > 0):
        raise ValueError(
            f"{steps} steps at a learning rate of {peak}: give at least 1 step and a finite rate above 0."
        )
