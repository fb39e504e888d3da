"""Q-BERT: curvature by layer, bits dealt out by it, groups with ranges of their own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours, theirs
from torch import Tensor
from torch.nn.utils.parametrize import is_parametrized

from lib.analysis.landscape.curvature import Hessian, top_eigenvalue
from lib.compression.parts import by_layer
from lib.compression.quantizers.curvature_bits import (
    bits_by_rank,
    layer_eigenvalues,
    layer_sensitivity,
    quantize_layers,
)
from lib.compression.quantizers.fake import LinearQuantization

EIGENVALUES = torch.tensor([[1.0, 3.0], [-6.0, -4.0], [2.0, 2.0], [0.0, 9.0]])


def test_the_most_sensitive_layers_get_the_most_bits() -> None:
    assert bits_by_rank(layer_sensitivity(EIGENVALUES), [2, 4, 2, 4]) == [2, 4, 2, 4]
    assert bits_by_rank(torch.tensor([0.1, 0.3, 0.2]), [2, 3, 4]) == [2, 4, 3]
    reversed_order = bits_by_rank(-layer_sensitivity(EIGENVALUES), [4, 4, 2, 2])
    assert reversed_order == [4, 2, 4, 2]


def test_of_equally_sensitive_layers_the_lower_one_comes_first() -> None:
    assert bits_by_rank(torch.ones(3), [2, 8, 4]) == [8, 4, 2]


@pytest.mark.parametrize(
    "call", [lambda: bits_by_rank(torch.ones(3), [4, 2]), lambda: quantize_layers(ours(), [4, 4, 4])]
)
def test_as_many_numbers_of_bits_as_layers(call: Any) -> None:
    with pytest.raises(ValueError, match="give one for each"):
        call()


def in_groups_by_hand(weight: Tensor, groups: int, bits: int) -> Tensor:
    """Q-BERT's ranges in plain loops: consecutive outputs share one, asymmetric, with a whole zero point."""
    made, height = weight.clone(), len(weight) // groups
    for group in range(groups):
        rows = range(group * height, (group + 1) * height)
        numbers = [float(w) for row in rows for w in weight[row]]
        lowest, highest = min(0.0, *numbers), max(0.0, *numbers)
        scale = (highest - lowest) / (2**bits - 1)
        zero = round(-lowest / scale)
        for row in rows:
            for column in range(weight.size(1)):
                code = min(max(round(float(weight[row, column]) / scale) + zero, 0), 2**bits - 1)
                made[row, column] = scale * (code - zero)
    return made


@pytest.mark.parametrize("groups", [1, 2, 4, 8])
@pytest.mark.parametrize("bits", [2, 3, 4])
def test_the_numbers_of_a_group_are_those_of_the_formula(groups: int, bits: int) -> None:
    weight = torch.randn(8, 5, generator=torch.Generator().manual_seed(bits))
    made = LinearQuantization(weight, bits, groups, "asymmetric")(weight)
    torch.testing.assert_close(made, in_groups_by_hand(weight, groups, bits), rtol=0, atol=1e-6)


@pytest.mark.parametrize("library", [ours, theirs])
def test_each_layer_has_its_bits_and_nothing_else_is_quantized(library: Any) -> None:
    model = library()
    quantize_layers(model, [4, 2])
    first, second = by_layer(model).values()
    for bits, paths in ((4, first), (2, second)):
        for path in paths:
            assert len(model.get_submodule(path).weight[0].unique()) <= 2**bits
    assert not is_parametrized(model.bert.embeddings.word_embeddings)


def test_curvature_of_a_layer_is_that_of_its_matrices_on_each_subset() -> None:
    model = ours()
    subsets = [batch_of(4), batch_of(6)]
    found = layer_eigenvalues(model, subsets, tolerance=0.0, most_iterations=5)
    assert found.shape == (2, 2)
    for layer, paths in enumerate(by_layer(model).values()):
        parameters = {
            name: p for name, p in model.named_parameters() if name.removesuffix(".weight") in paths
        }
        assert len(parameters) == 6
        for number, subset in enumerate(subsets):
            expected = top_eigenvalue(Hessian(model, [subset], parameters), 0.0, 5).value
            assert float(found[layer, number]) == pytest.approx(expected, rel=1e-4)
