"""The encoder: attention and a feed-forward network, each with its residual path, layer after layer.

Sizes in the comments: B sentences, T tokens, D hidden size, F intermediate size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.attention import AddAndNorm, Attention
from lib.bert.config import BertConfig


def layer_norm(hidden: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-12) -> Tensor:
    """Each token's features to mean 0 and variance 1, then scaled and shifted (Ba et al., 2016).

    hidden [..., D], weight [D], bias [D]. The variance is the biased one (divided by D).
    """
    mean = hidden.mean(dim=-1, keepdim=True)  # [..., 1]
    variance = hidden.var(dim=-1, keepdim=True, unbiased=False)  # [..., 1]
    return weight * (hidden - mean) / torch.sqrt(variance + eps) + bias


def gelu(x: Tensor) -> Tensor:
    """x times the probability that a standard normal draw lies below x (Hendrycks and Gimpel, 2016)."""
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))


class Intermediate(nn.Module):
    """The wide half of the feed-forward network: [B, T, D] to [B, T, F], through GELU."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intermediate_size)

    def forward(self, hidden: Tensor) -> Tensor:
        return F.gelu(self.dense(hidden))  # the same function as `gelu` above, in one kernel


class EncoderLayer(nn.Module):
    """One layer of BERT: attention, add and norm, feed-forward, add and norm (post-LN)."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.attention = Attention(config)
        self.intermediate = Intermediate(config)
        self.output = AddAndNorm(config.intermediate_size, config)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """hidden [B, T, D] to [B, T, D]; mask boolean [B, 1, 1, T], True where a token may be looked at."""
        hidden = self.attention(hidden, mask)
        return self.output(self.intermediate(hidden), hidden)


class PreLNLayer(EncoderLayer):
    """The same parts and weights, each norm moved to where its update begins (pre-LN; Xiong et al., 2020).

    Nothing normalizes the residual path, so a stack of these needs one more norm at its end. GPT-2 and
    ViT are built so; BERT is not.
    """

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """hidden [B, T, D] to [B, T, D]; mask boolean [B, 1, 1, T], True where a token may be looked at."""
        half = self.attention.output
        update = half.dense(self.attention.self(half.LayerNorm(hidden), mask))  # [B, T, D]
        hidden = hidden + half.dropout(update)
        half = self.output
        update = half.dense(self.intermediate(half.LayerNorm(hidden)))  # [B, T, D]
        return hidden + half.dropout(update)


class Encoder(nn.Module):
    """A stack of layers that differ in nothing but their weights.

    `layer` makes one of a config: `EncoderLayer`, a layer of another design, or a function that keeps count
    and makes some unlike others. Each maps hidden states [B, T, D] and a mask to hidden states.
    """

    def __init__(self, config: BertConfig, layer: Callable[[BertConfig], nn.Module] = EncoderLayer):
        super().__init__()
        self.layer = nn.ModuleList(layer(config) for _ in range(config.num_hidden_layers))

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        """All hidden states [B, T, D]: the input first, then one a layer, so L + 1 of them."""
        states = [hidden]
        for layer in self.layer:
            states.append(layer(states[-1], mask))
        return tuple(states)


class Pooler(nn.Module):
    """The vector of [CLS] through one more dense layer and tanh: [B, T, D] to [B, D]."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden: Tensor) -> Tensor:
        return torch.tanh(self.dense(hidden[:, 0]))
