"""Learning backwards: every start, order, warm-up and rate, for a step."""

from __future__ import annotations

import pytest

from chapters.nb08 import residual
from lib.records.study import Measured
from lib.records.subject import Subject
from studies.warm_up import STUDY, measure_learning


@pytest.mark.parametrize("order", residual.KINDS)
def test_every_arm_of_an_order_runs(order: str) -> None:
    arms = {name: arm for name, arm in STUDY.arms["letters"].items() if order in name}
    assert len(arms) == 16
    for arm in arms.values():
        found = arm(Subject("letters", 0, most_steps=1))
        assert isinstance(found, Measured) and 0 <= found.scores["right"] < 0.2


def test_what_is_recorded_is_the_mean_of_the_last_ten_steps() -> None:
    model = residual.Reverser(residual.KINDS["pre-LN"], residual.DRAWS["Xavier"], 1)
    right = residual.learn(model, 1, rate=0.004, warm_up=2, steps=12)
    found = measure_learning("Xavier", "pre-LN", 2, 0.004, 12, Subject("letters", 1))
    assert found.scores == {"right": pytest.approx(sum(right[2:]) / 10)}


def test_what_no_arm_says_is_what_the_record_was_made_with() -> None:
    """Whoever changes these raises the study's version, or nobody makes its runs anew."""
    assert STUDY.data_of("letters", next(iter(STUDY.arms["letters"]))) == ()
    assert (residual.BATCH, residual.LENGTH, STUDY.version) == (32, 12, 1)
