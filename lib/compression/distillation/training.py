"""A run of distillation, start to end, on the one loop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from lib.compression.distillation.objective import Distillation
from lib.training.checkpoints import Checkpoints
from lib.training.finetuning import Progress, Recipe
from lib.training.loop import Batches, Callback, Trainer
from lib.training.optim import OfParameter, adamw, same_rate
from lib.training.schedules import LinearDecay


class EpochBatches(Batches, Protocol):
    """Batches of which `size` make an epoch, as those of `TaskBatches` and `TaughtBatches`."""

    @property
    def size(self) -> int: ...


@dataclass(frozen=True)
class Distilled:
    """What a run gave."""

    history: list[dict[str, float]]  # what `Trainer.step` returns of each: loss, terms, counts
    seconds: float
    processor_seconds: float  # on all cores together, teacher included, which other programs do not lengthen


class _History(Callback):
    def __init__(self) -> None:
        self.measured: list[dict[str, float]] = []

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        self.measured.append(measured)


def distill(
    objective: Distillation,
    batches: EpochBatches,
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    rate_of: OfParameter = same_rate,
    callbacks: Sequence[Callback] = (),
    checkpoints: Checkpoints | None = None,
) -> Distilled:
    """Train the objective's student, in place, for the recipe's epochs, at its rate and precision.

    Batch size and length are those of the batches. The student is left in eval(). `history` begins anew in a
    run that goes on. ValueError if the recipe has patience: no rows are scored on the way.
    """
    recipe = recipe or Recipe()
    if recipe.patience is not None:
        raise ValueError(
            f"A patience of {recipe.patience} epochs, and no validation rows to lose it by: leave it out."
        )
    steps = -(-recipe.epochs * batches.size // recipe.gradient_accumulation)
    history, progress = _History(), Progress(steps)
    trainer = Trainer(
        objective,
        batches,
        adamw(objective, recipe.weight_decay, rate_of),
        LinearDecay(steps, recipe.learning_rate, recipe.warmup),
        (*callbacks, history, progress),
        checkpoints,
        gradient_accumulation=recipe.gradient_accumulation,
        precision=recipe.precision,
        seed=seed,
    )
    start, processor_start = time.perf_counter(), time.process_time()
    with closing(progress):
        trainer.train()
    seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
    objective.student.eval()
    return Distilled(history.measured, seconds, processor_seconds)
