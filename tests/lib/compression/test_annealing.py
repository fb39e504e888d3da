"""Annealing distillation: the ramp, and its first stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, loss, ours, rows
from torch import nn

from lib.compression.distillation.annealing import (
    AnnealedBatches,
    annealed_target,
    falling,
    regression_stage,
)
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.losses import squared_error
from lib.compression.distillation.objective import Distillation
from lib.text.tasks import TaskBatches


def taught(teacher: Any = None) -> TaughtBatches:
    answers = row_answers(teacher or ours(), rows())
    return TaughtBatches(TaskBatches(rows(), batch_size=4, seed=0), {"logits": answers})


# --- the ramp -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "tau_max"), [(10, 5), (15, 10), (7, 3), (5, 5)])
def test_inv_the_ramp_never_leaves_its_ends(steps: int, tau_max: int) -> None:
    ramp = AnnealedBatches(taught(), steps, falling(tau_max))
    found = [ramp.temperature(number) for number in range(steps + 4)]
    assert found[0] == tau_max and set(found[steps - 1 :]) == {1}
    assert set(found) == set(range(1, tau_max + 1)) and found == sorted(found, reverse=True)
    counts = [found[:steps].count(temperature) for temperature in falling(tau_max)]
    assert max(counts) - min(counts) <= 1


def test_a_batch_brings_the_scaled_answers_and_all_else_as_it_was() -> None:
    plain = taught()
    ramp = AnnealedBatches(plain, 10, falling(5))
    for number in (0, 3, 9, 12):
        before, after = plain(number), ramp(number)
        assert after.keys() == before.keys() and torch.equal(after["input_ids"], before["input_ids"])
        expected = annealed_target(before["teacher_logits"], ramp.temperature(number), 5)
        assert torch.equal(after["teacher_logits"], expected)
    assert ramp.fingerprint != AnnealedBatches(plain, 10, (1, 2, 3, 4, 5)).fingerprint


# --- the first stage -----------------------------------------------------------------------------------


def test_stage_one_is_the_formula_and_the_script_takes_a_mean() -> None:
    student, batch = ours(seed=3), batch_of(3, teacher_logits=torch.randn(3, 2))
    with torch.no_grad():
        own = student(**inputs(batch)).logits
    summed = 0.0
    for row, target in zip(own.tolist(), batch["teacher_logits"].tolist(), strict=True):
        for logit, wanted in zip(row, target, strict=True):
            summed += (logit - wanted) ** 2
    found = loss(Distillation(student, None, regression_stage()), batch).item()
    assert found == pytest.approx(summed / 3, rel=1e-6)
    in_code = loss(Distillation(student, None, regression_stage(squared_error)), batch).item()
    assert in_code == pytest.approx(nn.functional.mse_loss(own, batch["teacher_logits"]).item(), rel=1e-6)


def inputs(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: AnnealedBatches(taught(), 2, (3, 2, 1)), "a step for each"),
    (lambda: AnnealedBatches(taught(), 5, ()), "a step for each"),
    (lambda: AnnealedBatches(taught(), 5, (2, 0)), "a step for each"),
    (lambda: AnnealedBatches(TaskBatches(rows()), 5, falling(5))(0), "teacher_logits"),
    (lambda: falling(0), "tau_max is 0"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_a_ramp_that_cannot_be_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
