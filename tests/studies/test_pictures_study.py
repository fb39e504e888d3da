"""The study of pictures: an arm of each kind runs for two steps, and its record is of what the study says."""

from __future__ import annotations

import pytest

from chapters.nb38.completion import PIXELS
from lib import records
from lib.records.study import Measured
from lib.records.subject import Subject
from studies.pictures import CLASSIFIERS, SHOWN, STUDY, WRITERS


@pytest.mark.parametrize("arm", ["regression, 100", "CNN, 100", "ViT, 1297", "ViT without positions, 1297"])
def test_a_classifier_runs(arm: str) -> None:
    found = CLASSIFIERS[arm](Subject("digits", 0, most_steps=2))
    assert isinstance(found, Measured) and 0 < found.scores["right"] < 1


def test_a_writer_runs() -> None:
    found = WRITERS["300 steps"](Subject("completion", 0, most_steps=2))
    assert isinstance(found, Measured)
    assert 1 < found.scores["nats"] < 4 and 0 < found.scores["error"] < 1
    assert [len(one) for one in found.scores["completed"]] == [PIXELS] * SHOWN


def test_all_arms_are_recorded_with_three_seeds() -> None:
    table = records.table("pictures")
    for task, arms in STUDY.arms.items():
        for arm in arms:
            metric = "right" if task == "digits" else "nats"
            assert len(table.values(task, arm, metric)) == 3
