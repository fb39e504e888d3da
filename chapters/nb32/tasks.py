"""Two tasks of a few numbers: a marker that says which way to look, and a token some places back."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb32.convolutions import DynamicConvolution, LightConvolution, SpanConvolution

VALUES, LEFT, RIGHT, MIDDLE, FILLER = 10, 10, 11, 12, 13
PIECES = 14
HIDDEN = 24
KINDS: dict[str, type[nn.Module]] = {
    "light": LightConvolution,
    "dynamic": DynamicConvolution,
    "span-based": SpanConvolution,
}


def marked_texts(count: int) -> tuple[Tensor, Tensor]:
    """Texts [count, 5] of a value, a marker, a middle, a filler and a value, and the value [count] to copy.

    The marker says which: LEFT the first, RIGHT the last. Both middle and filler are always the same.
    """
    first, last = torch.randint(VALUES, (2, count)).unbind()
    left = torch.rand(count) < 0.5
    marker = torch.where(left, LEFT, RIGHT)
    middle, filler = torch.full_like(first, MIDDLE), torch.full_like(first, FILLER)
    return torch.stack([first, marker, middle, filler, last], dim=1), torch.where(left, first, last)


def texts_with_token_back(count: int, distance: int) -> tuple[Tensor, Tensor]:
    """Texts [count, 9] of values, and at each place the value so many places back; -100 where none is."""
    texts = torch.randint(VALUES, (count, 9))
    labels = texts.roll(distance, dims=1)
    labels[:, :distance] = -100
    return texts, labels


class Reader(nn.Module):
    """An embedding, one layer that mixes tokens, and a score for each value at each place."""

    def __init__(self, mix: nn.Module, hidden_size: int):
        super().__init__()
        self.embed = nn.Embedding(PIECES, hidden_size)
        self.mix = mix
        self.out = nn.Linear(hidden_size, VALUES)

    def forward(self, texts: Tensor) -> Tensor:
        """texts [B, T] to scores [B, T, 10]."""
        scores: Tensor = self.out(self.mix(self.embed(texts)))
        return scores


def reader_of(kind: str, seed: int) -> Reader:
    """A new reader whose layer is a convolution of this kind, of four heads and five places."""
    torch.manual_seed(seed)
    return Reader(KINDS[kind](HIDDEN, 4, 5), HIDDEN)


@torch.no_grad()
def middle_kernels(reader: Reader) -> dict[str, list[float]]:
    """The kernel of the middle token, the mean of its heads, where the marker points left and right."""
    texts = torch.tensor([[7, marker, MIDDLE, FILLER, 2] for marker in (LEFT, RIGHT)])
    layer: Any = reader.mix
    kernels = layer.kernels(reader.embed(texts))[:, 2].mean(dim=1)  # [2, K]
    return {f"7 {mark} . _ 2": row.tolist() for mark, row in zip("<>", kernels, strict=True)}
