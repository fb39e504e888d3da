"""A few new weights for a model whose own stay as they are: adapters and low-rank updates.

Which weights learn is not decided here: a training loop chooses the parameters it is given
(`lib.bert.added.added_parameters` names the new ones). Both work on our models and on `transformers`':

    for path in layer_paths(model, "attention.output") + layer_paths(model, "output"):
        add_adapter(model, path, size=16)
    for path in layer_paths(model, "attention.self.query"):
        parametrize(model, path, "LoRA", rank=8)
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import alteration, parametrization
from lib.bert.attached import Attached, attach
from lib.bert.surgery import module_with


class Adapter(Attached):
    """Down to a few features, GELU, up again, added to what came in: [..., D] to [..., D].

    After Houlsby et al. (2019, section 2.1), whose weights all start near 0. Here `up` starts at 0, so that a
    new adapter returns what came in to the bit, and `down` at random, so that `up` has a gradient.
    """

    def __init__(self, hidden_size: int, size: int):
        super().__init__()
        if size < 1:
            raise ValueError(f"An adapter of {size} features: give 1 or more.")
        self.down = nn.Linear(hidden_size, size)
        self.up = nn.Linear(size, hidden_size)
        nn.init.trunc_normal_(self.down.weight, std=0.01, a=-0.02, b=0.02)
        for start in (self.down.bias, self.up.weight, self.up.bias):
            nn.init.zeros_(start)

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.up(F.gelu(self.down(hidden)))

    def after_dropout(self, _dropout: nn.Module, _inputs: Any, update: Tensor) -> Tensor:
        return self(update)


@alteration
def add_adapter(model: nn.Module, path: str, size: int) -> None:
    """Put an `Adapter` of this size into the module at `path`, just before its residual is added.

    The module has a dense layer, a dropout and a LayerNorm, as `AddAndNorm` does: Houlsby et al. have two a
    layer, at `attention.output` and at `output`. It becomes the child `adapter` there.
    """
    half = module_with(model, path, "dense", "dropout", "LayerNorm")
    weight: Tensor = half.LayerNorm.weight
    adapter = Adapter(len(weight), size)
    attach(half, "adapter", adapter, like=weight)
    adapter.handles = (half.dropout.register_forward_hook(adapter.after_dropout),)


def merge_low_rank(weight: Tensor, a: Tensor, b: Tensor, alpha: float) -> Tensor:
    """A matrix plus an update of rank r: weight + alpha / r * b @ a (Hu et al., 2022, equation 3).

    weight [out, in], a [r, in], b [out, r]. ValueError if the shapes do not fit.
    """
    if a.dim() != 2 or weight.shape != (len(b), a.size(1)) or b.shape[1:] != a.shape[:1]:
        raise ValueError(
            f"weight, a and b have the shapes {list(weight.shape)}, {list(a.shape)}, {list(b.shape)}: "
            "give [out, in], [r, in] and [out, r]."
        )
    return weight + alpha / len(a) * b @ a


@parametrization
class LoRA(nn.Module):
    """A matrix plus an update of low rank: W + alpha / rank * b @ a (Hu et al., 2022, section 4.1).

    `b` [out, rank] starts at 0 and `a` [rank, in] at random, so that at first nothing is added. alpha is
    `rank` if not given. The sum is computed once a call, not for each token; `simplify` makes it permanent.
    """

    def __init__(self, weight: Tensor, rank: int, alpha: float | None = None):
        super().__init__()
        if weight.dim() != 2:
            raise ValueError(f"A tensor of shape {list(weight.shape)} has no low-rank update: name a matrix.")
        outputs, inputs = weight.shape
        if not 1 <= rank <= min(weight.shape):
            raise ValueError(f"A rank of {rank}: give one from 1 to {min(weight.shape)}.")
        self.alpha = rank if alpha is None else alpha
        self.a = nn.Parameter(torch.empty(rank, inputs, dtype=weight.dtype))
        self.b = nn.Parameter(torch.zeros(outputs, rank, dtype=weight.dtype))
        nn.init.normal_(self.a, std=inputs**-0.5)

    def forward(self, weight: Tensor) -> Tensor:
        return merge_low_rank(weight, self.a, self.b, self.alpha)
