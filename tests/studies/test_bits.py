"""Few bits: what is rounded, and what is trained so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from lib.records.study import Measured
from lib.records.subject import Subject
from studies import bits
from studies.bits import STUDY

ARMS = STUDY.arms["headlines"]


@pytest.fixture
def subject(tiny: Callable[..., Subject]) -> Subject:
    return tiny("headlines", most_steps=2)


def scores_of(arm: Any, subject: Subject) -> dict[str, Any]:
    return arm(subject).scores


def test_all_is_rounded_and_left_as_it_was(subject: Subject) -> None:
    before = {name: tensor.clone() for name, tensor in subject.teacher.model.state_dict().items()}
    for arm in ("all, row, 8 bits", "all, tensor, 2 bits"):
        assert scores_of(ARMS[arm], subject).keys() == {"accuracy", "agreement"}
    assert scores_of(ARMS["all, row, 8 bits"], subject)["agreement"] == 1
    after = subject.teacher.model.state_dict()
    assert all(torch.equal(tensor, before[name]) for name, tensor in after.items())


@pytest.mark.parametrize("name", bits.PREPARED)
def test_what_is_trained_is_measured_before_and_after(name: str, subject: Subject) -> None:
    found = ARMS[name](subject)
    assert isinstance(found, Measured)
    assert found.scores.keys() == {"accuracy", "agreement", "accuracy_before", "agreement_before"}
    if name == "float32":
        assert found.scores["agreement_before"] == 1
    model: Any = found.model
    if name == "2 bits per row":
        assert len(model.bert.encoder.layer[0].output.dense.weight[0].unique()) <= 3
