"""One step of a network that learns at several sizes: their gradients are added before the weights move."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


def step_at_sizes(
    optimizer: torch.optim.Optimizer, run: Callable[[Any], Tensor], target: Tensor, chosen: Sequence[Any]
) -> list[float]:
    """One step on one batch at several sizes: the loss of each size, before the weights move once.

    run(size) gives the student's logits [B, C] at a size, target [B, C] are the teacher's probabilities.
    """
    losses = []
    optimizer.zero_grad()
    for size in chosen:
        loss = F.kl_div(run(size).log_softmax(dim=-1), target, reduction="batchmean")
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses
