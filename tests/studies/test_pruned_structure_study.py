"""Models without some of their parts: what goes, judged by what, and what each arm holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from chapters.nb27.mean_loss import mean_loss
from lib.compression.pruning.heads import remove_heads
from lib.records.subject import Subject
from studies import pruned_structure
from studies.pruned_structure import STUDY, Worth

ARMS = {name: arm for arms in STUDY.arms.values() for name, arm in arms.items()}
#: one of each kind; what the others remove is measured untuned, see test_golden
TUNED = (
    "dense",
    "half of heads and neurons, new weights",
    "a smaller BERT, importance",
    "3 layers gone, alike",
)


@pytest.fixture
def subject(tiny: Callable[..., Subject]) -> Subject:
    return tiny("reviews", most_steps=2)


def test_single_heads_have_an_estimate_of_each_kind_and_the_truth(subject: Subject) -> None:
    found = pruned_structure.measure_single_heads(subject).scores
    assert found.keys() == {
        "loss", "without", "token", "text", "batch", "running totals", "all texts at once",
        "token, last layer by text", "token, layers alike",
    }  # fmt: skip
    assert all(
        len(rows) == 6 and {len(row) for row in rows} == {12}
        for name, rows in found.items()
        if name != "loss"
    )


def test_the_loss_without_a_head_is_that_of_a_model_that_lost_it(subject: Subject) -> None:
    found, worth = pruned_structure.measure_single_heads(subject).scores, Worth(subject)
    model = pruned_structure.whole(worth)
    remove_heads(model, {2: [5]})
    assert mean_loss(model, worth.batches) == pytest.approx(found["without"][2][5], abs=1e-5)


def test_width_goes_by_every_order(subject: Subject) -> None:
    levels, orders = (18, 12), ("importance", "random", "reversed")
    found = pruned_structure.measure_untuned(
        pruned_structure.narrowed, "width {}, {}", levels, orders, subject
    )
    assert len(found) == 6


def test_without_heads_gone_the_model_answers_as_its_teacher(subject: Subject) -> None:
    model = pruned_structure.without_heads(0, "importance", Worth(subject))
    assert subject.judge(model)["agreement"] == 1


@pytest.mark.parametrize("arm", TUNED)
def test_an_arm_is_judged_before_and_after(arm: str, subject: Subject) -> None:
    found = ARMS[arm](subject)
    assert not isinstance(found, dict) and found.model is not None
    assert found.scores.keys() == {"accuracy", "agreement", "accuracy_before", "agreement_before"}
    assert found.costs.keys() == {"parameters", "processor_seconds"} and not found.model.training
    whole = sum(parameter.numel() for parameter in subject.teacher.model.parameters())
    assert (found.costs["parameters"] == whole) == (arm == "dense")
    assert subject.judge(subject.teacher.model)["agreement"] == 1  # the teacher stays as it is


def test_half_of_heads_and_neurons_is_half(subject: Subject) -> None:
    for order in ("importance", "random", "reversed"):
        model: Any = pruned_structure.halved(order, Worth(subject))
        layers = model.bert.encoder.layer
        assert sum(layer.attention.self.num_heads for layer in layers) == 36
        assert {layer.intermediate.dense.out_features for layer in layers} == {12}


def test_the_smaller_bert_is_a_plain_one(subject: Subject) -> None:
    model = pruned_structure.smaller("importance", Worth(subject))
    assert model.changes == () and model.config.attention_head_size is None
    assert (model.config.hidden_size, model.config.num_attention_heads) == (12, 6)


def test_new_weights_have_nothing_of_the_teacher(subject: Subject) -> None:
    worth = Worth(subject)
    new, old = pruned_structure.with_new_weights(worth), pruned_structure.halved("importance", worth)
    assert {name: tensor.shape for name, tensor in new.state_dict().items()} == {
        name: tensor.shape for name, tensor in old.state_dict().items()
    }
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(new.state_dict()[query], old.state_dict()[query])
