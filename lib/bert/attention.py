"""Attention: every token gathers what it needs from every other (Vaswani et al., 2017, section 3.2).

Sizes in the comments: B sentences, H heads, T tokens, S tokens looked at (S = T in an encoder),
D hidden size, K head size, which is D / H unless the config says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.config import BertConfig


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Weighted averages of `value`, the weights being softmax(query key^T / sqrt(size)) (equation 1).

    query [..., T, size], key [..., S, size], value [..., S, value_size]; mask boolean, True where a
    query may look, broadcast to the scores [..., T, S]. Every row needs at least one True.
    Returns the output [..., T, value_size] and the weights [..., T, S], whose rows sum to 1.
    """
    scores = query @ key.transpose(-2, -1) * query.size(-1) ** -0.5  # [..., T, S]
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights


def causal_mask(length: int) -> Tensor:
    """The mask of a model that writes from left to right: token i may look at tokens 0 to i.

    Boolean [length, length], True on and below the diagonal. BERT itself reads both ways.
    """
    return torch.ones(length, length, dtype=torch.bool).tril()


def split_heads(vectors: Tensor, num_heads: int) -> Tensor:
    """Cut the features of queries, keys or values into heads: [B, T, D] to [B, H, T, D / H]."""
    batch, length, hidden_size = vectors.shape
    if hidden_size % num_heads:
        raise ValueError(
            f"{hidden_size} features cannot be cut into {num_heads} equal heads: change one of them."
        )
    return vectors.view(batch, length, num_heads, hidden_size // num_heads).transpose(1, 2)


def merge_heads(heads: Tensor) -> Tensor:
    """Glue the heads side by side again: [B, H, T, K] to [B, T, H * K]."""
    batch, num_heads, length, head_size = heads.shape
    return heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)


class SelfAttention(nn.Module):
    """Several heads of attention over one sentence, each with its own projections."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.attention_size)
        self.key = nn.Linear(config.hidden_size, config.attention_size)
        self.value = nn.Linear(config.hidden_size, config.attention_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.captures: tuple[list[Tensor], ...] = ()  # where weights go, inside `capture_attentions`

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, T, D] to [B, T, H * K]; mask boolean, True where a token may be looked at.

        It is [B, 1, 1, T], or [B, 1, T, T] with a row for each token that looks. Inside `capture_attentions`
        attention is written out and its weights are kept. Elsewhere PyTorch's fused kernel does the same
        arithmetic, in eval() without ever writing the weights down.
        """
        query = split_heads(self.query(hidden), self.num_heads)  # [B, H, T, K]
        key = split_heads(self.key(hidden), self.num_heads)
        value = split_heads(self.value(hidden), self.num_heads)
        if not self.captures:
            rate = self.dropout.p if self.training else 0.0
            return merge_heads(F.scaled_dot_product_attention(query, key, value, mask, rate))
        context, weights = scaled_dot_product_attention(query, key, value, mask)  # [B, H, T, K], [B, H, T, T]
        if self.training:  # the dropped-out weights do the averaging, the full ones are what we look at
            context = self.dropout(weights) @ value
        for captured in self.captures:
            captured.append(weights)
        return merge_heads(context)


@contextmanager
def capture_attentions(module: nn.Module) -> Iterator[list[Tensor]]:
    """Inside this context, every `SelfAttention` of `module` adds its weights [B, H, T, T] to the list.

    Contexts may stand inside each other: each has its own list, and all get the weights.
    """
    weights: list[Tensor] = []
    inside = [part for part in module.modules() if isinstance(part, SelfAttention)]
    for part in inside:
        part.captures = (*part.captures, weights)
    try:
        yield weights
    finally:
        for part in inside:
            part.captures = tuple(captured for captured in part.captures if captured is not weights)


class AddAndNorm(nn.Module):
    """Project to the hidden size, drop out, add what came in, normalize: BERT's post-LN residual."""

    def __init__(self, input_size: int, config: BertConfig):
        super().__init__()
        self.dense = nn.Linear(input_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, update: Tensor, residual: Tensor) -> Tensor:
        """update [B, T, input_size] and residual [B, T, D] to [B, T, D]."""
        return self.LayerNorm(residual + self.dropout(self.dense(update)))


class Attention(nn.Module):
    """The attention half of a layer: self-attention, then add and normalize."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.self = SelfAttention(config)
        self.output = AddAndNorm(config.attention_size, config)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, T, D] to [B, T, D]; mask as in `SelfAttention`."""
        return self.output(self.self(hidden, mask), hidden)
