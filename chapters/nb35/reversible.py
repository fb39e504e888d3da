"""Reversible layers (Gomez et al., 2017; in Reformer, Kitaev et al., 2020): inputs computed from outputs.

Two streams pass through a layer: y1 = x1 + f(x2), then y2 = x2 + g(y1). In Reformer f is attention and g
feed-forward. In the backward pass each layer computes its inputs again from its outputs, so none are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

Function = Callable[[Tensor], Tensor]
Layers = Any  # a ModuleList of pairs: f and g of each layer
Inverse = Callable[[Tensor, Tensor, Function, Function], tuple[Tensor, Tensor]]


def reversible_inverse(y1: Tensor, y2: Tensor, f: Function, g: Function) -> tuple[Tensor, Tensor]:
    """The inputs (x1, x2) of a layer with y1 = x1 + f(x2) and y2 = x2 + g(y1), all of one shape [..., D]."""
    x2 = y2 - g(y1)
    x1 = y1 - f(x2)
    return x1, x2


def reversible_forward(x1: Tensor, x2: Tensor, f: Function, g: Function) -> tuple[Tensor, Tensor]:
    """The outputs (y1, y2) of a layer."""
    y1 = x1 + f(x2)
    y2 = x2 + g(y1)
    return y1, y2


def plain_stack(x1: Tensor, x2: Tensor, layers: Layers) -> tuple[Tensor, Tensor]:
    """All layers, each a pair (f, g), with everything kept that the backward pass needs."""
    for f, g in layers:
        x1, x2 = reversible_forward(x1, x2, f, g)
    return x1, x2


class Reversed(torch.autograd.Function):
    """All layers at once: the forward pass keeps the last outputs alone."""

    @staticmethod
    def forward(
        context: Any, x1: Tensor, x2: Tensor, layers: Layers, inverse: Inverse, *_weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Compute without a graph, and keep y1 and y2 of the last layer."""
        y1, y2 = plain_stack(x1, x2, layers)  # autograd.Function.forward keeps no graph
        context.layers, context.inverse = layers, inverse
        context.save_for_backward(y1, y2)
        return y1, y2

    @staticmethod
    def backward(context: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Layer by layer, the last one first: its inputs, then its graph, then its gradients."""
        y1, y2 = context.saved_tensors
        grad1, grad2 = grads
        of_weights: list[Tensor] = []
        for f, g in reversed(context.layers):
            with torch.no_grad():
                x1, x2 = context.inverse(y1, y2, f, g)
            weights = [*f.parameters(), *g.parameters()]
            with torch.enable_grad():
                inputs = x1.detach().requires_grad_(), x2.detach().requires_grad_()
                outputs = reversible_forward(*inputs, f, g)
                found = torch.autograd.grad(outputs, [*inputs, *weights], (grad1, grad2))
            grad1, grad2 = found[:2]
            of_weights = [*found[2:], *of_weights]
            y1, y2 = x1, x2
        return grad1, grad2, None, None, *of_weights


def reversed_stack(
    x1: Tensor, x2: Tensor, layers: Layers, inverse: Inverse = reversible_inverse
) -> tuple[Tensor, Tensor]:
    """As `plain_stack`, but the backward pass computes each layer's inputs again, with `inverse`."""
    weights = [weight for pair in layers for part in pair for weight in part.parameters()]
    y1, y2 = Reversed.apply(x1, x2, layers, inverse, *weights)
    return y1, y2


class SelfAttention(nn.Module):
    """f of a layer: a norm, then attention of one head, [..., T, D] to the same shape."""

    def __init__(self, size: int):
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))

    def forward(self, hidden: Tensor) -> Tensor:
        """Attend to all tokens."""
        normal = self.norm(hidden)
        scores = self.query(normal) @ self.key(normal).mT / hidden.shape[-1] ** 0.5
        return scores.softmax(dim=-1) @ self.value(normal)


def new_layers(count: int, size: int, seed: int = 0) -> Layers:
    """So many layers of random weights, each a pair: attention and feed-forward."""
    torch.manual_seed(seed)
    return nn.ModuleList(nn.ModuleList([SelfAttention(size), feed_forward(size)]) for _ in range(count))


def feed_forward(size: int) -> nn.Sequential:
    """g of a layer: a norm, then two matrices with a GELU between them."""
    return nn.Sequential(nn.LayerNorm(size), nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size))


class KeptBytes:
    """Counts the bytes that the forward pass keeps for the backward pass, weights left out.

    with KeptBytes(layers) as kept: ...; then kept.total
    """

    def __init__(self, module: nn.Module):
        self._known = {weight.data_ptr() for weight in module.parameters()}
        self.total = 0
        self._hooks = torch.autograd.graph.saved_tensors_hooks(self._note, lambda tensor: tensor)

    def _note(self, tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in self._known:
            self._known.add(storage.data_ptr())
            self.total += storage.nbytes()
        return tensor

    def __enter__(self) -> KeptBytes:
        self._hooks.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._hooks.__exit__(*error)
