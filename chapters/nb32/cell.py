"""A sketch of AdaBERT's search (Chen et al., 2020): one cell that chooses its operation, at a price.

AdaBERT stacks cells of several nodes and learns from probes of a teacher's layers. Here is one choice of four
operations: its probabilities are trained with the weights, by Gumbel-softmax, and what an operation costs is
added to the loss. No code of AdaBERT is public.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.designs.ghosts import depthwise

#: the operations, and what each costs: the tokens that it looks at
COSTS = {"skip": 1.0, "pool of 3": 3.0, "conv of 3": 3.0, "conv of 5": 5.0}


class Cell(nn.Module):
    """One of four operations on [B, T, D]: in training drawn by Gumbel-softmax, in eval() the likeliest."""

    def __init__(self, hidden_size: int):
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(len(COSTS)))
        self.three = nn.Parameter(torch.randn(hidden_size, 3) / 3)
        self.five = nn.Parameter(torch.randn(hidden_size, 5) / 5)

    def forward(self, x: Tensor, temperature: float = 1.0) -> Tensor:
        average = torch.full_like(self.three, 1 / 3)
        results = [x, depthwise(x, average), depthwise(x, self.three), depthwise(x, self.five)]
        if self.training:  # one-hot going forward, soft going backward
            chosen = F.gumbel_softmax(self.scores, tau=temperature, hard=True)
        else:
            chosen = F.one_hot(self.scores.argmax(), len(COSTS)).to(x.dtype)
        return torch.einsum("o,obtd->btd", chosen, torch.stack(results))

    def price(self) -> Tensor:
        """What the cell costs on average, as it draws now: [], with a gradient to the scores."""
        return self.scores.softmax(dim=-1) @ self.scores.new_tensor([*COSTS.values()])

    def choice(self) -> str:
        """The likeliest operation."""
        return [*COSTS][int(self.scores.argmax())]
