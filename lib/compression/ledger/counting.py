"""Parameters and multiply-adds, counted while a model runs.

A multiply-add is one product added to a sum; papers that count floating-point operations print two for each.
Lookups, norms, softmax and GELU are left out, as everywhere. How many bits a weight has changes neither
count: the operations of an 8-bit product are cheaper, not fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from lib.bert.hooks import hooked
from lib.compression.quantizers.integers import DynamicIntegerLinear, StaticIntegerLinear

LINEAR = (nn.Linear, DynamicIntegerLinear, StaticIntegerLinear)
#: products of two activations, by PyTorch's name, as how many multiply-adds of their inputs
PRODUCTS: dict[str, Callable[..., int]] = {
    "bmm": lambda left, right, *_: left.numel() * right.size(-1),
    "baddbmm": lambda _, left, right: left.numel() * right.size(-1),
    # [..., T, K] with [..., S, K], then the weights [..., T, S] with [..., S, V]
    "_scaled_dot_product_": lambda query, key, value: (
        query.numel() // query.size(-1) * key.size(-2) * (query.size(-1) + value.size(-1))
    ),
}


class MultiplyAdds(NamedTuple):
    """What one call of a model multiplies: with its weights, and queries with keys, weights with values."""

    linear: int
    attention: int

    @property
    def total(self) -> int:
        return self.linear + self.attention


def unique_parameters(model: nn.Module) -> int:
    """How many numbers a model holds: a tensor that is used twice, such as a tied decoder, counts once."""
    return sum(parameter.numel() for parameter in model.parameters())


def count_multiply_adds(model: nn.Module, call: Callable[[], object]) -> MultiplyAdds:
    """Multiply-adds of one `call` of any model made of `nn.Linear`, ours, altered, or of `transformers`.

    Hooks see each `nn.Linear`, GPT-2's Conv1D too, and what flows through it. They do not see what attention
    multiplies, scores and averages, which belongs to no module: those are PyTorch's own products of two
    activations. What a model multiplies with bare tensors (`lib.compression.parts.left_out`) is not counted.
    """
    counts = {"linear": 0, "attention": 0}

    def count_linear(_module: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        counts["linear"] += inputs[0].numel() * output.size(-1)  # [..., in] gives [..., out]

    class CountProducts(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            options = kwargs or {}
            with self:  # what is made of simpler operations is counted as these
                whole = func.decompose(*args, **options)
            if whole is not NotImplemented:
                return whole
            for product, count in PRODUCTS.items():
                if func.__name__.startswith(product):
                    counts["attention"] += count(*args[:3])
            return func(*args, **options)

    linear = [
        module
        for module in model.modules()
        if isinstance(module, LINEAR) or type(module).__name__ == "Conv1D"
    ]
    with hooked(linear, after=count_linear), CountProducts():
        call()
    return MultiplyAdds(**counts)
