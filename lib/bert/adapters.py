"""A few new weights for a model whose own stay as they are: adapters and low-rank updates.

Which weights learn is not decided here: a training loop chooses the parameters it is given.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import alteration, module_at, parametrization
from lib.bert.attention import AddAndNorm


class Adapter(nn.Module):
    """Down to a few features, GELU, up again, added to what came in: [..., D] to [..., D].

    Its weights start near 0, so that at first hardly anything is added (Houlsby et al., 2019, section 2.1).
    """

    def __init__(self, hidden_size: int, size: int):
        super().__init__()
        self.down = nn.Linear(hidden_size, size)
        self.up = nn.Linear(size, hidden_size)
        for linear in (self.down, self.up):
            nn.init.trunc_normal_(linear.weight, std=0.01, a=-0.02, b=0.02)
            nn.init.zeros_(linear.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.up(F.gelu(self.down(hidden)))


@alteration
def add_adapter(model: nn.Module, path: str, size: int) -> None:
    """Put an `Adapter` of this size into the `AddAndNorm` at `path`, just before its residual is added.

    Houlsby et al. have two a layer: at `attention.output` and at `output`. The names of all other tensors
    stay what they were.
    """
    half = module_at(model, path, AddAndNorm)
    weight = half.LayerNorm.weight
    adapter = Adapter(len(weight), size).to(weight.device)
    half.dropout = nn.Sequential(half.dropout, adapter).train(half.training)  # type: ignore[assignment]


@parametrization
class LoRA(nn.Module):
    """A matrix plus an update of low rank: W + alpha / rank * up @ down (Hu et al., 2022, section 4.1).

    `up` [out, rank] starts at 0 and `down` [rank, in] at random, so that at first nothing is added. alpha is
    `rank` if not given. The sum is computed once a call, not for each token; `simplify` makes it permanent.
    """

    def __init__(self, weight: Tensor, rank: int, alpha: float | None = None):
        super().__init__()
        outputs, inputs = weight.shape
        if not 1 <= rank <= min(weight.shape):
            raise ValueError(f"A rank of {rank}: give one from 1 to {min(weight.shape)}.")
        self.scale = (rank if alpha is None else alpha) / rank
        self.down = nn.Parameter(torch.empty(rank, inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))
        nn.init.normal_(self.down, std=inputs**-0.5)

    def forward(self, weight: Tensor) -> Tensor:
        return weight + self.scale * self.up @ self.down
