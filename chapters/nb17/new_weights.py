"""What notebook 17 asks for: an adapter, and a low-rank update folded into its matrix."""

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


def merge_low_rank(weight: torch.Tensor, a: torch.Tensor, b: torch.Tensor, alpha: float) -> torch.Tensor:
    """weight + alpha / r * b @ a, where r is the number of rows of a."""
    return weight + alpha / len(a) * b @ a
