"""Six recipes for features: each has a score and its seconds."""

from __future__ import annotations

from functools import partial

import pytest

from lib.records import subject
from lib.records.subject import Subject
from lib.training.feature_taggers import feature_recipes
from lib.training.finetuning import Task
from lib.training.known_tasks import load_task
from studies.six_recipes import STUDY, Learning, measure_recipes


def test_each_recipe_has_a_score_and_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_task("entities")
    few = Task(task.name, task.kind, task.train[:8], task.test[:6])
    monkeypatch.setattr(subject, "task_named", lambda _name: few)
    recipes = feature_recipes(6)
    found = measure_recipes(recipes, Learning(width=4, epochs=1), Subject("entities", 0))
    assert set(found) == {"hidden states", *recipes}
    assert all(0 <= found[name].scores["f1"] <= 1 for name in recipes)
    assert all(one.costs.keys() == {"processor_seconds"} for one in found.values())
    arm = STUDY.arms["entities"]["recipes"]
    assert isinstance(arm, partial) and arm.args[0] == recipes
