"""Annealing distillation: a target that grows up to the teacher's logits, and then the labels.

Jafari et al., 2021. In stage I the student's logits are to equal the teacher's, multiplied by a scale that
rises while a temperature falls from tau_max to 1; in stage II it learns from the labels alone, with a new
optimizer. Nothing is softened: there is no softmax in stage I, and the student is not divided by anything.

    ramp = AnnealedBatches(TaughtBatches(batches, {"logits": answers}), steps=450, temperatures=falling(5))
    first = Distillation(student, None, regression_stage())  # a Trainer reads `ramp` with it, 450 steps
    then = Distillation(student, None, labels_alone())  # another reads `batches`, 150 steps
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from lib.compression.distillation.knowledge import LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import Distance, Summed, squared_error
from lib.compression.distillation.matches import Match
from lib.training.loop import Batch, Batches


def annealed_target(teacher_logits: Tensor, temperature: int, tau_max: int) -> Tensor:
    """What the student's logits are to be at a temperature from tau_max down to 1: a share of the teacher's.

    The share is 1 - (temperature - 1) / tau_max: 1 / tau_max at first, in steps of 1 / tau_max, 1 at last.
    teacher_logits [B, C], as what is returned.
    """
    return teacher_logits * (1 - (temperature - 1) / tau_max)


def falling(tau_max: int) -> tuple[int, ...]:
    """The temperatures of stage I in their order: tau_max, tau_max - 1, ..., 1."""
    if tau_max < 1:
        raise ValueError(f"tau_max is {tau_max}: give a whole number from 1, which is a single temperature.")
    return tuple(range(tau_max, 0, -1))


@dataclass(frozen=True)
class AnnealedBatches:
    """Batches that bring the teacher's logits, scaled by the temperature of their number.

    Each of the temperatures holds for as many of the first `steps` batches, as near as whole numbers allow,
    and the last one for all that follow: the scale never leaves the ramp. tau_max is the highest of them.
    """

    batches: Batches
    steps: int
    temperatures: Sequence[int]

    def __post_init__(self) -> None:
        if not self.temperatures or min(self.temperatures) < 1 or self.steps < len(self.temperatures):
            raise ValueError(
                f"{self.steps} steps for the temperatures {list(self.temperatures)}: give whole numbers from"
                " 1, and at least a step for each."
            )

    def temperature(self, number: int) -> int:
        """That of batch `number`, from 0."""
        place = min(number, self.steps - 1) * len(self.temperatures) // self.steps
        return self.temperatures[place]

    @property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        ramp = {"steps": self.steps, "temperatures": list(self.temperatures)}
        return {"kind": "annealed", "batches": self.batches.fingerprint, **ramp}

    def __call__(self, number: int) -> Batch:
        batch = self.batches(number)
        if LOGITS.given not in batch:
            raise ValueError(f"A batch has no {LOGITS.given!r}: give TaughtBatches that hold them.")
        scaled = annealed_target(batch[LOGITS.given], self.temperature(number), max(self.temperatures))
        return {**batch, LOGITS.given: scaled}


def regression_stage(distance: Distance | None = None) -> list[Match]:
    """Stage I: the squared distance of both logits, summed over the classes, as the paper has it.

    The script for CIFAR takes the mean over the classes instead: regression_stage(squared_error).
    """
    return [Match(LOGITS, ANSWER, distance or Summed(squared_error))]
