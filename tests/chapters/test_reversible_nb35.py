"""Reversible layers: inputs come back, gradients are the usual ones, and depth keeps nothing more."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from chapters.nb35 import reversible


def test_the_inputs_come_back_and_the_gradients_are_the_usual_ones() -> None:
    layers = reversible.new_layers(3, size=8)
    x1, x2 = torch.randn(2, 2, 5, 8)
    y1, y2 = reversible.plain_stack(x1, x2, layers)
    with torch.no_grad():
        for f, g in reversed(layers):
            y1, y2 = reversible.reversible_inverse(y1, y2, f, g)
    torch.testing.assert_close(y1, x1, atol=1e-5, rtol=0)
    torch.testing.assert_close(y2, x2, atol=1e-5, rtol=0)
    found = []
    for stack in (reversible.plain_stack, reversible.reversed_stack):
        inputs = x1.clone().requires_grad_(), x2.clone().requires_grad_()
        out1, out2 = stack(*inputs, layers)
        loss = out1.sin().sum() + out2.square().sum()
        found.append(torch.autograd.grad(loss, [*inputs, *layers.parameters()]))
    for usual, reversed_ in zip(*found, strict=True):
        torch.testing.assert_close(reversed_, usual, atol=1e-4, rtol=1e-4)


def test_a_wrong_inverse_gives_other_gradients() -> None:
    def draft(y1: Tensor, y2: Tensor, f: Any, g: Any) -> tuple[Tensor, Tensor]:
        x1 = y1 - f(y2)
        return x1, y2 - g(x1)

    layers = reversible.new_layers(2, size=8)
    x1, x2 = torch.randn(2, 2, 5, 8)
    found = []
    for inverse in (reversible.reversible_inverse, draft):
        y1, y2 = reversible.reversed_stack(x1, x2, layers, inverse)
        found.append(torch.autograd.grad((y1 + y2).square().sum(), list(layers.parameters())))
    assert any((one - other).abs().max() > 0.01 for one, other in zip(*found, strict=True))


def test_bytes_that_are_kept() -> None:
    x1, x2 = torch.randn(2, 2, 5, 8)
    kept = {}
    for count in (2, 4):
        layers = reversible.new_layers(count, size=8)
        for stack in (reversible.plain_stack, reversible.reversed_stack):
            with reversible.KeptBytes(layers) as noted:
                outputs = stack(x1, x2, layers)
            kept[count, stack] = noted.total
            del outputs
    assert kept[2, reversible.reversed_stack] == kept[4, reversible.reversed_stack] == 2 * x1.nbytes
    assert 1.8 < kept[4, reversible.plain_stack] / kept[2, reversible.plain_stack] < 2.2
