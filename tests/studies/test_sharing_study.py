"""Sharing and factorizing: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch

from chapters.nb31.tensor_train import tensor_train_numbers, through_a_tensor_train
from lib.compression.packed import load_packed, save_packed
from lib.records.subject import Subject
from studies import sharing
from studies.sharing import SHAPES, STUDY

RANK = 6
Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make) -> Subject:
    return tiny()


@pytest.mark.parametrize(
    ("change", "fewer"),
    [
        (sharing.whole, False),
        (partial(sharing.for_weights, RANK), True),
        (partial(sharing.for_inputs, RANK), True),
        (partial(sharing.words, RANK), True),
        (partial(sharing.words_as_read, RANK), True),
        (partial(sharing.both, RANK, RANK), True),
    ],
)
def test_what_is_not_trained_is_judged_and_weighed(
    change: sharing.Change, fewer: bool, subject: Subject
) -> None:
    found = sharing.measure_untrained(change, subject)
    assert found.scores.keys() == {"accuracy", "agreement"} and found.costs.keys() == {"parameters", "bytes"}
    original = sharing.weighed(subject.teacher.model)
    assert (found.costs["bytes"] < original["bytes"]) == fewer
    assert subject.judge(subject.teacher.model)["agreement"] == 1.0  # which was not changed


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_taught_and_packed(name: str, subject: Subject, tmp_path: Any) -> None:
    found: Any = sharing.measure_taught(SHAPES[name], 2, subject)
    runs = 3 if name == "3 layers" else 1 if name == "1 layer" else 6
    assert len(found.scores["distances"]) == len(found.scores["angles"]) == runs
    assert found.costs.keys() == {"parameters", "bytes", "steps", "processor_seconds"}
    save_packed(found.model, tmp_path / "model")
    again = load_packed(tmp_path / "model")
    assert subject.judge(again) == {name: found.scores[name] for name in ("accuracy", "agreement")}
    assert len(again.bert.encoder.layer) == runs  # type: ignore[union-attr, arg-type]


def test_equal_weights_run_once_or_more_often(subject: Subject) -> None:
    counts = {
        name: sharing.measure_untrained(change, subject).costs["parameters"]
        for name, change in SHAPES.items()
    }
    assert counts["3 layers"] == counts["3 layers, each twice"] < counts["6 layers"]
    assert counts["1 layer"] == counts["1 layer, six times"] < counts["3 layers"]


def test_a_tensor_train_of_full_rank_is_the_table() -> None:
    table = torch.randn(1000, 384, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(through_a_tensor_train(table, 256)[:, :9], table[:, :9], atol=1e-4, rtol=1e-4)
    errors = [(through_a_tensor_train(table, rank) - table).norm() for rank in (8, 32, 128)]
    assert errors[0] > errors[1] > errors[2]
    assert tensor_train_numbers(155) == 240 * 155 + 192 * 155 * 155 + 256 * 155 == 4_689_680


def test_a_layer_that_halts(tiny: Make) -> None:
    found = sharing.measure_thinker(3, 0.01, 600, tiny("trails", most_steps=1))
    assert found.scores.keys() == {"accuracy", "steps"} and 1 <= found.scores["steps"] <= 6
    assert STUDY.data_of("trails", "3 hops, price 0.01") == ("minilm",)
