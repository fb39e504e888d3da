"""One bit a weight, a ternary weight as the sum of two binary ones, and products by counting bits."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tiny_berts import batch_of, drawn, ours, theirs
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


# --- the split ------------------------------------------------------------------------------------


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


def test_a_matrix_without_zeros_and_one_of_zeros_are_split_as_well() -> None:
    for weight in (torch.tensor([[1.0, -1.0], [1.0, 1.0]]), torch.zeros(2, 3)):
        first, second = split_ternary(weight.double())
        torch.testing.assert_close(binary(first) + binary(second), ternary(weight.double()))


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
