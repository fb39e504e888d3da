"""Training with a part of the weights rounded, another part in every step (Fan, Stock et al., 2020).

Where all weights are rounded in every step, every gradient is that of the straight-through estimator, which
is biased. Here a random share is rounded, and the others learn from exact gradients. In eval() all are.

    parametrize(model, path, "QuantNoise", rate=0.5, of="LinearQuantization", bits=4)

A rate of 0 trains without rounding, a rate of 1 is quantization-aware training. The published code takes
single weights where weights become integers (block 1), and blocks of 8 inputs, which it sets to 0, where
groups of 8 will be looked up together (`of="LeftOut"`, the paper's stand-in for product quantization). That
code also writes the zeros into the stored weight and rescales it by 1 / (1 - rate); nothing stored changes
here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.fake import LinearQuantization, straight_through


class LeftOut(nn.Module):
    """A stand-in for a quantizer that is too slow for training: 0 in training, the weight itself in eval().

    Of any shape, which stays. The gradient passes as if nothing were left out.
    """

    def __init__(self, weight: Tensor):
        super().__init__()

    def forward(self, weight: Tensor) -> Tensor:
        return straight_through(torch.zeros_like(weight), like=weight) if self.training else weight

    def encode(self, weight: Tensor) -> Encoded:
        return Encoded("float32", {"values": weight.detach()})


#: what a chosen block becomes, by name
NOISES: dict[str, type[LinearQuantization] | type[CodebookQuantization] | type[LeftOut]] = {
    kind.__name__: kind for kind in (LinearQuantization, CodebookQuantization, LeftOut)
}


@parametrization
class QuantNoise(nn.Module):
    """A weight [out, in] of which each block is rounded with a probability `rate` in training, all in eval().

    block: so many neighboring inputs of an output are rounded together or not at all. of: a name in
    `NOISES`; options are its arguments. What is drawn comes of PyTorch's own generator, anew at each call.
    """

    def __init__(self, weight: Tensor, rate: float, of: str, block: int = 1, **options: Any):
        super().__init__()
        if not 0 <= rate <= 1:
            raise ValueError(f"A rate of {rate}: give the share of blocks that is rounded, from 0 to 1.")
        if of not in NOISES:
            raise ValueError(f"There is no noise of {of!r}: use {', '.join(NOISES)}.")
        if weight.dim() != 2 or block < 1 or weight.size(1) % block:
            raise ValueError(
                f"A tensor of shape {list(weight.shape)} has no rows of blocks of {block}: give a matrix, "
                "and a block that divides its inputs."
            )
        self.rate, self.block = rate, block
        self.quantizer = NOISES[of](weight, **options)

    def forward(self, weight: Tensor) -> Tensor:
        rounded: Tensor = self.quantizer(weight)
        if not self.training:
            return rounded
        out, blocks = weight.size(0), weight.size(1) // self.block
        is_chosen = torch.rand(out, blocks, device=weight.device) < self.rate  # [out, blocks]
        return torch.where(is_chosen.repeat_interleave(self.block, dim=1), rounded, weight)

    def encode(self, weight: Tensor) -> Encoded:
        """As the quantizer stores it: all of it rounded."""
        return self.quantizer.encode(weight)
