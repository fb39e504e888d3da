"""One network at many sizes: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_task import tiny_model

from lib.compression.elastic.dyna_bert import DEPTHS, WIDTHS
from lib.compression.elastic.sizes import sizes_of
from lib.compression.packed import load_packed, save_packed
from lib.records.subject import Subject
from lib.training.features import encoder_of
from studies import elastic
from studies.elastic import ORDERS, STUDY, DepthStage

SIZES = [str(size) for size in sizes_of(WIDTHS, DEPTHS)]
STAGES = {"whole": DepthStage(), **elastic.CODE}

Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    monkeypatch.setattr(elastic, "fresh_model", tiny_model)
    return tiny()


def test_costs_are_of_every_size_and_of_one_seed(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic, "milliseconds", lambda routes, _: {name: {"1 x 9": 1.0} for name in routes})
    found = elastic.measure_costs(subject)
    assert list(found) == [f"costs, {size}" for size in SIZES]
    parameters = [one.costs["parameters"] for one in found.values()]
    assert parameters[0] == max(parameters) and parameters[-1] == min(parameters)
    assert all(one.costs["milliseconds at 1 x 9"] == 1.0 for one in found.values())
    assert STUDY.seeds_of("reviews", "costs") == (0,)


def test_the_four_orders_are_of_one_model(subject: Subject) -> None:
    models = {order: elastic.ordered(order, subject) for order in ORDERS}
    assert len({tuple(subject.judge(model).values()) for model in models.values()}) == 1
    weights = [encoder_of(model).encoder.layer[0].output.dense.weight.detach() for model in models.values()]
    assert len({float(weight[0, :3].sum()) for weight in weights}) == 4
    assert torch.equal(weights[0], weights[3].flip(1))


def test_second_stages_begin_alike_whatever_came_before_them(subject: Subject) -> None:
    """A stage moves neither the network that it begins with nor its teacher, which is the same one."""
    alone = {"last": STAGES["last layer kept"]}
    together = elastic.measure_dyna_bert("as they were", (2, 2), STAGES | alone, subject)
    again = elastic.measure_dyna_bert("as they were", (2, 2), alone, subject)
    models: list[Any] = [found["sizes, last, 1 x 1"].model for found in (together, again)]
    one, other = (model.state_dict() for model in models)
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_network_of_many_sizes_is_packed_whole(subject: Subject, tmp_path: Any) -> None:
    found = elastic.measure_dyna_bert("important first", (2, 2), {}, subject)
    model: Any = found["widths, important first, 0.25 x 1"].model
    save_packed(model, tmp_path / "model.safetensors")
    packed: Any = load_packed(tmp_path / "model.safetensors")
    assert len(packed.bert.encoder.layer) == 6
    assert packed.bert.encoder.layer[0].attention.self.num_heads == model.config.num_attention_heads
