"""Transformer-XL (Dai et al., 2019): a model that reads a text in segments and remembers the one before.

Each layer keeps its *inputs* of the last segment. In the next segment, queries come from the segment alone,
keys and values from memory and segment together. A position is told as a distance, since what is remembered
has another place now. Three things are simpler than in the paper's code: each layer has biases u and v of its
own, dropout is left out, and so is the adaptive softmax.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Memories = list[Tensor] | None  # for each layer [B, M, D]; None where nothing is remembered yet


def remember(memory: Tensor | None, hidden: Tensor, length: int) -> Tensor:
    """The last `length` rows of what is remembered [B, M, D] followed by a segment's [B, T, D], detached."""
    if memory is None:
        together = hidden
    else:
        together = torch.cat([memory, hidden], dim=1)  # [B, M + T, D]
    start = max(0, together.shape[1] - length)
    return together[:, start:].detach()


def sinusoids(distances: Tensor, size: int) -> Tensor:
    """Sines and cosines of distances [S], as in notebook 04 of places: [S, size], nothing is learned."""
    frequencies = 10_000.0 ** (-torch.arange(0, size, 2) / size)  # [size / 2]
    angles = distances.float()[:, None] * frequencies  # [S, size / 2]
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def relative_shift(scores: Tensor) -> Tensor:
    """Row i of scores [B, H, T, S] moved to the left by T - 1 - i places.

    Column c of what comes in belongs to the distance S - 1 - c, whatever the row. Column j of what goes out
    belongs to the key at place j. What stands right of the row's own place is of no use: it is masked.
    """
    batch, heads, rows, columns = scores.shape
    padded = F.pad(scores, (1, 0))  # a column of zeros in front: [B, H, T, S + 1]
    reread = padded.view(batch, heads, columns + 1, rows)  # the same numbers in rows of T
    return reread[:, :, 1:].reshape(batch, heads, rows, columns)


class RelativeAttention(nn.Module):
    """Attention of a segment to its memory and to itself, by content and by distance."""

    def __init__(self, hidden_size: int, heads: int, relative: bool):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden_size, hidden_size, bias=False)
        self.key = nn.Linear(hidden_size, hidden_size, bias=False)
        self.value = nn.Linear(hidden_size, hidden_size, bias=False)
        self.output = nn.Linear(hidden_size, hidden_size, bias=False)
        self.distance = nn.Linear(hidden_size, hidden_size, bias=False) if relative else None
        per_head = hidden_size // heads
        self.content_bias = nn.Parameter(torch.zeros(heads, 1, per_head))  # the paper's u
        self.distance_bias = nn.Parameter(torch.zeros(heads, 1, per_head))  # its v

    def split(self, vectors: Tensor) -> Tensor:
        """[..., T, D] to [..., H, T, K]."""
        return vectors.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

    def forward(self, hidden: Tensor, memory: Tensor | None) -> Tensor:
        """hidden [B, T, D], memory [B, M, D] or None; returns [B, T, D]."""
        source = hidden if memory is None else torch.cat([memory, hidden], dim=1)  # [B, S, D], S = M + T
        rows, columns = hidden.shape[1], source.shape[1]
        query = self.split(self.query(hidden))  # [B, H, T, K]
        key = self.split(self.key(source))  # [B, H, S, K]
        value = self.split(self.value(source))
        scores = (query + self.content_bias) @ key.mT  # [B, H, T, S]
        if self.distance is not None:
            distances = torch.arange(columns - 1, -1, -1)  # S - 1 first, 0 last
            places = self.split(self.distance(sinusoids(distances, hidden.shape[2])))  # [H, S, K]
            scores = scores + relative_shift((query + self.distance_bias) @ places.mT)
        future = torch.ones(rows, columns, dtype=torch.bool).triu(columns - rows + 1)
        scores = scores.masked_fill(future, -math.inf) / math.sqrt(query.shape[-1])
        mixed = scores.softmax(dim=-1) @ value  # [B, H, T, K]
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """Attention with memory, then feed-forward, each with a norm in front (pre-LN, notebook 08)."""

    def __init__(self, hidden_size: int, heads: int, relative: bool):
        super().__init__()
        self.attention_norm = nn.LayerNorm(hidden_size)
        self.attention = RelativeAttention(hidden_size, heads, relative)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(hidden_size),
            nn.Linear(hidden_size, 4 * hidden_size),
            nn.ReLU(),
            nn.Linear(4 * hidden_size, hidden_size),
        )

    def forward(self, hidden: Tensor, memory: Tensor | None) -> Tensor:
        """hidden [B, T, D], memory [B, M, D] or None; returns [B, T, D]."""
        remembered = None if memory is None else self.attention_norm(memory)
        hidden = hidden + self.attention(self.attention_norm(hidden), remembered)
        return hidden + self.feed_forward(hidden)


class TransformerXL(nn.Module):
    """Predicts each next word. relative: positions are distances; otherwise they restart at 0 a segment."""

    def __init__(
        self, vocabulary: int, hidden_size: int = 128, layers: int = 3, heads: int = 4, relative: bool = True
    ):
        super().__init__()
        self.relative = relative
        self.words = nn.Embedding(vocabulary, hidden_size)
        nn.init.normal_(self.words.weight, std=hidden_size**-0.5)
        self.layers = nn.ModuleList(Layer(hidden_size, heads, relative) for _ in range(layers))
        self.norm = nn.LayerNorm(hidden_size)

    def forward(
        self, ids: Tensor, memories: Sequence[Tensor | None] | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """ids int64 [B, T]; memories: one for each layer. Returns logits [B, T, V], each layer's inputs."""
        hidden = self.words(ids)  # [B, T, D], each of length 1 at first
        if not self.relative:
            places = sinusoids(torch.arange(ids.shape[1]), hidden.shape[2])
            hidden = hidden + places / math.sqrt(hidden.shape[2])
        inputs = []
        for number, layer in enumerate(self.layers):
            inputs.append(hidden)
            hidden = layer(hidden, memories[number] if memories else None)
        return self.norm(hidden) @ self.words.weight.T, inputs
