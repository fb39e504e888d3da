"""The answers to the exercises of notebook 38, in plain PyTorch.

Sizes in the comments: B pictures, C channels, H rows and W columns of pixels, P pixels a patch's side,
N patches, D features.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def patches(images: Tensor, size: int) -> Tensor:
    """Cut [B, C, H, W] into patches [B, N, C * P * P], P = size, in reading order (Dosovitskiy et al., 2021).

    A patch lies channel by channel, each row by row, as a flattened weight of Conv2d(C, D, P, stride=P).
    ValueError if P doesn't divide both sides.
    """
    batch, channels, height, width = images.shape
    if height % size or width % size:
        raise ValueError(
            f"Pictures of {height} x {width} can't be cut into patches of {size} x {size}: take a size that"
            " divides both sides, or resize the pictures."
        )
    rows = height // size
    columns = width // size
    cut = images.reshape(batch, channels, rows, size, columns, size)
    cut = cut.permute(0, 2, 4, 1, 3, 5)  # [B, rows, columns, C, P, P]
    return cut.reshape(batch, rows * columns, channels * size * size)


def resize_positions(table: Tensor, new: int) -> Tensor:
    """Positions of an n x n grid [1 + n², D] for one of new x new, [1 + new², D]; row 0 ([CLS]) stays."""
    cls = table[:1]
    places = table[1:]  # [n², D]
    side = math.isqrt(len(places))
    grid = places.T.reshape(1, -1, side, side)  # [1, D, n, n]: as a picture of D channels
    grid = F.interpolate(grid, size=(new, new), mode="bicubic", align_corners=False)
    return torch.cat([cls, grid.flatten(2)[0].T])
