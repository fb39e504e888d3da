"""The record of chosen bits: its ways, its orders, its arms, on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import TASK, tiny_teacher

from lib.bert import WordPieceTokenizer
from lib.compression.parts import by_layer
from lib.compression.quantizers.curvature_bits import layer_sensitivity
from lib.records.results import RESULT
from studies import choosing_bits, registry
from studies.bits import Exam

SENSITIVITY = torch.tensor([3.0, 1.0, 5.0, 2.0, 6.0, 4.0])


@pytest.fixture
def ground(monkeypatch: pytest.MonkeyPatch) -> choosing_bits.Ground:
    monkeypatch.setattr(choosing_bits, "BITS", (3,))
    monkeypatch.setattr(choosing_bits, "GROUPS", {"1": 1, "12": 12, "row": None})
    monkeypatch.setattr(choosing_bits, "SUBSETS", 2)
    monkeypatch.setattr(choosing_bits, "SUBSET_ROWS", 4)
    teacher, tokenizer = tiny_teacher(), WordPieceTokenizer.from_pretrained("minilm")
    exam = Exam(TASK, tokenizer, TASK.kind.rows(TASK.test, tokenizer, 16), teacher.predictions)
    return choosing_bits.Ground(
        teacher, exam, TASK.kind.rows(TASK.train, tokenizer, 16), tokenizer.pad_token_id
    )


def weights_of(ground: choosing_bits.Ground) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in ground.teacher.model.state_dict().items()}


def unchanged(ground: choosing_bits.Ground, before: dict[str, torch.Tensor]) -> bool:
    now = ground.teacher.model.state_dict()
    return now.keys() == before.keys() and all(torch.equal(now[name], before[name]) for name in before)


def test_every_way_has_answers_and_bytes_and_leaves_the_model_as_it_was(ground: choosing_bits.Ground) -> None:
    before = weights_of(ground)
    ways = ("linear, row", "linear, outliers kept", "GOBO, tables in 4 bits")
    found = choosing_bits.books(ground, ways)
    assert found.keys() == {"teacher", *ways}
    assert found["GOBO, tables in 4 bits"]["3"].keys() == {"accuracy", "agreement", "bytes"}
    assert found["linear, outliers kept"]["3"]["bytes"] < found["GOBO, tables in 4 bits"]["3"]["bytes"]
    assert unchanged(ground, before)


def test_groups_and_curvature_leave_the_model_as_it_was(ground: choosing_bits.Ground) -> None:
    before = weights_of(ground)
    assert choosing_bits.groups(ground).keys() == {"1", "12", "row"}
    found = choosing_bits.curvature(ground)
    assert len(found["ways"]) == 20 + 1 and "333333" in found["ways"]
    assert all(sorted(way) == list("222444") for way in found["ways"] if way != "333333")
    assert found["sensitivity"] == pytest.approx(
        layer_sensitivity(torch.tensor(found["eigenvalues"])).tolist()
    )
    sensitivity = torch.tensor(found["sensitivity"])
    for order in choosing_bits.ORDERS:
        assert choosing_bits.told(choosing_bits.order_of(order, sensitivity, 0)) in found["ways"]
    assert unchanged(ground, before)


def test_an_order_gives_half_of_the_layers_more_bits() -> None:
    orders = {
        order: choosing_bits.told(choosing_bits.order_of(order, SENSITIVITY, 1))
        for order in choosing_bits.ORDERS
    }
    assert orders["by curvature"] == "224244" and orders["reversed"] == "442422"
    assert orders["equal"] == "333333"
    assert sorted(orders["random"]) == list("222444")
    assert len(choosing_bits.splits(6)) == 20


@pytest.mark.parametrize("name", choosing_bits.NOISE)
def test_noise_is_trained_and_judged_rounded(name: str, ground: choosing_bits.Ground) -> None:
    def prepare(model: Any) -> None:
        choosing_bits.noisy(model, choosing_bits.NOISE[name])

    found, _ = choosing_bits.trained(ground, prepare, seed=0, steps=2)
    assert found.keys() == {"before", "after", "processor_seconds"}
    weight = ground.teacher.model.get_submodule("bert.encoder.layer.0.output.dense").weight
    assert len(weight[0].unique()) <= 7  # type: ignore[index]


def test_layers_are_trained_in_their_bits(ground: choosing_bits.Ground) -> None:
    def prepare(model: Any) -> None:
        choosing_bits.q_bert(model, [4, 2, 2, 4, 2, 4])

    choosing_bits.trained(ground, prepare, seed=0, steps=2)
    model = ground.teacher.model
    for bits, paths in zip([4, 2, 2, 4, 2, 4], by_layer(model).values(), strict=True):
        assert len(model.get_submodule(paths[0]).weight[0].unique()) <= 2**bits  # type: ignore[index]


def test_a_part_is_written_where_the_cache_looks_for_it(
    ground: choosing_bits.Ground, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(choosing_bits, "prepared", lambda *_: ground)
    monkeypatch.setattr(choosing_bits, "kept_result", lambda _entry: {"sensitivity": SENSITIVITY.tolist()})
    monkeypatch.setattr(choosing_bits, "STEPS", 1)
    for part in ("groups", "reversed"):
        choosing_bits.run_part(tmp_path, "reviews", part, 0)
        assert json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))


def test_parts_can_be_told_apart_and_the_record_is_registered() -> None:
    told = [
        json.dumps(choosing_bits.run_of(task, part, seed).config)
        for task in ("reviews", "SST-2")
        for part in choosing_bits.PARTS
        for seed in (0, 1)
    ]
    assert len(set(told)) == len(told)
    found = registry.EXPERIMENTS["choosing_bits"].config()
    assert json.loads(json.dumps(found)) == found
