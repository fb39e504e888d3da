"""One block of MobileBERT (Sun et al., 2020): a layer that is wide outside and thin inside.

Between blocks hidden states are as wide as the teacher's, so that both can be compared without a projection;
inside, all work is done on a quarter of the features, and more networks of the cheap kind make up for it.

    block = MobileBertBlock()
    model = BertModel(config, layer=lambda config: MobileBertBlock(MobileBertSizes(config.hidden_size, ...)))

Parts have the names of `transformers`, whose weights fit. There is no dropout here, which thin models do
without. Sizes in the comments: B texts, T tokens, D hidden size, N narrow size, F intermediate size.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.attention import merge_heads, split_heads


@dataclass(frozen=True)
class MobileBertSizes:
    """The published ones, unless told otherwise."""

    hidden_size: int = 512
    narrow_size: int = 128
    intermediate_size: int = 512
    num_heads: int = 4
    feed_forwards: int = 4

    def __post_init__(self) -> None:
        if min(vars(self).values()) < 1 or self.narrow_size % self.num_heads:
            raise ValueError(
                f"{self}: give whole numbers of at least 1, and a narrow size that the heads divide."
            )


class NoNorm(nn.Module):
    """A factor and a summand for each feature: a layer norm without mean and variance, [..., D] to [..., D].

    Nothing is computed of the token, so it may be folded into the dense layer before it.
    """

    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, hidden: Tensor) -> Tensor:
        return self.weight * hidden + self.bias


class Bottleneck(nn.Module):
    """A dense layer and a NoNorm: [B, T, D] to [B, T, N]."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.dense = nn.Linear(sizes.hidden_size, sizes.narrow_size)
        self.LayerNorm = NoNorm(sizes.narrow_size)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.LayerNorm(self.dense(hidden))

    def folded(self) -> nn.Linear:
        """The one dense layer that does the same."""
        scale = self.LayerNorm.weight.detach()
        linear = nn.Linear(self.dense.in_features, self.dense.out_features)
        linear.weight = nn.Parameter(scale[:, None] * self.dense.weight.detach())
        linear.bias = nn.Parameter(scale * self.dense.bias.detach() + self.LayerNorm.bias.detach())
        return linear


class _Residual(nn.Module):
    """A dense layer, what is to be added, a NoNorm: [B, T, X] and [B, T, Y] to [B, T, Y]."""

    def __init__(self, input_size: int, size: int):
        super().__init__()
        self.dense = nn.Linear(input_size, size)
        self.LayerNorm = NoNorm(size)

    def forward(self, update: Tensor, residual: Tensor) -> Tensor:
        return self.LayerNorm(residual + self.dense(update))


class _SelfAttention(nn.Module):
    """Queries and keys are made of narrow states [B, T, N], values of wide ones [B, T, D]: to [B, T, N]."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.num_heads = sizes.num_heads
        self.query = nn.Linear(sizes.narrow_size, sizes.narrow_size)
        self.key = nn.Linear(sizes.narrow_size, sizes.narrow_size)
        self.value = nn.Linear(sizes.hidden_size, sizes.narrow_size)

    def forward(self, narrow: Tensor, wide: Tensor, mask: Tensor | None) -> Tensor:
        projected = (self.query(narrow), self.key(narrow), self.value(wide))
        query, key, value = (split_heads(each, self.num_heads) for each in projected)
        return merge_heads(F.scaled_dot_product_attention(query, key, value, mask))  # [B, T, N]


class _Bottlenecks(nn.Module):
    """Two of them: what attention looks with, and what is carried on."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.attention = Bottleneck(sizes)
        self.input = Bottleneck(sizes)


class _Attention(nn.Module):
    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.self = _SelfAttention(sizes)
        self.output = _Residual(sizes.narrow_size, sizes.narrow_size)


class _Intermediate(nn.Module):
    """[B, T, N] to [B, T, F], through ReLU."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.dense = nn.Linear(sizes.narrow_size, sizes.intermediate_size)

    def forward(self, narrow: Tensor) -> Tensor:
        return F.relu(self.dense(narrow))


class _FeedForward(nn.Module):
    """One of the stacked networks: [B, T, N] to [B, T, N]."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__()
        self.intermediate = _Intermediate(sizes)
        self.output = _Residual(sizes.intermediate_size, sizes.narrow_size)

    def forward(self, narrow: Tensor) -> Tensor:
        return self.output(self.intermediate(narrow), narrow)


class _Output(_Residual):
    """The end of the last network, and the way back to the wide states."""

    def __init__(self, sizes: MobileBertSizes):
        super().__init__(sizes.intermediate_size, sizes.narrow_size)
        self.bottleneck = _Residual(sizes.narrow_size, sizes.hidden_size)


class MobileBertBlock(nn.Module):
    """A layer of MobileBERT: wide states in and out, [B, T, D]."""

    def __init__(self, sizes: MobileBertSizes | None = None):
        super().__init__()
        sizes = sizes or MobileBertSizes()
        self.bottleneck = _Bottlenecks(sizes)
        self.attention = _Attention(sizes)
        self.ffn = nn.ModuleList(_FeedForward(sizes) for _ in range(sizes.feed_forwards - 1))
        self.intermediate = _Intermediate(sizes)
        self.output = _Output(sizes)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """mask boolean [B, 1, 1, T], True where a token may be looked at, as in `EncoderLayer`."""
        context = self.attention.self(self.bottleneck.attention(hidden), hidden, mask)
        narrow = self.attention.output(context, self.bottleneck.input(hidden))  # [B, T, N]
        for network in self.ffn:
            narrow = network(narrow)
        narrow = self.output(self.intermediate(narrow), narrow)
        wide: Tensor = self.output.bottleneck(narrow, hidden)
        return wide
