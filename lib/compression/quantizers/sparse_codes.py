"""Zeros and few bits at once: what pruning left is rounded, and zeros stay zeros that take no code.

Han et al. (2016) put pruning, a shared book of values and a code for each weight that is left into one file.
Rounded alone, a pruned matrix would spend a code on each zero, and of a book no value need be 0.

    add_masks(model, [path]); prune(model, 0.7)
    parametrize(model, path, "SparseCodes", quantizer="CodebookQuantization", bits=3)

Sizes: N weights of a matrix, n of them not 0.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decode, decodes
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.packing import pack_bits, unpack_bits


@parametrization
class SparseCodes(nn.Module):
    """A weight [out, in] whose zeros stay; its other numbers are rounded by a quantizer of `bits` bits.

    quantizer: "CodebookQuantization", whose book is made of what is not 0, or "LinearQuantization". Where the
    zeros are is taken from the weight that it is made for.
    """

    mask: Tensor  # boolean [out, in], True where a weight is left

    def __init__(self, weight: Tensor, quantizer: str, bits: int) -> None:
        super().__init__()
        self.register_buffer("mask", weight.detach() != 0)
        self.rounding: Any
        if quantizer == CodebookQuantization.__name__:
            # without numbers, while a model is loaded, none are chosen
            self.rounding = CodebookQuantization(weight if weight.is_meta else weight[self.mask], bits)
        else:
            self.rounding = LinearQuantization(weight, bits)

    def forward(self, weight: Tensor) -> Tensor:
        return self.rounding(weight) * self.mask

    def encode(self, weight: Tensor) -> Encoded:
        """A bitmap of what is left, uint8 [ceil(N / 8)], and the quantizer's parts with n of its N codes."""
        dense, kept = self.rounding.encode(weight * self.mask), self.mask.flatten()
        codes = unpack_bits(dense.parts["codes"], self.rounding.bits, kept.numel())
        parts = {
            **dense.parts,
            "codes": pack_bits(codes[kept], self.rounding.bits),
            "bitmap": pack_bits(kept.to(torch.uint8), bits=1),
        }
        info = {"dense": dense.encoding, "kept": int(kept.sum()), **dense.info}
        return Encoded("sparse codes", parts, info)


@decodes("sparse codes")
def decode_sparse_codes(
    parts: dict[str, Tensor], *, dense: str, kept: int, bits: int, shape: list[int]
) -> Tensor:
    """The matrix of this shape, [out, in], that `SparseCodes` computed; dense: the quantizer's encoding."""
    mask = unpack_bits(parts["bitmap"], 1, math.prod(shape)).bool()
    codes = torch.zeros(math.prod(shape), dtype=torch.uint8)
    codes[mask] = unpack_bits(parts["codes"], bits, kept)
    inner = {name: part for name, part in parts.items() if name != "bitmap"}
    info = {"bits": bits, "shape": shape}
    return decode(Encoded(dense, {**inner, "codes": pack_bits(codes, bits)}, info)) * mask.view(shape)
