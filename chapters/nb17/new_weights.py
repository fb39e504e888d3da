"""What notebook 17 asks for: an adapter, and a low-rank update beside its matrix."""

import torch
import torch.nn.functional as F
from torch import nn


class Adapter(nn.Module):
    """hidden + up(gelu(down(hidden))): [..., hidden_size] to [..., hidden_size]; a new one adds nothing."""

    def __init__(self, hidden_size: int, size: int):
        super().__init__()
        self.down = nn.Linear(hidden_size, size)
        self.up = nn.Linear(size, hidden_size)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        return hidden + self.up(F.gelu(self.down(hidden)))


class LoRA(nn.Module):
    """A frozen dense layer plus an update of rank r: [..., in] to [..., out]; a new one adds nothing."""

    def __init__(self, linear: nn.Linear, rank: int):
        super().__init__()
        self.linear = linear
        self.a = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features**0.5)
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) + (x @ self.a.T) @ self.b.T
