"""The record of layer maps: its arms, what is looked at inside, and its runs."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, TASK, tiny_teacher

from chapters.nb23 import layer_lessons
from lib.compression.distillation.combined_layers import LayerMixtures, combine_scaled
from lib.compression.distillation.fused_layers import FOUR_SETS, FusedTeacher, WidenedStudent
from lib.records.results import RESULT
from lib.records.students import without_labels
from studies import layer_maps, registry

FURTHER = ["red dog", "a red", "two dogs", "dog", "red", "a dog or two"]


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task is a tiny one, every model a tiny one, and every run two steps."""
    monkeypatch.setattr(layer_maps, "load_task", lambda _name: TASK)
    monkeypatch.setattr(layer_maps, "task_named", lambda _name: TASK)
    monkeypatch.setattr(layer_maps, "load_teacher", tiny_teacher)
    monkeypatch.setattr(layer_maps, "load_teacher", tiny_teacher)
    monkeypatch.setattr(layer_maps.own, "unlabeled", lambda _name: FURTHER)
    monkeypatch.setattr(layer_maps, "STEPS", {"reviews": 2, "headlines": 2, "SST-2": 2})
    monkeypatch.setattr(layer_maps, "BATCH", 3)
    monkeypatch.setattr(layer_maps, "HELD", 3)


CHECKED = (
    layer_maps.LABELS_ALONE, "0,0", "2,5", "reverse 6,3", "another text 3,6", "CKD cross, student widened",
    "CKD overlap, teacher fused", "ALP", "ALP, buckets", "mean of all layers", "[CLS] 3,6",
)  # fmt: skip


def test_every_arm_gives_what_the_record_holds(tiny: None, tmp_path: Path) -> None:
    layer_maps.run_arms(tmp_path, "headlines", CHECKED, 0)
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert tuple(found) == CHECKED
    for arm, one in found.items():
        common = {"scores", "agreement", "fitness", "processor_seconds", "asking_seconds"}
        mixed = arm.startswith(("ALP", "mean"))
        more = {"weights"} if mixed else {"spread"} if arm.startswith("CKD") else set()
        assert one.keys() == common | more, arm
    weights = found["ALP, buckets"]["weights"]
    assert all(sum(row) == pytest.approx(1) for when in weights.values() for row in when)
    assert [len(row) for row in weights["after"]] == [3, 3]
    assert found["mean of all layers"]["weights"]["after"][0] == pytest.approx([1 / 6] * 6)
    spread = found["CKD cross, student widened"]["spread"]
    assert spread["before"] == spread["after"]  # the teacher's alone


def test_nobody_learns_from_what_fitness_is_measured_on(tiny: None) -> None:
    setting = layer_maps.setting_of("headlines", 0)
    assert len(setting.held) == 3 and len(setting.labeled.rows) == len(EXAMPLES) - 3
    public = layer_maps.setting_of("SST-2", 0)
    held, labeled = layer_maps.parted(EXAMPLES, 3)
    assert public.held == held and not {one.first for one in held} & {one.first for one in labeled}
    assert held + labeled != EXAMPLES and sorted(held + labeled) == sorted(EXAMPLES)
    assert all("labels" not in batch for batch in public.kept.batches)


def test_the_arms_are_what_their_names_say() -> None:
    assert len(layer_lessons.GENES) == 28 and set(layer_maps.MAPS) < set(layer_lessons.ARMS)
    sets = [
        (name, kind, layer_lessons.ARMS[f"CKD {name}, {told}"](24)[0].map)
        for name in FOUR_SETS
        for told, kind in (("student widened", WidenedStudent), ("teacher fused", FusedTeacher))
    ]
    for name, kind, made in sets:
        assert isinstance(made, kind) and made.sets == FOUR_SETS[name]
    mixed = layer_lessons.ARMS["ALP, over root d"](24)[0].map
    assert mixed == LayerMixtures(((1, 2, 3, 4, 5, 6),) * 2, combine_scaled)
    assert layer_lessons.ARMS["0,0"](24) == []
    assert layer_lessons.ARMS["reverse 6,3"](24)[0].map.pairs == ((1, 6), (2, 3))  # type: ignore[attr-defined]
    distances = {match.distance for lesson in layer_lessons.ARMS.values() for match in lesson(24)}
    assert len(distances) == 1


def test_another_text_is_the_next_of_the_batch() -> None:
    states = torch.arange(6.0).view(3, 2, 1)  # [B, T, D]
    pairs = layer_lessons.OfAnotherText(((1, 3),))(lambda _layer: states, lambda _layer: states)
    assert pairs[0][1][:, 0, 0].tolist() == [4, 0, 2]


def test_spread_is_0_of_one_direction_and_large_of_many() -> None:
    assert layer_lessons.spread_of(torch.tensor([[1.0, 1], [2, 2], [5, 5]])) == pytest.approx(0, abs=1e-6)
    assert layer_lessons.spread_of(torch.tensor([[1.0, 0], [-1, 0]])) == pytest.approx(1)
    assert layer_lessons.spread_of(torch.tensor([[1.0, 0], [0, 1]])) == pytest.approx(1 / 2)


def test_all_arms_of_a_task_are_run_once() -> None:
    for name in ("headlines", "reviews", "SST-2"):
        arms = [arm for run in layer_maps.runs_of(name) for arm in run]
        assert len(arms) == len(set(arms)) and arms[0] == layer_maps.LABELS_ALONE
        missing = {"0,0", "3,6", "reverse 6,3", "ALP", "mean of all layers"} - set(arms)
        assert not missing, name
    headlines = [arm for run in layer_maps.runs_of("headlines") for arm in run]
    assert set(headlines) == {layer_maps.LABELS_ALONE, *layer_lessons.ARMS}
    assert set(layer_maps.MAPS) < {arm for run in layer_maps.runs_of("reviews") for arm in run}


def test_every_run_can_be_told_apart() -> None:
    entries = [
        layer_maps.run_of(name, arms, seed)
        for name in ("headlines", "reviews", "SST-2")
        for arms in layer_maps.runs_of(name)
        for seed in (0, 1)
    ]
    told = sorted(json.dumps([entry.name, dict(entry.config)]) for entry in entries)
    assert all(one != other for one, other in pairwise(told))


@pytest.mark.parametrize("name", ["layer_maps", "layer_maps_public"])
def test_records_are_registered_with_a_config_of_json(name: str) -> None:
    experiment = registry.EXPERIMENTS[name]
    found: dict[str, Any] = experiment.config()
    assert json.loads(json.dumps(found)) == found and experiment.seeds == (0, 1, 2)


def test_a_record_has_the_teacher_and_every_arm(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_maps, "kept_result", lambda entry: {arm: {} for arm in entry.config["arms"]})
    found = layer_maps.layer_maps(0)
    assert found.keys() == {"reviews", "headlines"}
    assert found["headlines"].keys() == {"teacher", layer_maps.LABELS_ALONE, *layer_lessons.ARMS}
    assert layer_maps.layer_maps_public(0)["SST-2"].keys() > {"teacher", "0,0"}


def test_texts_are_given_without_labels() -> None:
    assert all(example.label is None for example in without_labels(FURTHER))
