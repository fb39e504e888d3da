"""Public sets: what is learned from what, and what is kept of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tiny_task import TASK, tiny_model

from lib.records import subject
from lib.records.subject import Subject
from lib.records.teachers import PUBLIC_SETS
from lib.text.tasks import TextExample
from lib.training.finetuning import Recipe
from lib.training.task_kinds import Task
from studies import public_sets

RECIPE = Recipe(epochs=1, batch_size=4, max_length=16, precision="bf16")


def test_a_set_read_in_part_and_what_is_recorded_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[Task] = []

    def note(_model: Any, _tokenizer: Any, task: Task, recipe: Recipe, *, seed: int) -> Any:
        trained.append(task)
        assert (recipe, seed) == (RECIPE, 5)
        return SimpleNamespace(scores={"accuracy": 0.75}, processor_seconds=1.234)

    train = [
        TextExample(f"{word} thing", None, label)
        for label, word in enumerate(("blue", "red"))
        for _ in range(5)
    ]
    monkeypatch.setattr(subject, "task_named", lambda name: Task(name, TASK.kind, train, train[3:7]))
    monkeypatch.setattr(public_sets, "fine_tune", note)
    monkeypatch.setattr(public_sets, "fresh_model", tiny_model)
    arms: Any = public_sets.arms(RECIPE, rows=4)
    minilm, counting = (arms[name](Subject("SST-2", 5)) for name in ("MiniLM", "baseline"))
    assert minilm.scores == {"accuracy": 0.75} and counting.scores == {"accuracy": 1.0}
    assert minilm.costs == {"rows": 4, "tested": 4, "processor_seconds": 1.2}
    assert trained[0].name == "SST-2"
    # rows that are sorted by class: some of each are read
    assert [one.label for one in trained[0].train] == [0, 0, 1, 1]


def test_every_public_set_is_learned_in_bfloat16() -> None:
    assert public_sets.STUDY.arms.keys() == PUBLIC_SETS.keys()
    for task in PUBLIC_SETS:
        assert "precision='bf16'" in public_sets.STUDY.how(task, "MiniLM")
