"""The pictures of notebook 38: scikit-learn's digits, 8 x 8 pixels, and what is done to them.

Sizes in the comments: B pictures, P pixels a patch's side, N patches.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import Tensor

from chapters.nb38.answers import patches

SIDE, PATCH, CLASSES = 8, 2, 10
TESTED = 500


@dataclass(frozen=True)
class Digits:
    """Handwritten digits, gray from 0 to 1: images float [B, 1, 8, 8], labels int64 [B]."""

    images: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: Tensor | slice) -> Digits:
        return Digits(self.images[rows], self.labels[rows])


def digits() -> tuple[Digits, Digits]:
    """1,297 digits to learn from and 500 to test, in any process the same (Alpaydin and Kaynak, 1998)."""
    bunch = load_digits()
    images = torch.tensor(bunch.images, dtype=torch.float32)[:, None] / 16
    every = Digits(images, torch.tensor(bunch.target))
    order = torch.randperm(len(every), generator=torch.Generator().manual_seed(0))
    return every[order[:-TESTED]], every[order[-TESTED:]]


def some(data: Digits, count: int, seed: int) -> Digits:
    """So many of the pictures, drawn without returning any."""
    return data[torch.randperm(len(data), generator=torch.Generator().manual_seed(seed))[:count]]


def unpatch(pieces: Tensor, side: int) -> Tensor:
    """Patches [B, N, P * P] of square gray pictures back to [B, 1, side, side]."""
    size = round(pieces.shape[-1] ** 0.5)
    return F.fold(pieces.transpose(1, 2), (side, side), kernel_size=size, stride=size)


def shuffled(images: Tensor, size: int, seed: int = 0) -> Tensor:
    """The same patches, for each picture in an order of its own."""
    pieces = patches(images, size)
    drawn = torch.rand(pieces.shape[:2], generator=torch.Generator().manual_seed(seed))
    order = drawn.argsort(dim=1)  # [B, N]
    moved = pieces.gather(1, order[..., None].expand_as(pieces))
    return unpatch(moved, images.shape[-1])


def enlarged(images: Tensor, side: int) -> Tensor:
    """The same pictures with more pixels, [B, 1, side, side]."""
    return F.interpolate(images, size=(side, side), mode="bilinear", align_corners=False)
