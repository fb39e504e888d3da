"""Convolutions with kernels of three kinds, and a cell that chooses."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb32.cell import COSTS, Cell
from chapters.nb32.convolutions import (
    DynamicConvolution,
    LightConvolution,
    SpanConvolution,
    convolve,
)


def waves(step: float, *shape: int) -> Tensor:
    """Numbers that any program writes alike."""
    return torch.arange(torch.Size(shape).numel()).mul(step).sin().view(shape)


X = waves(0.7, 2, 5, 8)


def set_all(module: nn.Module, first: int, *names: str) -> None:
    """Weights from number `first` on of those that the released modules were given."""
    for number, name in enumerate(names, start=first):
        parameter = module.get_parameter(name)
        parameter.data = waves(0.3 + 0.1 * number, *parameter.shape)


def dense(first: int, size: int = 8) -> nn.Linear:
    linear = nn.Linear(size, size)
    set_all(linear, first, "weight", "bias")
    return linear


def test_inv_a_one_hot_kernel_is_the_identity_or_a_neighbor() -> None:
    middle, left = (F.one_hot(torch.tensor(place), 3).float().expand(2, 5, 2, 3) for place in (1, 0))
    assert torch.equal(convolve(X, middle), X)
    assert torch.equal(convolve(X, left)[:, 1:], X[:, :-1])
    assert not convolve(X, left)[:, 0].any()  # beyond the ends there are zeros


def test_light_and_dynamic_are_those_of_the_released_code() -> None:
    """fairseq/modules/lightweight_convolution.py and dynamic_convolution.py of mit-han-lab/lite-transformer.

    With padding_l=1, weight_softmax and with_linear: three features of the first place, and of the last.
    """
    light = LightConvolution(8, 2, 3)
    set_all(light, 0, "kernel", "value.weight", "value.bias")
    out = dense(3)(light(X))
    assert out[0, 0, :3].tolist() == pytest.approx([2.774604, 0.633619, -1.791009], abs=2e-6)
    assert out[1, 4, :3].tolist() == pytest.approx([2.239738, 1.287973, -1.141633], abs=2e-6)
    dynamic = DynamicConvolution(8, 2, 3)
    set_all(dynamic, 0, "to_kernel.weight", "value.weight", "value.bias")
    nn.init.zeros_(dynamic.to_kernel.bias)
    out = dense(3)(dynamic(X))
    assert out[0, 0, :3].tolist() == pytest.approx([0.440374, 0.314766, 0.487423], abs=2e-6)
    assert out[1, 4, :3].tolist() == pytest.approx([3.249393, 1.782849, -2.064685], abs=2e-6)


def test_the_span_based_one_is_that_of_convbert() -> None:
    """`ConvBertSelfAttention` of transformers, as model/modeling.py of yitu-opensource/ConvBert has it.

    There half of the features are the convolution's, so its dense layers lead from eight features to four.
    """
    span = SpanConvolution(8, 2, 3)
    span.query, span.key, span.value = (nn.Linear(8, 4) for _ in range(3))
    span.to_kernel = nn.Linear(4, 6)
    set_all(span, 0, "query.weight", "query.bias")
    set_all(span, 6, "key.bias", "span", "key.weight", "to_kernel.weight", "to_kernel.bias")
    set_all(span, 11, "value.weight", "value.bias")
    out = span(X)
    assert out[0, 0].tolist() == pytest.approx([-0.941901, 0.628159, 0.002275, -0.001531], abs=2e-6)
    assert out[1, 4].tolist() == pytest.approx([-0.020129, 0.805816, 0.240600, -0.748049], abs=2e-6)


def test_inv_only_a_span_makes_the_kernel_depend_on_neighbors() -> None:
    """The same token at place 2, and another one at its left."""
    torch.manual_seed(0)
    other = X.clone()
    other[:, 1] += 1
    for kind, depends in ((LightConvolution, False), (DynamicConvolution, False), (SpanConvolution, True)):
        layer = kind(8, 2, 3)
        before, after = layer.kernels(X), layer.kernels(other)
        assert before.shape == (2, 5, 2, 3) and torch.allclose(before.sum(-1), torch.ones(2, 5, 2))
        assert torch.allclose(before[:, 2], after[:, 2]) != depends


def test_a_cell_draws_one_operation_and_both_learn() -> None:
    torch.manual_seed(0)
    cell = Cell(8)
    seen = [cell(X) for _ in range(40)]
    assert any(torch.equal(one, X) for one in seen)  # skip
    cell(X).square().sum().backward()
    assert cell.scores.grad is not None and cell.scores.grad.any()
    cell.eval()
    assert torch.equal(cell(X), X) and cell.choice() == "skip"  # the first of equal scores


def test_inv_a_high_price_drives_the_choice_to_the_cheapest() -> None:
    torch.manual_seed(0)
    cell = Cell(8)
    cell.scores.data = torch.tensor([-1.0, 0.0, 0.0, 2.0])
    assert cell.choice() == "conv of 5" and cell.price() > 4
    optimizer = torch.optim.Adam([cell.scores], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        cell.price().mul(100).backward()
        optimizer.step()
    assert cell.choice() == min(COSTS, key=COSTS.__getitem__) == "skip"
    assert cell.price().item() == pytest.approx(1, abs=0.1)
