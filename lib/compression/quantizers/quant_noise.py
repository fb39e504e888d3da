"""Training with a part of the weights rounded, another part in every step (Fan, Stock et al., 2020).

Where all weights are rounded in every step, every gradient is that of the straight-through estimator, which
is biased. Here a random share is rounded, and the others learn from exact gradients. In eval() all are.

    parametrize(model, path, "QuantNoise", rate=0.5, of="LinearQuantization", bits=4)

A rate of 0 trains without rounding, a rate of 1 is quantization-aware training. As in the published code,
where weights become integers, single weights are drawn; where groups of 8 inputs will be looked up together,
that code sets whole groups to 0 in the stored weight.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.fake import LinearQuantization

#: how a chosen weight is rounded, by name
NOISES: dict[str, type[LinearQuantization] | type[CodebookQuantization]] = {
    kind.__name__: kind for kind in (LinearQuantization, CodebookQuantization)
}


@parametrization
class QuantNoise(nn.Module):
    """A weight [out, in]: each number is rounded with a probability `rate` in training, all are in eval().

    of: a name in `NOISES`; options are its arguments. What is drawn comes of PyTorch's own generator, anew at
    each call.
    """

    def __init__(self, weight: Tensor, rate: float, of: str, **options: Any):
        super().__init__()
        if not 0 <= rate <= 1:
            raise ValueError(f"A rate of {rate}: give the share of weights that is rounded, from 0 to 1.")
        if of not in NOISES:
            raise ValueError(f"There is no noise of {of!r}: use {', '.join(NOISES)}.")
        self.rate = rate
        self.quantizer = NOISES[of](weight, **options)

    def forward(self, weight: Tensor) -> Tensor:
        rounded: Tensor = self.quantizer(weight)
        if not self.training:
            return rounded
        is_chosen = torch.rand(weight.shape, device=weight.device) < self.rate  # [out, in]
        return torch.where(is_chosen, rounded, weight)

    def encode(self, weight: Tensor) -> Encoded:
        """As the quantizer stores it: all of it rounded."""
        return self.quantizer.encode(weight)
