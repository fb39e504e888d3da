"""Public sets: what is learned from what, and what is kept of it."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tiny_task import tiny_model

from lib.text.tasks import TextExample
from lib.training import baselines
from lib.training.finetuning import Recipe
from lib.training.task_kinds import Classification, Task
from studies import public_sets
from studies.public_sets import PublicRun

LABELS = ("no", "yes")
EXAMPLES = [
    TextExample(f"{word} {number}", None, int(word == "red"))
    for number in range(4)
    for word in ("red", "dog")
]
TASK = Task("colors", Classification(LABELS), EXAMPLES, EXAMPLES[:4])
RECIPE = Recipe(epochs=1, batch_size=4, max_length=16)


def test_its_config_can_be_recorded() -> None:
    assert json.loads(json.dumps(public_sets.config())) == public_sets.config()


def test_a_set_read_in_part_and_what_is_recorded_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[Task] = []

    def note(_model: Any, _tokenizer: Any, task: Task, recipe: Recipe, *, seed: int) -> Any:
        trained.append(task)
        assert (recipe, seed) == (replace(RECIPE, precision="bf16"), 5)
        return SimpleNamespace(scores={"accuracy": 0.75}, processor_seconds=1.234)

    train = [
        TextExample(f"{word} thing", None, label)
        for label, word in enumerate(("blue", "red"))
        for _ in range(5)
    ]
    run = PublicRun(
        "colors",
        baselines.classify_texts,
        RECIPE,
        rows=4,
        load=lambda name, place: Task(f"{name} in {place}", TASK.kind, train, train[3:7]),
    )
    monkeypatch.setattr(public_sets, "fine_tune", note)
    monkeypatch.setattr(public_sets, "fresh_model", tiny_model)
    assert public_sets.on_set("one", run, 5) == {
        "rows": 4,
        "tested": 4,
        "minilm": {"accuracy": 0.75},
        "baseline": {"accuracy": 1.0},
        "processor_seconds": 1.2,
    }
    assert trained[0].name == "one in colors"
    # rows that are sorted by class: some of each are read
    assert [one.label for one in trained[0].train] == [0, 0, 1, 1]
