"""A matrix full of zeros in as few bytes as they allow: what is not 0, and where it stands.

Where it stands is told in one of two ways, whichever is shorter. A bitmap has a bit for each weight. An
index has, for each weight that is left, the number of zeros before it, its gap, in codes of a few bits
(Han et al., 2016, who fill long gaps with a stored zero); here the largest code means "so many zeros, and no
weight yet", so that a long gap takes two codes or more. With a bitmap a weight of 32 bits costs 33 or 1; with
an index, nothing or 32 and a code or more.

Sizes: N weights of a matrix, n of them not 0, M codes.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lib.compression.encodings import Encoded, decodes
from lib.compression.quantizers.packing import pack_bits, unpack_bits

BITMAP, INDEX = "sparse bitmap", "sparse index"
CODE_BITS = range(1, 9)  # of a gap


def encode_sparse(tensor: Tensor) -> Encoded:
    """A float32 tensor of any shape by the cheapest of bitmap, index, and, where few are 0, plain numbers."""
    flat = tensor.detach().flatten()
    kept = flat != 0
    values, shape = flat[kept], list(tensor.shape)
    bits, index_bits = cheapest_index(kept)
    bitmap_bits = flat.numel()
    if 32 * len(values) + min(index_bits, bitmap_bits) >= 32 * flat.numel():
        return Encoded("float32", {"values": tensor.detach()})
    if bitmap_bits <= index_bits or not len(values):
        bitmap = pack_bits(kept.to(torch.uint8), bits=1)
        return Encoded(BITMAP, {"values": values, "bitmap": bitmap}, {"shape": shape})
    codes = gap_codes(kept, bits)
    info = {"shape": shape, "bits": bits, "codes": len(codes)}
    return Encoded(INDEX, {"values": values, "index": pack_bits(codes, bits)}, info)


def cheapest_index(kept: Tensor) -> tuple[int, int]:
    """How many bits a code should have, and how many the whole index then takes.

    kept: boolean [N], true where a weight is left.
    """
    gaps = _gaps(kept)
    sizes = {bits: bits * int((gaps // (2**bits - 1) + 1).sum()) for bits in CODE_BITS}
    best = min(sizes, key=sizes.__getitem__)
    return best, sizes[best]


def gap_codes(kept: Tensor, bits: int) -> Tensor:
    """The zeros before each weight that is left, as codes uint8 [M] of `bits` bits.

    kept: boolean [N], true where a weight is left.
    The largest code, 2^bits - 1, stands for so many zeros that no weight follows yet.
    """
    skip = 2**bits - 1
    gaps = _gaps(kept)
    codes = torch.full((int((gaps // skip + 1).sum()),), skip, dtype=torch.uint8, device=kept.device)
    ends = (gaps // skip + 1).cumsum(0) - 1  # where each weight's own code stands, after its skips
    codes[ends] = (gaps % skip).to(torch.uint8)
    return codes


def kept_places(codes: Tensor, bits: int) -> Tensor:
    """The places [n] of the weights that are left, ascending, out of the codes [M] of `gap_codes`."""
    is_skip = codes == 2**bits - 1
    after = (codes.long() + (~is_skip).long()).cumsum(0)  # places passed, the weight's own included
    return after[~is_skip] - 1


def _gaps(kept: Tensor) -> Tensor:
    places = kept.nonzero().flatten()
    return places.diff(prepend=places.new_tensor([-1])) - 1


def entropy_bits(share: float) -> float:
    """The bits a weight that no way to tell where the kept ones stand can undercut, if they stand anywhere.

    share: of the weights that are kept. At 5 % it is 0.29; a bitmap always takes 1.
    """
    return sum(-part * math.log2(part) for part in (share, 1 - share) if part)


@decodes(BITMAP)
def decode_bitmap(parts: dict[str, Tensor], *, shape: list[int]) -> Tensor:
    """The float32 tensor of this shape, from "values" [n] and "bitmap" uint8 [ceil(N / 8)]."""
    kept = unpack_bits(parts["bitmap"], 1, math.prod(shape)).bool()
    tensor = torch.zeros(math.prod(shape))
    tensor[kept] = parts["values"]
    return tensor.view(shape)


@decodes(INDEX)
def decode_index(parts: dict[str, Tensor], *, shape: list[int], bits: int, codes: int) -> Tensor:
    """The float32 tensor of this shape, from "values" [n] and "index" uint8 [ceil(M * bits / 8)]."""
    places = kept_places(unpack_bits(parts["index"], bits, codes), bits)
    tensor = torch.zeros(math.prod(shape))
    tensor[places] = parts["values"]
    return tensor.view(shape)
