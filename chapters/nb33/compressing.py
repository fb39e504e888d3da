"""How far codes can be compressed: by how often each occurs, and by LZMA."""

from __future__ import annotations

import lzma

from torch import Tensor

from lib.compression.quantizers.linear import scheme_named
from lib.compression.quantizers.packing import entropy_bits


def bits_a_code(weight: Tensor, bits: int, scheme: str) -> tuple[float, float]:
    """Of the codes of a weight [out, in]: the entropy of one, and what it takes after LZMA, in bits.

    LZMA gets one code a byte: whole bytes are what it looks for.
    """
    codes = scheme_named(scheme)(weight.detach(), bits).codes
    compressed = lzma.compress(codes.numpy().tobytes())
    return float(entropy_bits(codes)) / codes.numel(), 8 * len(compressed) / codes.numel()
