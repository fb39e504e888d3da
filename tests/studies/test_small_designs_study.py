"""Designs inside one network and ghosts: every kind of arm on a task of two words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from chapters.nb32.space import space_of
from lib.compression.designs.search import Space
from lib.compression.designs.super_network import design_of
from lib.compression.packed import load_packed, save_packed
from lib.records.subject import Subject
from studies import small_designs

Make = Callable[..., Subject]


def few(_model: Any) -> Space:
    return Space((2, 6), (24,), (3, 24), (2, 12), (2,))


def test_a_network_is_judged_at_all_of_its_designs_and_three_are_trained_on(
    tiny: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_designs, "space_of", few)
    subject = tiny()
    assert len(space_of(subject.teacher.model).designs()) == 150
    found = small_designs.measure_designs(3, 2, subject)
    ranks = [f"{rank}, {how}" for rank in ("best", "middle", "last") for how in ("inherited", "trained on")]
    assert list(found) == ["designs", *ranks, "best, cut from the teacher"]
    designs = few(None).designs()
    scores = found["designs"].scores
    assert len(scores["first_half"]) == len(scores["second_half"]) == len(designs)
    whole = design_of(subject.teacher.model)
    for name in list(found)[1:]:
        one: Any = found[name]
        design = designs[one.costs["design"]]
        assert design_of(one.model) == design and not one.model.training
        assert design.multiply_adds(32) <= 0.35 * whole.multiply_adds(32)
    best = found["best, inherited"]
    assert best.scores["first_half"] == scores["first_half"][best.costs["design"]]
    assert best.scores["second_half"] == scores["second_half"][best.costs["design"]]
    assert found["best, cut from the teacher"].costs["steps"] == 5


@pytest.mark.parametrize("normalized", [None, True, False])
def test_a_narrow_network_learns_with_ghosts_and_without(
    normalized: bool | None, tiny: Make, tmp_path: Path
) -> None:
    found = small_designs.measure_ghosts(3, normalized, 2, tiny())
    assert {"accuracy", "agreement", "first_half", "second_half"} == found.scores.keys()
    model: Any = found.model
    assert hasattr(model.bert.encoder.layer[0], "ghosts") == (normalized is not None)
    save_packed(model, tmp_path / "model.safetensors")
    packed: Any = load_packed(tmp_path / "model.safetensors")
    weights = packed.bert.encoder.layer[5].output.dense.weight
    assert torch.equal(weights, model.bert.encoder.layer[5].output.dense.weight)
