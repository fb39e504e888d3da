"""Ghosts: features made again from those at hand, by a kernel for each (GhostBERT; Huang et al., 2021).

A kernel of three numbers mixes a feature of a token with the same feature of its two neighbors. GhostBERT
puts one such convolution behind each half of a layer, 2 * 384 * 3 weights in a layer of MiniLM, and
normalizes each kernel with softmax. What comes out is added here to what came in, before the residual; a
summary of the paper says that both are concatenated, and no code is public to settle it.

Sizes in the comments: B texts, T tokens, D features, K places of a kernel.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import alteration
from lib.bert.attached import Attached, attach
from lib.bert.encoder import EncoderLayer
from lib.bert.surgery import module_at


def depthwise(x: Tensor, weights: Tensor) -> Tensor:
    """Each channel of x [B, T, D] with its own weights [D, K], K odd, zeros beyond both ends: [B, T, D].

    Place t is the sum over k of weights[:, k] * x[:, t + k - K // 2].
    """
    channels = x.transpose(1, 2)  # [B, D, T]
    mixed = F.conv1d(channels, weights[:, None], padding=weights.size(1) // 2, groups=len(weights))
    return mixed.transpose(1, 2)


def ghost(x: Tensor, kernel: Tensor) -> Tensor:
    """The ghost of x [B, T, D] with kernels [D, K], K odd, that softmax normalizes: [B, T, D], without x.

    A kernel of zeros is a moving average, so x plus its ghost is not x.
    """
    return depthwise(x, kernel.softmax(dim=-1))


class Ghosts(Attached):
    """Two kernels [D, K] in a layer, which begin at zero: one behind attention, one behind the feed-forward.

    normalized: softmax makes each kernel's numbers sum to 1, as in the paper, so at the beginning a smoothed
    update is added to the update. Else kernels are taken as they are: at the beginning nothing is added.
    """

    def __init__(self, hidden_size: int, size: int, normalized: bool):
        super().__init__()
        if size < 1 or size % 2 == 0:
            raise ValueError(f"A kernel of {size} places has no middle: give an odd number of them.")
        self.normalized = normalized
        self.attention = nn.Parameter(torch.zeros(hidden_size, size))
        self.output = nn.Parameter(torch.zeros(hidden_size, size))
        self.real: Tensor | None = None  # [B, T, 1], of the texts that the layer is reading

    def before_layer(self, _layer: nn.Module, inputs: tuple[Any, ...]) -> None:
        mask = inputs[1] if len(inputs) > 1 else None  # [B, 1, 1, T]
        self.real = None if mask is None else mask[:, 0, 0, :, None]

    def after_attention(self, _dropout: nn.Module, _inputs: Any, update: Tensor) -> Tensor:
        return update + self._ghost(update, self.attention)

    def after_output(self, _dropout: nn.Module, _inputs: Any, update: Tensor) -> Tensor:
        return update + self._ghost(update, self.output)

    def _ghost(self, update: Tensor, kernel: Tensor) -> Tensor:
        """Padding is zeroed first: it would reach the last tokens of a text."""
        known = update if self.real is None else update * self.real
        return ghost(known, kernel) if self.normalized else depthwise(known, kernel)


@alteration
def add_ghosts(model: nn.Module, path: str, size: int = 3, normalized: bool = True) -> None:
    """Give the `EncoderLayer` at `path` its `Ghosts`, with kernels of so many places.

    They become the child `ghosts` there, and act just before the two residuals are added.
    """
    layer = module_at(model, path, EncoderLayer)
    norm: Any = layer.output.LayerNorm
    ghosts = Ghosts(len(norm.weight), size, normalized)
    attach(layer, "ghosts", ghosts, like=norm.weight)
    ghosts.handles = (
        layer.register_forward_pre_hook(ghosts.before_layer),
        layer.attention.output.dropout.register_forward_hook(ghosts.after_attention),
        layer.output.dropout.register_forward_hook(ghosts.after_output),
    )
