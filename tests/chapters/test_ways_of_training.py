"""Ways to train a model: what learns in each of them, and how fast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import tiny_task

from chapters.nb17 import ways_of_training
from chapters.nb17.ways_of_training import WAYS
from lib.bert import BertConfig, BertForQuestionAnswering, BertForSequenceClassification
from lib.training.finetuning import Recipe
from lib.training.freezing import GradualUnfreezing, parts
from lib.training.task_kinds import Task

SIZES = tiny_task.SIZES | {"num_hidden_layers": 3}
RECIPE = Recipe(epochs=1, batch_size=4, max_length=16)
HEAD = {"pooler", "head"}
LAYERS = ["layer 0", "layer 1", "layer 2"]


def tiny_model(*_: Any) -> BertForSequenceClassification:
    return BertForSequenceClassification(BertConfig(**SIZES))


def learning(model: Any) -> set[str]:
    """The parts of which something learns."""
    return {
        part
        for part, parameters in parts(model).items()
        if any(parameter.requires_grad for parameter in parameters)
    }


@pytest.mark.parametrize(
    ("way", "parts"),
    [
        ("head", HEAD),
        ("top 1", HEAD | {*LAYERS[2:]}),
        ("top 2", HEAD | {*LAYERS[1:]}),
        ("all", HEAD | {*LAYERS, "embeddings"}),
        ("low rank", HEAD | {*LAYERS}),
        ("adapters", HEAD | {*LAYERS, "embeddings"}),  # of the embeddings the norm alone
    ],
)
def test_a_way_decides_which_parts_learn(way: str, parts: set[str]) -> None:
    model = tiny_model()
    WAYS[way].prepare(model)
    assert learning(model) == parts


@pytest.mark.parametrize("way", ["adapters", "prefix", "prompt", "low rank"])
def test_with_new_weights_no_matrix_of_the_encoder_learns(way: str) -> None:
    model = tiny_model()
    before = dict(model.named_parameters())
    WAYS[way].prepare(model)
    old = [name for name in before if name.startswith("bert.") and "pooler" not in name]
    moving = {name for name in old if before[name].requires_grad}
    assert all(".LayerNorm." in name for name in moving) and bool(moving) == (way == "adapters")
    assert all(
        before[name].requires_grad
        for name in before
        if not name.startswith("bert.encoder.") and name not in old
    )
    new = [
        name for name, weight in model.named_parameters() if all(weight is not one for one in before.values())
    ]
    assert new and all(dict(model.named_parameters())[name].requires_grad for name in new)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_can_do_without_a_pooler(way: str) -> None:
    model = BertForQuestionAnswering(BertConfig(**SIZES))
    WAYS[way].prepare(model)
    assert "head" in learning(model)


def test_rates_fall_from_the_head_to_the_embeddings() -> None:
    model, way = tiny_model(), WAYS["layer rates"]
    assert way.rate_of
    rate_of = way.rate_of(model, 3e-4)
    weights = dict(model.named_parameters())
    names = [
        "classifier.weight",
        *(f"bert.encoder.layer.{layer}.output.dense.weight" for layer in (2, 1, 0)),
        "bert.embeddings.word_embeddings.weight",
    ]
    assert [rate_of(name, weights[name]) for name in names] == pytest.approx([1, 1, 0.8, 0.64, 0.512])


def test_a_way_is_trained_at_its_own_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Recipe, Any]] = []

    def note(_model: Any, _tokenizer: Any, _task: Task, recipe: Recipe, **named: Any) -> None:
        asked.append((recipe, named["callbacks"]))

    monkeypatch.setattr(ways_of_training, "fresh_model", tiny_model)
    monkeypatch.setattr(ways_of_training, "fine_tune", note)
    for way in WAYS.values():
        ways_of_training.train_by(way, tiny_task.TASK, RECIPE, seed=3)
    assert [recipe for recipe, _ in asked] == [
        replace(RECIPE, learning_rate=way.rate * RECIPE.learning_rate) for way in WAYS.values()
    ]
    (unfreezing,) = dict(zip(WAYS, asked, strict=True))["gradual"][1]
    assert isinstance(unfreezing, GradualUnfreezing) and unfreezing.every == 1
