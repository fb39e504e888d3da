"""The table of words as a chain of three small tensors: a tensor train (Oseledets, 2011)."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert.factors import main_directions

#: 40 * 24 * 32 rows, and what is left of them is padding; 6 * 8 * 8 = 384 columns
ROWS, COLUMNS = (40, 24, 32), (6, 8, 8)


def tensor_train_numbers(rank: int) -> int:
    """How many numbers the three tensors hold."""
    first, second, third = (row * column for row, column in zip(ROWS, COLUMNS, strict=True))
    return first * rank + rank * second * rank + rank * third


@torch.no_grad()
def through_a_tensor_train(table: Tensor, rank: int) -> Tensor:
    """What three tensors [240, rank], [rank, 192, rank], [rank, 256] make of a table [V, 384], cut in steps.

    The number of a word becomes three digits, and so does that of a feature: the first tensor reads the first
    digits of both, and so on.
    """
    padded = F.pad(table, (0, 0, 0, math.prod(ROWS) - len(table)))
    cube = padded.view(*ROWS, *COLUMNS).permute(0, 3, 1, 4, 2, 5).reshape(ROWS[0] * COLUMNS[0], -1)
    first = main_directions(cube.T, rank)  # [240, rank]
    rest = (first.T @ cube).reshape(-1, ROWS[2] * COLUMNS[2])  # [rank * 192, 256]
    last = main_directions(rest, rank)  # [256, rank]
    rest = (rest @ last) @ last.T
    restored = (first @ rest.reshape(first.size(1), -1)).view(
        ROWS[0], COLUMNS[0], ROWS[1], COLUMNS[1], ROWS[2], COLUMNS[2]
    )
    return restored.permute(0, 2, 4, 1, 3, 5).reshape(math.prod(ROWS), -1)[: len(table)]
