"""Fake quantization: real numbers that have been rounded to codes, and gradients that pass the rounding.

The derivative of rounding is 0 nearly everywhere, so that nothing would ever learn. It is taken as 1 instead,
straight through (Bengio et al., 2013). What is trained is an unrounded, latent weight; the
model computes with its rounded value:

    parametrize(model, "encoder.layer.0.attention.self.query", "LinearQuantization", bits=4)
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decodes
from lib.compression.quantizers.linear import (
    Quantized,
    dequantize,
    groups_of,
    in_groups,
    positive_codes,
    scheme_named,
)
from lib.compression.quantizers.packing import pack_bits, unpack_bits


def straight_through(value: Tensor, like: Tensor) -> Tensor:
    """`value` to the bit, with the gradient of `like`: what made the one of the other counts as nothing.

    Both have the same shape, which is that of the result.
    """
    return value.detach() + (like - like.detach())


def fake_quantize(x: Tensor, scale: Tensor | float, bits: int) -> Tensor:
    """`x` rounded to scale * code, the codes clipped to -(2^(bits-1) - 1) .. 2^(bits-1) - 1.

    scale: a number, or [out, 1] for the rows of x. The gradient to x is 1, and 0 where x was clipped.
    """
    largest_code = positive_codes(bits)
    codes = torch.round(x / scale).nan_to_num().clamp(-largest_code, largest_code)  # 0 / 0 is 0: a zero row
    edge: Any = largest_code * scale
    return straight_through(scale * codes, like=x.clamp(-edge, edge))


@parametrization
class LinearQuantization(nn.Module):
    """A weight [out, in] of `bits` bits, its range taken anew from the latent weight at each call.

    groups: how many groups of consecutive rows have a range of their own: 1 is one for the whole tensor, None
    one for each row. scheme: a name in `lib.compression.quantizers.linear.SCHEMES`. The gradient passes
    unchanged, as in Q8BERT (Zafrir et al., 2019): the range follows the weights, so that none is clipped, or
    few where it follows their spread.
    """

    def __init__(self, weight: Tensor, bits: int, groups: int | None = None, scheme: str = "symmetric"):
        super().__init__()
        self.bits, self.scheme = bits, scheme
        self.groups = groups_of(weight, groups)
        scheme_named(scheme)(torch.zeros(1, 1, device="cpu"), bits)  # raises what there is to raise

    def quantize(self, weight: Tensor) -> Quantized:
        """Codes [groups, numbers of a group], scale and zero point [groups, 1] of a weight."""
        return scheme_named(self.scheme)(in_groups(weight.detach(), self.groups), self.bits)

    def forward(self, weight: Tensor) -> Tensor:
        return straight_through(dequantize(*self.quantize(weight)).view_as(weight), like=weight)

    def encode(self, weight: Tensor) -> Encoded:
        """Packed codes, scales [groups], in half precision where they fit, and zero points where some are."""
        codes, scale, zero_point = self.quantize(weight)
        half = scale.to(torch.float16)
        parts = {"scale": (half if torch.equal(half.to(scale.dtype), scale) else scale).flatten()}
        info: dict[str, Any] = {"bits": self.bits, "shape": list(weight.shape)}
        if isinstance(zero_point, Tensor):
            parts["zero_point"] = zero_point.flatten()
        elif zero_point:
            info["zero_point"] = zero_point
        else:
            codes = codes.to(torch.int16) + positive_codes(self.bits)  # from 0 up, as bits have no sign
        parts["codes"] = pack_bits(codes.flatten().to(torch.uint8), self.bits)
        return Encoded("linear", parts, info)


@decodes("linear")
def decode_linear(
    parts: dict[str, Tensor], *, bits: int, shape: list[int], zero_point: float | None = None
) -> Tensor:
    """The matrix of this shape, [out, in], that `LinearQuantization` computed; zero_point: one for all."""
    codes = unpack_bits(parts["codes"], bits, shape[0] * shape[1])
    scale = parts["scale"].to(torch.float32)[:, None]  # [groups, 1]
    if "zero_point" in parts:
        return dequantize(in_groups(codes, len(scale)), scale, parts["zero_point"][:, None]).view(shape)
    zero_point = positive_codes(bits) if zero_point is None else zero_point
    return dequantize(in_groups(codes, len(scale)), scale, zero_point).view(shape)
