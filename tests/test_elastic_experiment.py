"""The record of notebook 28: every part gives what is recorded, with tiny models and few steps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tiny_task import TASK, tiny_model, tiny_teacher

from lib.bert import WordPieceTokenizer
from lib.compression.elastic.dyna_bert import DEPTHS, WIDTHS
from lib.compression.elastic.sizes import Size, sizes_of
from lib.compression.packed import load_packed
from lib.records.results import PACKED, RESULT
from lib.training.features import encoder_of
from studies import elastic, elastic_exam, registry
from studies.elastic_exam import Exam

SIZES = {str(size) for size in sizes_of(WIDTHS, DEPTHS)}


@pytest.fixture
def exam(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Exam:
    for name, plan in elastic.PLANS.items():
        quick = replace(plan, layer_steps=2, width_steps=2, depth_steps=2)
        monkeypatch.setitem(elastic.PLANS, name, quick)
    monkeypatch.setattr(elastic, "fresh_model", tiny_model)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    made = Exam("reviews", 0, TASK, tiny_teacher(), list(TASK.train), tokenizer)
    folder = tmp_path / "widths"
    folder.mkdir()
    elastic.widths(made, folder, "as they were")
    monkeypatch.setattr(elastic, "cached", lambda _entry: SimpleNamespace(folder=folder))
    monkeypatch.setattr(
        elastic, "milliseconds", lambda routes, _size: {name: {"1 x 9": 1.0} for name in routes}
    )
    return made


@pytest.mark.parametrize(
    ("part", "holds"),
    [
        ("LayerDrop 0.5", {"depths", "depths, last kept", "steps", "processor_seconds"}),
        ("3 layers alone", {"accuracy", "agreement", "steps", "processor_seconds"}),
        ("widths, important first", {"sizes", "processor_seconds"}),
        ("sizes, as they were", {"sizes", "processor_seconds"}),
        ("sizes, teacher at full width", {"sizes", "processor_seconds"}),
        ("sizes, last layer kept", {"sizes", "processor_seconds"}),
        ("0.25 x 0.5 alone", {"accuracy", "agreement", "steps", "processor_seconds"}),
        (elastic.FROM_LABELS, {"accuracy", "agreement", "steps", "processor_seconds"}),
        ("untrained", {"teacher", "orders"}),
        ("costs", SIZES),
    ],
)
def test_every_part_gives_what_the_record_holds(
    part: str, holds: set[str], exam: Exam, tmp_path: Path
) -> None:
    parts = elastic.parts_of("headlines") | elastic.parts_of("reviews")
    parts[elastic.FROM_LABELS] = elastic.from_labels
    found = parts[part](exam, tmp_path)
    assert found.keys() == holds
    assert json.loads(json.dumps(found)) == found
    if part.startswith("sizes"):
        assert found["sizes"].keys() == SIZES
    assert (tmp_path / PACKED).exists() == part.startswith(("widths", "sizes", "LayerDrop", "0.25 x 0.5"))


def test_the_four_orders_are_of_one_model(exam: Exam) -> None:
    scores = elastic_exam.importance(exam)
    models = {order: elastic_exam.ordered(exam, order, scores) for order in elastic_exam.ORDERS}
    answers = {order: exam.judge(model) for order, model in models.items()}
    assert len({tuple(one.values()) for one in answers.values()}) == 1
    weights = [encoder_of(model).encoder.layer[0].output.dense.weight.detach() for model in models.values()]
    assert len({float(weight[0, :3].sum()) for weight in weights}) == 4
    assert torch.equal(weights[0], weights[3].flip(1))


def test_equal_compute() -> None:
    """In multiplications of the whole network forward: 3 for a step of it, 1 for the teacher."""
    runs = 3 * (1 + 0.75 + 0.5 + 0.25)
    whole = 200 * (runs + 1) + 100 * (runs * (1 + 2 / 3 + 0.5) + 2.5)
    assert elastic.equal_steps(Size(0.25, 0.5), elastic.Plan()) == round(whole / (3 / 8 + 1))


def test_a_part_is_kept_with_its_model(exam: Exam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elastic, "prepared", lambda *_: exam)
    elastic.run_part(tmp_path, "reviews", "widths, important first", 0)
    assert {path.name for path in tmp_path.iterdir()} == {RESULT, PACKED, "widths"}
    model: Any = load_packed(tmp_path / PACKED)
    assert len(model.bert.encoder.layer) == 6


@pytest.mark.parametrize("name", ["elastic", "elastic_public"])
def test_the_records_are_registered(name: str) -> None:
    found = registry.EXPERIMENTS[name].config()
    assert json.loads(json.dumps(found)) == found


def test_every_run_can_be_told_apart() -> None:
    entries = [
        elastic.run_of(task, part, seed)
        for task in ("reviews", "headlines", "SST-2")
        for part in elastic.parts_of(task)
        for seed in (0, 1)
    ]
    told = {(entry.name, json.dumps(entry.config)) for entry in entries}
    assert len(told) == len(entries)
