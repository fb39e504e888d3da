"""One bit a weight, a ternary weight as the sum of two binary ones, and products by counting bits."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours, theirs
from torch import Tensor

from lib.bert.alterations import parametrize
from lib.compression.parts import left_out, paths_of
from lib.compression.quantizers.binary import (
    BinaryQuantization,
    BinarySum,
    binarize,
    pack_signs,
    split_ternary,
    xnor_dot,
    xnor_product,
)
from lib.compression.quantizers.model import quantize_inputs
from lib.compression.quantizers.ternary import TernaryQuantization, ternarize
from lib.compression.quantizers.ternary_bert import round_like_ternary_bert, split_ternary_weights


def drawn(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


WEIGHT = drawn(4, 6)


def binary(weight: Tensor) -> Tensor:
    signs, scale = binarize(weight)
    return signs * scale


def ternary(weight: Tensor) -> Tensor:
    codes, scale = ternarize(weight)
    return codes * scale


# --- BWN ------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_official_code() -> None:
    """huawei-noah/Pretrained-Language-Model, BinaryBERT/transformer/utils_quant.py, BwnQuantizer."""
    signs, scale = binarize(WEIGHT)
    assert signs.dtype == torch.int8 and torch.equal(signs, WEIGHT.sign().to(torch.int8))
    assert float(scale) == pytest.approx(0.79181522, abs=1e-6)
    _, scales = BinaryQuantization(WEIGHT, groups=None).signs(WEIGHT)
    assert scales.flatten().tolist() == pytest.approx(
        [0.75056285, 0.79445845, 0.58112603, 1.04111385], abs=1e-6
    )


def test_inv_two_values_and_0_is_positive() -> None:
    weight = torch.tensor([[0.0, -2.0], [4.0, 0.0]])
    signs, scale = binarize(weight)
    assert signs.tolist() == [[1, -1], [1, 1]] and scale == 1.5
    assert torch.equal(binary(torch.zeros(2, 2)), torch.zeros(2, 2))


def test_the_scale_is_the_best_for_its_signs() -> None:
    signs, scale = binarize(WEIGHT)
    least = (WEIGHT - scale * signs).square().sum()
    assert all((WEIGHT - factor * scale * signs).square().sum() > least for factor in (0.99, 1.01))


# --- the split ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_inv_the_two_add_up_to_the_weight_and_their_binary_values_to_the_ternary_one(seed: int) -> None:
    weight = drawn(20, 30, seed=seed).double()
    first, second = split_ternary(weight)
    torch.testing.assert_close(first + second, weight, rtol=0, atol=1e-15)
    torch.testing.assert_close(binary(first) + binary(second), ternary(weight), rtol=0, atol=1e-14)
    scale = ternarize(weight)[1]
    for half in (first, second):
        assert float(binarize(half)[1]) == pytest.approx(float(scale) / 2, rel=1e-12)


def test_the_numbers_of_the_split_are_those_of_the_official_code() -> None:
    """huawei-noah/Pretrained-Language-Model, BinaryBERT/transformer/binary_model_init.py, tws_split."""
    first, second = split_ternary(WEIGHT.double())
    expected = [-0.5931676626205444, -0.6071403622627258, 0.49758562445640564, 0.49758562445640564]
    assert first[0, :4].tolist() == pytest.approx(expected, abs=1e-6)
    expected = [0.9486228227615356, -0.49758562445640564, 0.2924230992794037, -0.9103878140449524]
    assert second[3, :4].tolist() == pytest.approx(expected, abs=1e-6)
    rows, _ = BinarySum(WEIGHT, groups=None).right_inverse(WEIGHT)
    expected = [0.7387359738349915, -0.9802191853523254, 1.2068324089050293, 0.7387359738349915]
    assert rows[1, :4].tolist() == pytest.approx(expected, abs=1e-6)


def split_as_printed(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The formula in print: in the share, the sums of positive and negative small weights are exchanged."""
    codes, scale = ternarize(weight)
    is_zero = codes == 0
    kept, small = weight.abs()[~is_zero].sum(), weight[is_zero]
    share = (kept + small.clamp(min=0).sum() - small.clamp(max=0).abs().sum()) / (2 * kept)
    shift = (weight.numel() * scale - weight.abs().sum()) / (2 * is_zero.sum())
    first = torch.where(is_zero, weight.clamp(min=0) + shift, share * weight)
    return first, weight - first


def test_the_printed_formula_fails() -> None:
    weight = drawn(20, 30).double()
    first, second = split_as_printed(weight)
    torch.testing.assert_close(first + second, weight)
    assert (binary(first) + binary(second) - ternary(weight)).abs().max() > 1e-3


def test_a_matrix_without_zeros_and_one_of_zeros_are_split_as_well() -> None:
    for weight in (torch.tensor([[1.0, -1.0], [1.0, 1.0]]), torch.zeros(2, 3)):
        first, second = split_ternary(weight.double())
        torch.testing.assert_close(binary(first) + binary(second), ternary(weight.double()))


def test_both_latent_weights_learn_from_the_same_gradient() -> None:
    first, second = (half.detach().requires_grad_() for half in split_ternary(WEIGHT))
    (BinarySum(WEIGHT)(first, second) * drawn(4, 6, seed=1)).sum().backward()
    assert first.grad is not None and second.grad is not None
    assert torch.equal(first.grad, drawn(4, 6, seed=1)) and torch.equal(first.grad, second.grad)


# --- whole models ---------------------------------------------------------------------------------


@pytest.mark.parametrize("library", [ours, theirs])
def test_a_ternary_model_that_is_split_answers_as_before(library: Any) -> None:
    model = library()
    round_like_ternary_bert(model)
    quantize_inputs(model, 8, per="tensor")
    before = model(**batch_of()).logits
    split_ternary_weights(model)
    torch.testing.assert_close(model(**batch_of()).logits, before, rtol=0, atol=1e-5)
    dense = model.bert.encoder.layer[0].output.dense
    halves = [dense.parametrizations.weight.original0, dense.parametrizations.weight.original1]
    assert all(len(binary(half).unique()) == 2 for half in halves)
    assert not any(
        name.startswith("bert.encoder.layer.0.output.dense.param")
        for name in left_out(model, paths_of(model))
    )


def test_what_cannot_be_split_is_said_and_nothing_is_changed() -> None:
    model = ours()
    with pytest.raises(ValueError, match="has no ternary weights"):
        split_ternary_weights(model)
    dense = model.bert.encoder.layer[0].output.dense
    with torch.no_grad():
        dense.weight.fill_(0.6)
        dense.weight[:, :3] = -3.4
    parametrize(model, "bert.encoder.layer.0.output.dense", "TernaryQuantization")
    with pytest.raises(ValueError, match="nearly all of one sign"):
        split_ternary_weights(model)
    assert isinstance(dense.parametrizations.weight[0], TernaryQuantization)


# --- products of signs ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 8, 13, 64, 600, 5000])
def test_counting_bits_gives_the_dot_product(count: int) -> None:
    a, b = drawn(3, count, seed=1), drawn(2, count, seed=2)
    expected = torch.where(a >= 0, 1, -1) @ torch.where(b >= 0, 1, -1).T
    packed = pack_signs(a), pack_signs(b)
    assert torch.equal(xnor_product(*packed, count), expected.to(torch.int32))
    assert xnor_dot(packed[0][2], packed[1][1], count) == expected[2, 1]
    assert xnor_dot(packed[0][0], ~packed[0][0], count) == -count  # padding too differs, and does not count
