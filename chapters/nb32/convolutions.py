"""Convolutions whose kernel is fixed, made of one token, or made of a span of tokens.

Light and dynamic convolution are Wu et al.'s (2019), span-based dynamic convolution is ConvBERT's (Jiang et
al., 2020). In all three a head's features share one kernel that softmax normalizes.

Sizes in the comments: B texts, T tokens, D features, H heads, K places of a kernel.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.designs.ghosts import depthwise


def ghost(x: Tensor, kernel: Tensor) -> Tensor:
    """Each feature of x [B, T, D] mixed with its neighbors by its row of kernel [D, K], K odd: [B, T, D]."""
    weights = kernel.softmax(dim=-1)
    channels = x.transpose(1, 2)  # [B, D, T]
    mixed = F.conv1d(channels, weights[:, None], padding=weights.size(1) // 2, groups=len(weights))
    return mixed.transpose(1, 2)


def convolve(values: Tensor, kernels: Tensor) -> Tensor:
    """values [B, T, D], mixed at each place by kernels [B, T, H, K] of its heads, K odd: [B, T, D].

    Beyond both ends there are zeros.
    """
    heads, size = kernels.shape[2:]
    windows = F.pad(values, (0, 0, size // 2, size // 2)).unfold(1, size, 1)  # [B, T, D, K]
    by_head = windows.unflatten(2, (heads, -1))  # [B, T, H, D / H, K]
    return torch.einsum("bthdk,bthk->bthd", by_head, kernels).flatten(2)


class LightConvolution(nn.Module):
    """One kernel a head, the same at every place."""

    def __init__(self, hidden_size: int, heads: int, size: int):
        super().__init__()
        self.value = nn.Linear(hidden_size, hidden_size)
        self.kernel = nn.Parameter(torch.zeros(heads, size))

    def forward(self, hidden: Tensor) -> Tensor:
        return convolve(self.value(hidden), self.kernels(hidden))

    def kernels(self, hidden: Tensor) -> Tensor:
        """[B, T, H, K], of which all are equal in a head."""
        return self.kernel.softmax(dim=-1).expand(*hidden.shape[:2], -1, -1)


class DynamicConvolution(nn.Module):
    """A kernel for each place, made of the token there alone: a token has one kernel wherever it stands."""

    def __init__(self, hidden_size: int, heads: int, size: int):
        super().__init__()
        self.value = nn.Linear(hidden_size, hidden_size)
        self.to_kernel = nn.Linear(hidden_size, heads * size)
        self.heads = heads

    def forward(self, hidden: Tensor) -> Tensor:
        return convolve(self.value(hidden), self.kernels(hidden))

    def kernels(self, hidden: Tensor) -> Tensor:
        """[B, T, H, K], each made of the value at its place."""
        return self.to_kernel(self.value(hidden)).unflatten(2, (self.heads, -1)).softmax(dim=-1)


class SpanConvolution(nn.Module):
    """A kernel for each place, made of the token's query times a key that its neighbors have gone into.

    ConvBERT's code zeroes no padding, so that padding goes into the kernels and values of the last tokens.
    """

    def __init__(self, hidden_size: int, heads: int, size: int):
        super().__init__()
        self.query = nn.Linear(hidden_size, hidden_size)
        self.span = nn.Parameter(torch.randn(hidden_size, size) / size)  # a kernel for each channel
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.to_kernel = nn.Linear(hidden_size, heads * size)
        self.heads = heads

    def forward(self, hidden: Tensor) -> Tensor:
        return convolve(self.value(hidden), self.kernels(hidden))

    def kernels(self, hidden: Tensor) -> Tensor:
        """[B, T, H, K], each made of a span of K tokens around its place."""
        key = self.key(depthwise(hidden, self.span))  # [B, T, D]
        return self.to_kernel(self.query(hidden) * key).unflatten(2, (self.heads, -1)).softmax(dim=-1)
