"""Three values a weight: -scale, 0 and scale, two bits each and no multiplication in a product.

    codes, scale = ternarize(weight)                # of the whole matrix: Li et al., 2016, "TWN"
    parametrize(model, path, "TernaryQuantization")

What is small becomes 0, and the scale is the mean size of what does not (Ternary Weight Networks). Loss-aware
ternarization (Hou and Kwok, 2018, "LAT") weighs each error by how much the loss minds it. TernaryBERT (Zhang
et al., 2020) trains with either; its layout is `lib.compression.quantizers.ternary_bert`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decodes
from lib.compression.quantizers.fake import straight_through
from lib.compression.quantizers.linear import dequantize, groups_of, in_groups
from lib.compression.quantizers.packing import pack_bits, unpack_bits


def ternarize(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A weight of any shape as codes -1, 0, 1 (int8) and one scale [], so that it is about scale * codes.

    A number counts as 0 unless it is larger than 0.7 times the mean size. The scale is the mean size of
    those that are left, and 0 where there are none.
    """
    size = weight.detach().abs()
    is_kept = size > 0.7 * size.mean()
    scale = (size * is_kept).sum() / is_kept.sum().clamp(min=1)
    return (weight.sign() * is_kept).to(torch.int8), scale


def loss_aware_step(weight: Tensor, importance: Tensor, scale: Tensor | float) -> tuple[Tensor, Tensor]:
    """Codes -1, 0, 1 (int8) for a scale, then the best scale [] for these codes.

    weight and importance, which is 0 or more, have one shape. The codes are the nearest to weight / scale;
    the scale makes the sum of importance * (weight - scale * codes)^2 least, and is 0 where all codes are.
    """
    is_kept = weight.abs() > scale / 2
    weighs = importance * is_kept
    total = weighs.sum()
    best = (weighs * weight.abs()).sum() / total.where(total > 0, 1)
    return (weight.sign() * is_kept).to(torch.int8), best


def loss_aware_ternarize(weight: Tensor, importance: Tensor, rounds: int = 10) -> tuple[Tensor, Tensor]:
    """Codes (int8) and scale [] after so many rounds of `loss_aware_step`, from the weighted mean size on.

    importance: in the paper the root of Adam's second moment of the weight's gradient. The released LAQ class
    of BinaryBERT takes 1 everywhere, and ends with codes of the last scale where this ends with the best
    scale of the last codes: once nothing moves any more, both are the same.
    """
    scale = (importance * weight.abs()).sum() / importance.sum()
    for _ in range(rounds):
        codes, scale = loss_aware_step(weight, importance, scale)
    return codes, scale


def ternary_product(x: Tensor, codes: Tensor, scale: Tensor | float) -> Tensor:
    """x [N, in] times a ternary matrix, its codes int8 [out, in]: [N, out] by sums and differences alone.

    An output adds the features whose code is 1, takes away those whose code is -1, and is scaled once.
    """
    added = [x[:, row > 0].sum(dim=1) for row in codes]  # [N] each
    removed = [x[:, row < 0].sum(dim=1) for row in codes]
    return scale * (torch.stack(added, dim=1) - torch.stack(removed, dim=1))


@parametrization
class TernaryQuantization(nn.Module):
    """A weight [out, in] of at most three values in each group of rows, by `ternarize` at each call.

    groups: how many groups of consecutive rows have a scale of their own: 1 is one for the whole matrix, None
    one for each row. The gradient passes unchanged, as in BinaryBERT's code; TernaryBERT's first clips the
    weights to -2.5 .. 2.5 and passes no gradient beyond.
    """

    def __init__(self, weight: Tensor, groups: int | None = 1):
        super().__init__()
        self.groups = groups_of(weight, groups)

    def codes(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Codes -1, 0, 1 (int8) [groups, numbers of a group] and scales [groups] of a weight."""
        codes, scale = torch.vmap(ternarize)(in_groups(weight.detach(), self.groups))
        return codes, scale

    def forward(self, weight: Tensor) -> Tensor:
        codes, scale = self.codes(weight)
        return straight_through(dequantize(codes, scale[:, None]).view_as(weight), like=weight)

    def encode(self, weight: Tensor) -> Encoded:
        """Codes from 0 to 2 in two bits each, and scales [groups]."""
        codes, scale = self.codes(weight)
        packed = pack_bits((codes.flatten() + 1).to(torch.uint8), bits=2)
        return Encoded("ternary", {"codes": packed, "scale": scale}, {"shape": list(weight.shape)})


@decodes("ternary")
def decode_ternary(parts: dict[str, Tensor], *, shape: list[int]) -> Tensor:
    """The matrix of this shape, [out, in], that `TernaryQuantization` computed."""
    codes = unpack_bits(parts["codes"], 2, shape[0] * shape[1]).to(torch.int8) - 1
    return dequantize(in_groups(codes, len(parts["scale"])), parts["scale"][:, None]).view(shape)
