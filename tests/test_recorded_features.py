"""What is recorded of features and of text of the domain: small versions of the two experiments."""

from pathlib import Path

import pytest

from lib.bert.heads import BertForPreTraining
from lib.text.tasks import own
from lib.training.feature_taggers import feature_recipes
from lib.training.finetuning import Task
from lib.training.known_tasks import load_task
from studies import domain_text, six_recipes


def test_each_recipe_has_a_score_and_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_task("entities")
    few = Task(task.name, task.kind, task.train[:8], task.test[:6])
    monkeypatch.setattr(six_recipes, "load_task", lambda _name: few)
    monkeypatch.setattr(six_recipes, "EPOCHS", 1)
    monkeypatch.setattr(six_recipes, "WIDTH", 4)
    found = six_recipes.all_recipes(seed=0)
    assert set(found) == {"hidden states", *feature_recipes(6)}
    assert all(0 <= found[name]["f1"] <= 1 for name in feature_recipes(6))


def test_a_model_that_has_read_more_is_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(domain_text, "STEPS", 2)
    monkeypatch.setattr(domain_text, "BATCH", 4)
    texts = [example.first for example in own.reviews("train")[:60]]
    losses = domain_text.read_domain(texts, tmp_path, seed=0)
    assert len(losses) == 2
    assert all(loss > 0 for loss in losses)
    before, after = (BertForPreTraining.from_pretrained(place).state_dict() for place in ("pocket", tmp_path))
    name = "bert.encoder.layer.0.output.dense.weight"
    assert 0 < (before[name] - after[name]).abs().max() < 0.1
