"""Codes of 1 to 8 bits, packed without a gap into bytes: eight codes of 3 bits take 3 bytes."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.compression.quantizers.linear import unsigned_codes


def pack_bits(codes: Tensor, bits: int) -> Tensor:
    """Codes uint8 [N], each below 2^bits, as a stream of bits in bytes uint8 [ceil(N * bits / 8)].

    The lowest bit of a code and of a byte comes first. The last byte ends in zeros. ValueError: more bits.
    """
    validate_codes(codes, bits)
    place = torch.arange(8, dtype=torch.uint8, device=codes.device)
    stream = (codes[:, None] >> place[:bits] & 1).flatten()  # [N * bits] of 0 and 1
    stream = F.pad(stream, (0, -len(stream) % 8)).view(-1, 8)  # [bytes, 8]
    return (stream << place).sum(dim=1, dtype=torch.uint8)


def unpack_bits(packed: Tensor, bits: int, count: int) -> Tensor:
    """The first `count` codes, uint8 [count], of bytes that `pack_bits` made of codes of so many bits.

    ValueError where bytes, bits and count do not fit together.
    """
    validate_packed(packed, bits, count)
    place = torch.arange(8, dtype=torch.uint8, device=packed.device)
    stream = (packed[:, None] >> place & 1).flatten()  # [8 * bytes] of 0 and 1
    stream = stream[: count * bits].view(count, bits)
    return (stream << place[:bits]).sum(dim=1, dtype=torch.uint8)


def entropy_bits(codes: Tensor) -> Tensor:
    """How many bits a code that knows only how often each value occurs needs at least for all of them: [].

    codes: whole numbers of any shape, at least one. It is their count times the entropy of their shares in
    bits (Shannon, 1948); LZMA, which sees order as well, may need less.
    """
    _, counts = codes.unique(return_counts=True)  # [distinct]
    shares = counts.double() / codes.numel()
    return (counts * torch.log2(1 / shares)).sum()


def validate_codes(codes: Tensor, bits: int) -> None:
    """Raise a ValueError if these are no codes, uint8 [N], of so many bits."""
    most = unsigned_codes(bits)
    if codes.dtype != torch.uint8 or codes.dim() != 1:
        raise ValueError(
            f"Codes of type {codes.dtype} and shape {list(codes.shape)}: give uint8 [N], "
            "codes.flatten().to(torch.uint8); signed ones first need the largest code added."
        )
    if codes.numel() and codes.max() > most:
        raise ValueError(f"The code {codes.max()} does not fit into {bits} bits: {most} is the largest.")


def validate_packed(packed: Tensor, bits: int, count: int) -> None:
    """Raise a ValueError if these bytes are not uint8 [ceil(count * bits / 8)]."""
    unsigned_codes(bits)
    needed = -(-count * bits // 8)
    if packed.dtype != torch.uint8 or packed.dim() != 1 or count < 0 or len(packed) != needed:
        raise ValueError(
            f"{count} codes of {bits} bits are uint8 [{needed}], and this is {packed.dtype} of shape "
            f"{list(packed.shape)}: give the bytes, bits and count that belong together."
        )
