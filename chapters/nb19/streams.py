"""Streams of bits: codes of a few bits in bytes without a gap, and back."""

import torch
from torch import Tensor


def pack_bits(codes: Tensor, bits: int) -> Tensor:
    """Codes uint8 [N], each below 2^bits, as one stream of bits in bytes uint8 [N * bits / 8, rounded up]."""
    places = torch.arange(bits)
    bits_of_codes = codes[:, None] >> places & 1  # [N, bits]: of each code, the lowest bit first
    stream = bits_of_codes.flatten()  # code after code
    missing = -len(stream) % 8
    stream = torch.nn.functional.pad(stream, (0, missing))  # zeros fill the last byte
    bits_of_bytes = stream.view(-1, 8)
    worth = 2 ** torch.arange(8)  # 1, 2, 4, ..., 128
    return (bits_of_bytes * worth).sum(dim=1).to(torch.uint8)


def unpack_bits(packed: Tensor, bits: int, count: int) -> Tensor:
    """The codes uint8 [count] in bytes that `pack_bits` made of codes of so many bits."""
    places = torch.arange(8)
    bits_of_bytes = packed[:, None] >> places & 1  # [bytes, 8]: of each byte, the lowest bit first
    stream = bits_of_bytes.flatten()
    stream = stream[: count * bits]  # without the zeros that fill the last byte
    bits_of_codes = stream.view(count, bits)
    worth = 2 ** torch.arange(bits)  # 1, 2, 4, ...
    return (bits_of_codes * worth).sum(dim=1).to(torch.uint8)
