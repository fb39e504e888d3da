"""Lite Transformer's long-short range attention: half of the features each way (Wu et al., 2020)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from chapters.nb32.convolutions import LightConvolution
from lib.bert.attention import SelfAttention
from lib.bert.config import BertConfig


class TwoBranches(nn.Module):
    """The first half of the features goes through attention, the second through a convolution, side by side.

    Attention sees the whole text, the convolution `size` tokens around each. A dense layer ends each branch.
    """

    def __init__(self, hidden_size: int, heads: int, size: int):
        super().__init__()
        half = hidden_size // 2
        config = BertConfig(hidden_size=half, num_attention_heads=heads, attention_probs_dropout_prob=0.0)
        self.attention, self.mixed = SelfAttention(config), nn.Linear(half, half)
        self.convolution, self.convolved = LightConvolution(half, heads, size), nn.Linear(half, half)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """hidden [B, T, D], boolean mask [B, 1, 1, T], to [B, T, D]; the convolution reads 0 for padding."""
        first, second = hidden.chunk(2, dim=-1)
        if mask is not None:
            second = second * mask[:, 0, 0, :, None]
        return torch.cat(
            [self.mixed(self.attention(first, mask)), self.convolved(self.convolution(second))], dim=-1
        )
