"""Linear quantization: real numbers as whole numbers times a scale, 2^bits of them at most.

    codes, scale = quantize_symmetric(weight, bits=8)
    restored = dequantize(codes, scale)

Each function has a range of its own for each row of what it is given. What a row is decides how fine the
ranges are: `in_groups(weight, 1)` is one for the whole matrix, `in_groups(weight, 12)` one for each of twelve
groups of consecutive outputs (Q-BERT's way, Shen et al., 2020), the matrix itself one for each output;
activations [B, T, D] have one range for all of them, `in_groups(x, 1)`, or one a token, `x.flatten(0, -2)`.
Never one for each input: a sum over inputs of different scales could not be left to whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Quantized(NamedTuple):
    """Rows of real numbers as whole ones: scale * (codes - zero_point), see `dequantize`."""

    codes: Tensor  # [rows, columns], int8 or uint8
    scale: Tensor  # [rows, 1]
    zero_point: Tensor | float = 0  # [rows, 1], the code that stands for 0.0; halfway between two of none


def quantize_symmetric(weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """A matrix [out, in] as codes [out, in] (int8) and scale [out, 1], so that weight is about scale * codes.

    bits: 2 to 8. 0.0 is code 0, and the largest |weight| of a row is code 2^(bits-1) - 1 or its opposite.
    """
    largest_code = positive_codes(bits)  # 127 of 8 bits
    scale = weight.detach().abs().amax(dim=1, keepdim=True) / largest_code  # [out, 1]
    scale = scale.where(scale > 0, 1)  # a row of zeros has no range: any scale does
    codes = torch.round(weight / scale).clamp(-largest_code, largest_code)
    return codes.to(torch.int8), scale


def quantize_asymmetric(x: Tensor, bits: int) -> Quantized:
    """Rows [rows, columns] as codes from 0 to 2^bits - 1 (uint8), for numbers that are mostly of one sign.

    bits: 1 to 8. scale and zero_point (uint8) are [rows, 1]. The range of a row is stretched to hold 0.0,
    which is then one of the codes, zero_point: what was exactly 0 stays so (Jacob et al., 2018).
    """
    most = unsigned_codes(bits)
    lowest = x.detach().amin(dim=1, keepdim=True).clamp(max=0)  # [rows, 1]
    highest = x.detach().amax(dim=1, keepdim=True).clamp(min=0)
    scale = (highest - lowest) / most
    scale = scale.where(scale > 0, 1)
    zero_point = torch.round(-lowest / scale).clamp(0, most)
    codes = (torch.round(x / scale) + zero_point).clamp(0, most)
    return Quantized(codes.to(torch.uint8), scale, zero_point.to(torch.uint8))


#: the step that loses least of normally distributed numbers, in standard deviations, by bits (Max, 1960)
BEST_STEPS = {1: 1.596, 2: 0.9957, 3: 0.5860, 4: 0.3352, 5: 0.1881, 6: 0.1041, 7: 0.0569, 8: 0.0308}


def quantize_spread(x: Tensor, bits: int) -> Quantized:
    """Rows [rows, columns] as codes from 0 to 2^bits - 1 (uint8), in steps that suit how far numbers spread.

    bits: 1 to 8. Code c stands for (c - (2^bits - 1) / 2) * scale: as many levels on either side of 0, which
    is none of them, so that 2 bits have four levels where a symmetric scheme has three. The scale is the best
    for normally distributed numbers of this spread around 0 (Max, 1960), rounded to half precision; the few
    numbers beyond the last level count as the last. A row of zeros has scale 0, and stays one.
    """
    most = unsigned_codes(bits)
    scale = BEST_STEPS[bits] * x.detach().square().mean(dim=1, keepdim=True).sqrt()  # [rows, 1]
    scale = scale.to(torch.float16).to(x.dtype)
    codes = torch.floor(x / scale.where(scale > 0, 1) + (most + 1) / 2).clamp(0, most)
    return Quantized(codes.to(torch.uint8), scale, most / 2)


def dequantize(codes: Tensor, scale: Tensor, zero_point: Tensor | float = 0) -> Tensor:
    """The numbers that codes stand for, scale * (codes - zero_point), in the type of the scale.

    codes [rows, columns], as what is returned; scale [rows, 1]; zero_point [rows, 1], or one for all rows.
    """
    return scale * (codes.to(scale.dtype) - zero_point)


def in_groups(tensor: Tensor, groups: int) -> Tensor:
    """Rows of a tensor as `groups` longer rows, [groups, numbers of a group], of consecutive ones each.

    ValueError if `groups` does not divide the rows.
    """
    if groups < 1 or len(tensor) % groups:
        raise ValueError(
            f"{len(tensor)} rows cannot be cut into {groups} equal groups: give a number that divides them "
            "(1 for one range of all, None for one of each row)."
        )
    return tensor.reshape(groups, -1)


def groups_of(weight: Tensor, groups: int | None) -> int:
    """How many groups of consecutive rows of a weight [out, in] have a range of their own: None, each row.

    ValueError if it has no rows of real numbers, or if `groups` does not divide them.
    """
    if weight.dim() != 2 or not weight.is_floating_point():
        raise ValueError(f"A {weight.dtype} tensor of shape {list(weight.shape)} has no rows: name a matrix.")
    return len(weight) if groups is None else len(in_groups(weight, groups))


def _symmetric(x: Tensor, bits: int) -> Quantized:
    return Quantized(*quantize_symmetric(x, bits))


#: how rows of numbers are quantized, by name
SCHEMES: dict[str, Callable[[Tensor, int], Quantized]] = {
    "symmetric": _symmetric,
    "asymmetric": quantize_asymmetric,
    "spread": quantize_spread,
}


def scheme_named(name: str) -> Callable[[Tensor, int], Quantized]:
    """The function of a name in `SCHEMES`, of rows [rows, columns] and bits; ValueError if there is none."""
    if name not in SCHEMES:
        raise ValueError(f"There is no scheme {name!r}: use {', '.join(SCHEMES)}.")
    return SCHEMES[name]


def positive_codes(bits: int) -> int:
    """How many codes a symmetric scheme has on either side of 0: 2^(bits-1) - 1, so that 2 bits have 1.

    ValueError for other than 2 to 8 bits.
    """
    if bits not in range(2, 9):
        raise ValueError(f"Symmetric codes of {bits} bits: give a whole number from 2 to 8.")
    return 2 ** (bits - 1) - 1


def unsigned_codes(bits: int) -> int:
    """The largest code without a sign: 2^bits - 1; ValueError for other than 1 to 8 bits."""
    if bits not in range(1, 9):
        raise ValueError(f"Codes of {bits} bits: give a whole number from 1 to 8.")
    return int(2**bits - 1)
