"""Attention that computes fewer pairs, instead of hiding them from a table of all pairs.

Sizes in the comments: B texts, H heads, T tokens, K features a head, C tokens a block, N = T / C blocks.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb34.masks import log_sparse_places


def local_attention(query: Tensor, key: Tensor, value: Tensor, window: int) -> Tensor:
    """Each token looks at those at most `window` places away: [B, H, T, K] to [B, H, T, K].

    Equal to attention with such a mask, without its table of all pairs: each block of `window` tokens meets
    its own keys and those of the block on either side (Longformer; Beltagy et al., 2020). T is a multiple of
    `window`, which is at least 1.
    """
    batch, heads, length, size = query.shape
    if window < 1 or length % window:
        raise ValueError(
            f"{length} tokens can't be cut into blocks of {window}: pad them to a multiple of the window, "
            "which is at least 1."
        )
    blocks = length // window
    padded_keys = F.pad(key, (0, 0, window, window))  # a block of zeros on both sides
    padded_values = F.pad(value, (0, 0, window, window))
    keys = padded_keys.unfold(2, 3 * window, window).transpose(-1, -2)  # [B, H, N, 3C, K]
    values = padded_values.unfold(2, 3 * window, window).transpose(-1, -2)
    place = torch.arange(length).view(blocks, window, 1)  # of each query
    seen = torch.arange(-window, 2 * window) + torch.arange(0, length, window).view(blocks, 1, 1)
    mask = ((place - seen).abs() <= window) & (seen >= 0) & (seen < length)  # [N, C, 3C]
    rows = batch * heads * blocks  # all folded into one batch, for which the fused kernel is fast
    output = F.scaled_dot_product_attention(
        query.reshape(rows, 1, window, size),
        keys.reshape(rows, 1, 3 * window, size),
        values.reshape(rows, 1, 3 * window, size),
        mask.repeat(batch * heads, 1, 1)[:, None],
    )
    return output.view(batch, heads, length, size)


def segment_attention(query: Tensor, key: Tensor, value: Tensor, size: int) -> Tensor:
    """Each segment of `size` tokens is read alone, as a row of the batch: [B, H, T, K] to [B, H, T, K]."""
    if size < 1 or query.shape[2] % size:
        raise ValueError(
            f"{query.shape[2]} tokens can't be cut into segments of {size}: pad them to a multiple of it."
        )
    rows = (-1, 1, size, query.shape[-1])  # a row for each segment of each head
    output = F.scaled_dot_product_attention(query.reshape(rows), key.reshape(rows), value.reshape(rows))
    return output.view(query.shape)


def gathered_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Log-sparse attention (Li et al., 2019): each token copies its few keys together, [B, H, T, K]."""
    length, size = query.shape[-2:]
    rows = [log_sparse_places(place) for place in range(length)]
    most = max(map(len, rows))
    places = torch.tensor([row + [0] * (most - len(row)) for row in rows])  # [T, M]
    there = torch.tensor([[True] * len(row) + [False] * (most - len(row)) for row in rows])
    keys, values = key[:, :, places], value[:, :, places]  # [B, H, T, M, K]
    scores = (query[:, :, :, None] * keys).sum(-1) * size**-0.5  # [B, H, T, M]
    weights = scores.masked_fill(~there, -torch.inf).softmax(-1)
    return (weights[..., None] * values).sum(-2)
