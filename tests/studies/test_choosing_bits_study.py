"""Chosen bits: ways, orders and arms, on a task of two words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from chapters.nb25.ways import format_bits, order_of
from lib.compression.parts import by_layer
from lib.compression.quantizers.curvature_bits import layer_sensitivity
from lib.records.subject import Subject
from studies import choosing_bits
from studies.choosing_bits import NOISE, ORDERS, STUDY

SENSITIVITY = torch.tensor([3.0, 1.0, 5.0, 2.0, 6.0, 4.0])
SST2: dict[str, Any] = dict(STUDY.arms["SST-2"])


@pytest.fixture
def subject(tiny: Callable[..., Subject], monkeypatch: pytest.MonkeyPatch) -> Subject:
    monkeypatch.setattr(choosing_bits, "SUBSETS", 2)
    monkeypatch.setattr(choosing_bits, "SUBSET_ROWS", 4)
    return tiny("SST-2", most_steps=2)


def test_curvature_is_measured_before_the_orders_that_it_gives_are_trained(subject: Subject) -> None:
    found = choosing_bits.measure_curvature(ORDERS, subject)
    assert list(found) == ["curvature", *ORDERS]
    scores = found["curvature"].scores
    assert scores["sensitivity"] == pytest.approx(
        layer_sensitivity(torch.tensor(scores["eigenvalues"])).tolist()
    )
    assert list(choosing_bits.measure_curvature((), subject)) == ["curvature"]
    for order in ORDERS:
        model: Any = found[order].model
        bits_of = order_of(order, torch.tensor(scores["sensitivity"]), subject.seed)
        for bits, paths in zip(bits_of, by_layer(model).values(), strict=True):
            assert len(model.get_submodule(paths[0]).weight[0].unique()) <= 2**bits


def test_an_order_gives_half_of_the_layers_more_bits() -> None:
    orders = {order: format_bits(order_of(order, SENSITIVITY, 1)) for order in ORDERS}
    assert orders["by curvature"] == "224244" and orders["reversed"] == "442422"
    assert orders["equal"] == "333333"
    assert sorted(orders["random"]) == list("222444")


@pytest.mark.parametrize("name", NOISE)
def test_noise_is_trained_and_judged_rounded(name: str, subject: Subject) -> None:
    found = SST2[name](subject)
    assert found.scores.keys() == {"accuracy", "agreement", "accuracy_before", "agreement_before"}
    assert found.costs.keys() == {"processor_seconds"} and not found.model.training
    weight = found.model.get_submodule("bert.encoder.layer.0.output.dense").weight
    assert len(weight[0].unique()) <= 7
