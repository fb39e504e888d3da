"""The split of a ternary weight with two sums exchanged, an easy slip, and how far it misses."""

import torch
from torch import Tensor

from lib.compression.quantizers.binary import binarize
from lib.compression.quantizers.ternary import ternarize

EIGHT = torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]], dtype=torch.float64)


def split_exchanged(weight: Tensor) -> tuple[Tensor, Tensor]:
    """`split_ternary` of a weight [out, in] with S_J and S_K exchanged in the share a."""
    codes, scale = ternarize(weight)
    is_zero = codes == 0
    kept = (weight.abs() * ~is_zero).sum()
    share = (kept + (weight * is_zero).sum()) / (2 * kept)
    shift = (weight.numel() * scale - weight.abs().sum()) / (2 * is_zero.sum())
    first = torch.where(is_zero, weight.clamp(min=0) + shift, share * weight)
    return first, weight - first


def sum_of_binary(halves: tuple[Tensor, Tensor]) -> Tensor:
    """What the binary values of two latent weights add up to, in their shape."""
    (one, scale), (other, other_scale) = (binarize(half) for half in halves)
    return one * scale + other * other_scale


def off_by(weight: Tensor, halves: tuple[Tensor, Tensor]) -> float:
    """How far the sum of two binary weights is from the ternary one, at most."""
    codes, scale = ternarize(weight)
    return float((sum_of_binary(halves) - scale * codes).abs().max())
