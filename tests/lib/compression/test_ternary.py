"""Three values a weight: TWN, LAT, two bits on disk, TernaryBERT's layout and its loss."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch
from tiny_berts import ours, theirs
from torch import Tensor
from torch.nn.utils.parametrize import is_parametrized

from lib.compression.distillation.losses import SoftCrossEntropy
from lib.compression.quantizers.ternary import (
    TernaryQuantization,
    loss_aware_step,
    loss_aware_ternarize,
    ternarize,
    ternary_product,
)
from lib.compression.quantizers.ternary_bert import round_like_ternary_bert


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


WEIGHT = drawn(4, 6)


def restored(codes: Tensor, scale: Tensor) -> Tensor:
    return codes * scale


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


def test_inv_three_values_the_scale_is_above_the_mean_size_and_scales_with_the_weight() -> None:
    codes, scale = ternarize(WEIGHT)
    assert codes.dtype == torch.int8 and set(codes.flatten().tolist()) == {-1, 0, 1}
    assert scale >= WEIGHT.abs().mean()
    again, larger = ternarize(4 * WEIGHT)
    assert torch.equal(again, codes) and larger == 4 * scale
    assert torch.equal(ternarize(-WEIGHT)[0], -codes)


def test_a_weight_on_the_threshold_becomes_0_and_a_matrix_of_zeros_stays() -> None:
    codes, scale = ternarize(torch.tensor([[7.0, -13.0, 10.0, -10.0]]))  # mean 10, threshold 7
    assert codes.tolist() == [[0, -1, 1, -1]] and scale == 11
    codes, scale = ternarize(torch.zeros(2, 3))
    assert not codes.any() and scale == 0


@pytest.mark.parametrize("groups", [1, 2, None])
def test_each_group_of_rows_has_three_values_of_its_own(groups: int | None) -> None:
    rounding = TernaryQuantization(WEIGHT, groups)
    made = rounding(WEIGHT)
    count = 4 if groups is None else groups
    for rows, rounded in zip(WEIGHT.chunk(count), made.chunk(count), strict=True):
        torch.testing.assert_close(rounded, restored(*ternarize(rows)))


# --- LAT ------------------------------------------------------------------------------------------


def test_without_importance_the_numbers_are_those_of_the_released_laq() -> None:
    """huawei-noah/Pretrained-Language-Model, BinaryBERT/transformer/utils_quant.py, LaqQuantizer, 2 bits."""
    _, scale = loss_aware_ternarize(WEIGHT, torch.ones_like(WEIGHT))
    assert float(scale) == pytest.approx(1.30042529, abs=1e-6)
    scales = torch.vmap(loss_aware_ternarize)(WEIGHT, torch.ones_like(WEIGHT))[1]
    assert scales.tolist() == pytest.approx([0.85055971, 1.77943969, 1.02173924, 2.16051126], abs=1e-6)


def weighted_error(weight: Tensor, importance: Tensor, codes: Tensor, scale: Any) -> float:
    return float((importance * (weight - scale * codes).square()).sum())


def test_inv_no_round_makes_the_weighted_error_larger() -> None:
    weight, importance = drawn(30, 40), drawn(30, 40, seed=1).abs()
    scale: Any = 3.0
    errors = []
    for _ in range(8):
        codes, scale = loss_aware_step(weight, importance, scale)
        errors.append(weighted_error(weight, importance, codes, scale))
    assert all(after <= before + 1e-4 for before, after in pairwise(errors))
    assert errors[-1] < weighted_error(weight, importance, *ternarize(weight))


def test_the_scale_is_the_best_for_its_codes() -> None:
    importance = drawn(4, 6, seed=2).abs()
    codes, scale = loss_aware_step(WEIGHT, importance, 1.0)
    assert torch.equal(codes != 0, WEIGHT.abs() > 0.5)
    least = weighted_error(WEIGHT, importance, codes, scale)
    for other in (0.99, 1.01):
        assert weighted_error(WEIGHT, importance, codes, other * scale) > least


def test_importances_as_small_as_adams_are_enough_and_none_gives_a_scale_of_0() -> None:
    _, scale = loss_aware_step(WEIGHT, torch.full_like(WEIGHT, 1e-12), 1.0)
    torch.testing.assert_close(scale, loss_aware_step(WEIGHT, torch.ones_like(WEIGHT), 1.0)[1])
    assert loss_aware_step(WEIGHT, torch.zeros_like(WEIGHT), 1.0)[1] == 0
    codes, scale = loss_aware_step(WEIGHT, torch.ones_like(WEIGHT), 100.0)
    assert not codes.any() and scale == 0


# --- products -------------------------------------------------------------------------------------


def test_a_product_is_sums_and_differences() -> None:
    codes, scale = ternarize(WEIGHT)
    x = drawn(5, 6, seed=3)
    product = ternary_product(x, codes, scale)
    assert product.dtype == x.dtype
    torch.testing.assert_close(product, x @ restored(codes, scale).T)
    assert not ternary_product(x, torch.zeros(2, 6, dtype=torch.int8), 3.0).any()


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


# --- TernaryBERT's loss ---------------------------------------------------------------------------


def test_the_soft_cross_entropy_is_that_of_the_official_code() -> None:
    """huawei-noah/Pretrained-Language-Model, TernaryBERT/quant_task_glue.py, soft_cross_entropy."""
    generator = torch.Generator().manual_seed(0)
    torch.randn(4, 6, generator=generator)
    taught, own = (torch.randn(2, 3, generator=generator) for _ in range(2))
    found = SoftCrossEntropy()(own, taught) / 3  # its mean is over classes too
    assert float(found.mean()) == pytest.approx(0.47868362, abs=1e-6)
