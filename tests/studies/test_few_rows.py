"""Few rows: which of them are learned from, and for how long."""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from tiny_task import tiny_model

from lib.records.subject import Subject
from lib.text.tasks import TextExample, own
from lib.training.task_kinds import Task
from studies import few_rows


def test_few_rows_are_half_of_each_class_and_part_of_the_more(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[int, list[list[TextExample]]] = {0: [], 1: []}

    def note(_model: Any, _tokenizer: Any, task: Task, recipe: Any, *, seed: int) -> Any:
        assert recipe == few_rows.recipe_for(len(task.train))
        found[seed].append(list(task.train))
        return SimpleNamespace(scores={"accuracy": 0.5})

    monkeypatch.setattr(few_rows, "fine_tune", note)
    monkeypatch.setattr(few_rows, "fresh_model", tiny_model)
    arms: Any = few_rows.STUDY.arms["reviews"]
    for seed in found:
        subject = Subject("reviews", seed)
        for count in (20, 100):
            assert arms[f"MiniLM, {count} rows"](subject).scores == {"accuracy": 0.5}
        assert arms["TF-IDF, 100 rows"](subject).scores["accuracy"] > 0.5
        few, more = found[seed]
        assert few == few_rows.with_few(20, subject).train
        assert Counter(one.label for one in few) == {0: 10, 1: 10}
        assert Counter(one.label for one in more) == {0: 50, 1: 50}
        assert set(few) < set(more) <= set(own.reviews("train"))
    assert found[0][0] != found[1][0]


def test_both_learn_from_each_count() -> None:
    arms = few_rows.STUDY.arms["reviews"]
    counts = [arm.args[0] for arm in arms.values() if isinstance(arm, partial)]
    assert counts == [*few_rows.COUNTS, *few_rows.COUNTS]


def test_every_count_of_rows_gets_enough_steps() -> None:
    for count in few_rows.COUNTS:
        recipe, in_epoch = few_rows.recipe_for(count), -(-count // few_rows.BATCH)
        assert recipe.epochs * in_epoch >= few_rows.STEPS
        assert recipe.epochs == 3 or (recipe.epochs - 1) * in_epoch < few_rows.STEPS
