"""Three values a weight: TWN, LAT, two bits on disk, TernaryBERT's layout and its loss."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tiny_berts import drawn, ours, theirs
from torch.nn.utils.parametrize import is_parametrized

from lib.compression.quantizers.ternary import (
    TernaryQuantization,
    loss_aware_ternarize,
    ternarize,
)
from lib.compression.quantizers.ternary_bert import round_like_ternary_bert

WEIGHT = drawn(4, 6)


# --- TWN ------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_official_code() -> None:
    """huawei-noah/Pretrained-Language-Model, TernaryBERT/transformer/utils_quant.py, TwnQuantizer."""
    codes, scale = ternarize(WEIGHT)
    assert codes.tolist() == [
        [-1, -1, 0, 0, 1, 1],
        [0, -1, 0, 0, 1, 0],
        [0, 1, 0, 0, 1, 1],
        [1, 0, 1, 0, -1, -1],
    ]
    assert float(scale) == pytest.approx(1.24793541, abs=1e-6)
    _, scales = TernaryQuantization(WEIGHT, groups=None).codes(WEIGHT)
    assert scales.tolist() == pytest.approx([0.95472991, 1.77943969, 1.02173924, 1.72069585], abs=1e-6)


@pytest.mark.parametrize("groups", [1, 2, None])
def test_each_group_of_rows_has_three_values_of_its_own(groups: int | None) -> None:
    rounding = TernaryQuantization(WEIGHT, groups)
    made = rounding(WEIGHT)
    count = 4 if groups is None else groups
    for rows, rounded in zip(WEIGHT.chunk(count), made.chunk(count), strict=True):
        torch.testing.assert_close(rounded, torch.mul(*ternarize(rows)))


# --- LAT ------------------------------------------------------------------------------------------


def test_without_importance_the_numbers_are_those_of_the_released_laq() -> None:
    """huawei-noah/Pretrained-Language-Model, BinaryBERT/transformer/utils_quant.py, LaqQuantizer, 2 bits."""
    _, scale = loss_aware_ternarize(WEIGHT, torch.ones_like(WEIGHT))
    assert float(scale) == pytest.approx(1.30042529, abs=1e-6)
    scales = torch.vmap(loss_aware_ternarize)(WEIGHT, torch.ones_like(WEIGHT))[1]
    assert scales.tolist() == pytest.approx([0.85055971, 1.77943969, 1.02173924, 2.16051126], abs=1e-6)


# --- whole models ---------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [ours, theirs])
def test_the_layout_is_that_of_the_paper(library: Any) -> None:
    model = library()
    round_like_ternary_bert(model)
    for layer in model.bert.encoder.layer:
        assert len(layer.intermediate.dense.weight.unique()) <= 3
        assert len(layer.attention.self.query.weight.unique()) <= 3
    words = model.bert.embeddings.word_embeddings.weight
    assert len(model.bert.pooler.dense.weight.unique()) <= 3 < len(words.unique())
    assert all(len(row.unique()) <= 3 for row in words)
    embeddings = model.bert.embeddings
    for module in (embeddings.position_embeddings, embeddings.token_type_embeddings, model.classifier):
        assert not is_parametrized(module)
