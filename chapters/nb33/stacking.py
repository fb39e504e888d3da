"""What the exercises of notebook 33 ask for: codes whose step suits a spread, and the bytes of a stack."""

import torch
from torch import Tensor


def spread_codes(weight: Tensor, bits: int, relative_step: float) -> tuple[Tensor, Tensor]:
    """Codes [out, in] of a matrix and the step [out, 1] of each row: weight is about (codes + 0.5) * step.

    relative_step: the step in units of a row's spread, which is the root of its mean square. A code is
    weight / step rounded down, from -2^(bits-1) to 2^(bits-1) - 1. No row is all zeros.
    """
    spread = weight.square().mean(dim=1, keepdim=True).sqrt()
    step = relative_step * spread
    half = 2 ** (bits - 1)
    codes = torch.floor(weight / step)
    codes = codes.clamp(-half, half - 1)
    return codes, step


def stack_bytes(layers: int, share: float, bits: int, word_bits: int, pieces: int) -> float:
    """How many bytes the codes of a stack of MiniLM take: those of its layers, its pooler and its words.

    share: of the heads and neurons of each layer that are kept. bits: of a weight in the layers and in the
    pooler; word_bits: of a number in the table of words, which has 384 for each of the pieces.
    """
    attention = 4 * 384 * 384 * share
    feed_forward = 2 * 384 * 1536 * share
    pooler = 384 * 384
    layer_bits = (layers * (attention + feed_forward) + pooler) * bits
    table_bits = pieces * 384 * word_bits
    return (layer_bits + table_bits) / 8
