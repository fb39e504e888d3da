"""Two values a weight, one bit each; and a ternary weight as the sum of two binary ones.

    signs, scale = binarize(weight)                 # Rastegari et al., 2016, "BWN"
    parametrize(model, path, "BinaryQuantization")
    parametrize(model, path, "BinarySum")           # of the ternary weight that the latent one makes

BinaryBERT (Bai et al., 2021) trains a ternary network of half the width, splits each of its weights into two
binary ones that add up to the same, and trains on. Two signs, each packed eight to a byte, are multiplied by
counting where they differ.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decodes
from lib.compression.quantizers.fake import straight_through
from lib.compression.quantizers.linear import dequantize, groups_of, in_groups
from lib.compression.quantizers.packing import pack_bits, unpack_bits
from lib.compression.quantizers.ternary import ternarize


def binarize(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A weight of any shape as signs -1 and 1 (int8) and one scale [], the mean size of all.

    0 counts as 1: the sign of BinaryBERT's code is 0 there, which is a third value.
    """
    signs = torch.where(weight >= 0, 1, -1).to(torch.int8)
    return signs, weight.detach().abs().mean()


def split_ternary(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Two weights that add up to a weight, and whose binary values add up to its ternary ones.

    Of any shape, which both have. What is kept is cut in the share a to 1 - a, what becomes 0 gets a shift b
    to opposite sides; a and b make both scales half of the ternary one. The sums in a are those of
    BinaryBERT's code (transformer/binary_model_init.py); with the two exchanged that differ in sign neither
    scale is right. It holds where the small weights of one sign outweigh those of
    the other by less than the sum of the large ones (`validate_split`).
    """
    codes, scale = ternarize(weight)
    size, is_zero = weight.abs(), codes == 0
    kept = (size * ~is_zero).sum()
    negative_less_positive = -(weight * is_zero).sum()
    share = (kept + negative_less_positive) / (2 * kept)  # a
    shift = (weight.numel() * scale - size.sum()) / (2 * is_zero.sum())  # b
    first = torch.where(is_zero, weight.clamp(min=0) + shift, share * weight)
    return first, weight - first


def validate_split(weight: Tensor, groups: int) -> None:
    """Raise a ValueError where no two binary weights add up to the ternary one of a weight [out, in]."""
    rows = in_groups(weight.detach(), groups)
    codes, _ = torch.vmap(ternarize)(rows)
    one_sided = (rows * (codes == 0)).sum(dim=1).abs()  # [groups]
    if bool(((one_sided > 0) & (one_sided >= (rows.abs() * (codes != 0)).sum(dim=1))).any()):
        raise ValueError(
            "The small weights of a group are nearly all of one sign, and together as large as its large "
            "ones: no two binary weights add up to its ternary one. Take larger groups, such as groups=1."
        )


class _Rounded(nn.Module):
    """A weight [out, in] in groups of consecutive rows, each with a scale of its own; None is one a row."""

    def __init__(self, weight: Tensor, groups: int | None = 1):
        super().__init__()
        self.groups = groups_of(weight, groups)

    def signs(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Signs (int8) [groups, numbers of a group] and scales [groups, 1]."""
        signs, scale = torch.vmap(binarize)(in_groups(weight.detach(), self.groups))
        return signs, scale[:, None]

    def binary(self, weight: Tensor) -> Tensor:
        """The two values, in the weight's shape."""
        return dequantize(*self.signs(weight)).view_as(weight)

    def parts(self, weight: Tensor) -> dict[str, Tensor]:
        """Signs in one bit each, 1 for +, and scales [groups]."""
        signs, scale = self.signs(weight)
        return {"signs": pack_bits((signs.flatten() > 0).to(torch.uint8), bits=1), "scale": scale.flatten()}


@parametrization
class BinaryQuantization(_Rounded):
    """A weight [out, in] of two values in each group of rows, made anew at each call by `binarize`.

    groups: 1 is one scale for the whole matrix, None one for each row. The gradient passes unchanged.
    """

    def forward(self, weight: Tensor) -> Tensor:
        return straight_through(self.binary(weight), like=weight)

    def encode(self, weight: Tensor) -> Encoded:
        return Encoded("binary", self.parts(weight), {"shape": list(weight.shape)})


@parametrization
class BinarySum(_Rounded):
    """A weight [out, in] that is the sum of two binary ones, each with its own latent weight, which learn.

    It begins as the ternary weight that `TernaryQuantization` of the same groups makes of the tensor that it
    is put on. groups as there. Both latent weights get the gradient of their sum. BinaryBERT's code has two
    layers with half of the bias each and adds what they give, which is the same. Where other modules have
    the same tensor, each gets two latent weights of its own.
    """

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The two latent weights, in the shape of the one."""
        rows = in_groups(weight.detach(), self.groups)
        first, second = torch.vmap(split_ternary)(rows)
        return first.view_as(weight), second.view_as(weight)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        return straight_through(self.binary(first) + self.binary(second), like=first + second)

    def encode(self, first: Tensor, second: Tensor) -> Encoded:
        """The parts of both, one bit a weight each."""
        parts = {
            f"{name}_{part}": values
            for name, latent in (("first", first), ("second", second))
            for part, values in self.parts(latent).items()
        }
        return Encoded("binary sum", parts, {"shape": list(first.shape)})


@decodes("binary")
def decode_binary(parts: dict[str, Tensor], *, shape: list[int]) -> Tensor:
    """The matrix of this shape, [out, in], that `BinaryQuantization` computed."""
    signs = 2 * unpack_bits(parts["signs"], 1, shape[0] * shape[1]).to(torch.int8) - 1
    return dequantize(in_groups(signs, len(parts["scale"])), parts["scale"][:, None]).view(shape)


@decodes("binary sum")
def decode_binary_sum(parts: dict[str, Tensor], *, shape: list[int]) -> Tensor:
    """The matrix of this shape, [out, in], that `BinarySum` computed."""
    first, second = (
        {part: parts[f"{name}_{part}"] for part in ("signs", "scale")} for name in ("first", "second")
    )
    return decode_binary(first, shape=shape) + decode_binary(second, shape=shape)


# --- products of signs ----------------------------------------------------------------------------


def xnor_dot(a: Tensor, b: Tensor, count: int) -> int:
    """The dot product of two vectors of `count` signs, packed by `pack_bits`: uint8 [ceil(count / 8)] each.

    Equal signs bring 1, others -1: it is count - 2 * (how many differ). Bits beyond `count` do not matter.
    """
    differ = unpack_bits(a ^ b, 1, count)  # [count] of 0 and 1
    return count - 2 * int(differ.sum())


def pack_signs(x: Tensor) -> Tensor:
    """The signs of rows [N, in] as bytes uint8 [N, ceil(in / 8)], each row filled up with zeros."""
    bits = F.pad((x >= 0).to(torch.uint8), (0, -x.size(1) % 8))
    return pack_bits(bits.flatten(), bits=1).view(len(x), -1)


def xnor_product(a: Tensor, b: Tensor, count: int) -> Tensor:
    """All dot products of packed signs, a [N, bytes] with b [out, bytes]: int32 [N, out].

    `pack_signs` made both of `count` signs a row. NumPy counts the bits, of eight bytes at once where rows
    have so many.
    """
    words = np.uint64 if a.size(1) % 8 == 0 else np.uint8
    rows, columns = a.contiguous().numpy().view(words), b.contiguous().numpy().view(words)
    differ = [np.bitwise_count(row ^ columns).sum(axis=1, dtype=np.int32) for row in rows]  # [out] each
    return count - 2 * torch.from_numpy(np.stack(differ))
