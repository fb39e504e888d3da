"""Three values a weight and two: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from lib.compression.quantizers.ternary_bert import round_like_ternary_bert, split_ternary_weights
from lib.records.subject import Subject
from studies import ternary_binary
from studies.ternary_binary import ARMS


@pytest.fixture
def subject(tiny: Callable[..., Subject]) -> Subject:
    return tiny("headlines", most_steps=2)


def test_the_split_changes_no_answer_and_its_scales_begin_alike(subject: Subject) -> None:
    rows: Any = ARMS["BinaryBERT"](subject)
    assert rows["split"].scores["agreement"] == rows["half width, ternary"].scores["agreement"]
    assert rows["split"].scores["largest_scale_gap"] < 1e-4
    assert "largest_scale_gap" not in rows["not split, trained further"].scores
    assert rows["split, trained further"].costs["steps"] == rows["not split, trained further"].costs["steps"]


def test_a_landscape_has_the_loss_in_its_middle_and_an_eigenvalue_of_each_part(subject: Subject) -> None:
    model: Any = copy.deepcopy(subject.teacher.model)
    round_like_ternary_bert(model)
    split_ternary_weights(model)
    bent = ternary_binary.landscape(model, subject)
    assert [len(row) for row in bent["losses"]] == [9] * 9
    batches = subject.batches(subject.rows(), 32)
    assert bent["losses"][4][4] == pytest.approx(model(**batches(0)).loss.item(), abs=1e-4)
    assert bent["eigenvalues"].keys() == {"query and key", "value", "attention output", "feed-forward"}
