"""Codes of a few bits read out of packed bytes."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb19.pack_bits import cases as codes_of
from lib.compression.quantizers import packing
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

OF_A_CODE, OF_A_BYTE = "stream << place[:bits]", "packed[:, None] >> place &"


def cases(seed: int) -> Iterator[tuple[Tensor, int, int]]:
    """The bytes of the codes that are to be packed."""
    for codes, bits in codes_of(seed):
        yield packing.pack_bits(codes, bits), bits, len(codes)


def has_the_count(_candidate: object, arguments: tuple[Tensor, int, int], result: Tensor) -> bool:
    return result.shape == (arguments[2],)


def only_whole(packed: Tensor, bits: int, count: int) -> Tensor:
    """The codes of bytes that hold only whole ones."""
    fit = 8 // bits
    return (packed[:, None] >> bits * torch.arange(fit) & 2**bits - 1).flatten()[:count].to(torch.uint8)


EXERCISE = Exercise(
    name="unpack_bits",
    minutes=6,
    difficulty=2,
    reference=packing.unpack_bits,
    cases=cases,
    gradients=False,
    invariants=[
        Invariant(
            "count",
            "What comes back are `count` codes. The zeros that fill the last byte are none of them.",
            has_the_count,
        ),
    ],
    mistakes=[
        Mistake(
            "still_packed",
            "Those are the bytes themselves. Each holds bits of several codes, which have to be taken apart.",
            lambda packed, bits, count: packed.clone(),
        ),
        Mistake(
            "filling_read",
            "You also read codes out of the zeros that fill the last byte. Keep the first count * bits bits"
            " of the stream.",
            edit(
                "stream[: count * bits].view(count, bits)",
                "stream[: len(stream) // bits * bits].view(-1, bits)",
            ),
        ),
        Mistake(
            "highest_first",
            "You take the first bit of a code for its highest. The lowest comes first: 0, 1, 1 is 6.",
            edit(OF_A_CODE, "stream << place[:bits].flip(0)"),
        ),
        Mistake(
            "byte_upside_down",
            "You begin to read a byte at its highest bit. The first bit of the stream is the one worth 1.",
            edit(OF_A_BYTE, "packed[:, None] >> place.flip(0) &"),
        ),
        Mistake(
            "as_unpackbits",
            "You begin with the highest bit both in a byte and in a code, as numpy.unpackbits does by"
            " default. Here the lowest comes first in both.",
            edit(OF_A_BYTE, "packed[:, None] >> place.flip(0) &").then(
                OF_A_CODE, "stream << place[:bits].flip(0)"
            ),
        ),
        Mistake(
            "whole_codes",
            "You look for whole codes in each byte. Codes run across bytes, so write all bits into one stream"
            " before you cut it into codes.",
            only_whole,
        ),
        Mistake(
            "by_place",
            "You cut the stream as if it held the lowest bits of all codes first. The bits of a code stand"
            " together: view the stream as [count, bits].",
            edit("view(count, bits)", "view(bits, count).T"),
        ),
        Mistake(
            "bits_unweighted",
            "You count the ones of each code. The second bit is worth 2 and the third 4.",
            edit(f"({OF_A_CODE})", "stream"),
        ),
    ],
    hints=(
        "Undo the packing backward: from bytes to one stream of bits, from the stream to rows of `bits`"
        " bits.",
        "packed[:, None] >> torch.arange(8) & 1 is [bytes, 8]. Flattened, its first count * bits are"
        " [count, bits].",
        "(stream[: count * bits].view(count, bits) << torch.arange(bits)).sum(dim=1).to(torch.uint8)",
    ),
    why="A loaded model does this once; then it has float32 weights again, and their size in memory.",
)
