"""Ways of training: what is kept of a run, and what tells the runs of two ways apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from tiny_task import SIZES, tiny_model

from chapters.nb17 import ways_of_training as ways
from lib.records.subject import Subject
from lib.training.finetuning import Recipe
from studies.ways_of_training import STUDY, measure_way

RECIPE = Recipe(epochs=1, batch_size=4, max_length=16)


def test_what_is_kept_of_a_run(tiny: Callable[..., Subject], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "fresh_model", tiny_model)
    found = measure_way(ways.WAYS["low rank"], RECIPE, tiny("reviews"))
    width, layers = SIZES["hidden_size"], SIZES["num_hidden_layers"]
    on_top = width * width + width + 2 * width + 2  # pooler and classifier
    costs = found.costs
    assert costs["trained_weights"] == layers * 2 * 2 * width * ways.RANK + on_top
    assert costs["stored_bytes"] == 4 * costs["trained_weights"] == costs["memory, gradients"]
    parts = ("weights", "gradients", "optimizer", "activations")
    assert costs["memory"] == sum(costs[f"memory, {part}"] for part in parts)
    assert found.scores.keys() == {"accuracy"}


def test_a_run_is_known_by_its_rate_its_size_and_its_recipe() -> None:
    arm: Any = STUDY.arms["reviews"]["adapters"]
    assert isinstance(arm, partial) and arm.args[1] == ways.recipe_of("reviews")
    identity = STUDY.identity("reviews", "adapters")
    assert f"adapters({ways.ADAPTER_SIZE})" in identity
    assert "rate=10" in identity and "epochs=4" in identity and "precision='bf16'" in identity
    assert str(ways.LAYER_DECAY) in STUDY.identity("reviews", "layer rates")
