"""Codes of a few bits read out of packed bytes."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb19 import streams
from chapters.nb19.pack_bits import cases as codes_of
from lib.compression.quantizers import packing
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[Tensor, int, int]]:
    """The bytes of the codes that are to be packed."""
    for codes, bits in codes_of(seed):
        yield packing.pack_bits(codes, bits), bits, len(codes)


def only_whole(packed: Tensor, bits: int, count: int) -> Tensor:
    """The codes of bytes that hold only whole ones."""
    fit = 8 // bits
    return (packed[:, None] >> bits * torch.arange(fit) & 2**bits - 1).flatten()[:count].to(torch.uint8)


# fmt: off
EXERCISE = Exercise(
    name="unpack_bits", minutes=6, difficulty=2, reference=streams.unpack_bits, cases=cases, gradients=False,
    mistakes=[
        Mistake("still_packed", "Those are the bytes themselves. Each holds bits of several codes, which have"
            " to be taken apart.", lambda packed, bits, count: packed.clone()),
        Mistake("filling_read", "You also read codes out of the zeros that fill the last byte. Keep the first"
            " count * bits bits of the stream.",
            edit("stream[: count * bits]", "stream[: len(stream) // bits * bits]")
                .then("(count, b", "(-1, b")),
        Mistake("highest_first", "You begin at the highest bit: in each byte, in each code, or in both, as"
            " numpy.unpackbits does. The lowest comes first: 0, 1, 1 is 6, and the first bit of a byte is"
            " worth 1.",
            (edit("torch.arange(bits)", "torch.arange(bits).flip(0)"),
             edit("torch.arange(8)", "torch.arange(8).flip(0)"),
             edit("torch.arange(bits)", "torch.arange(bits).flip(0)")
                 .then("torch.arange(8)", "torch.arange(8).flip(0)"))),
        Mistake("whole_codes", "You look for whole codes in each byte. Codes run across bytes, so write all"
            " bits into one stream before you cut it into codes.", only_whole),
        Mistake("by_place", "You cut the stream as if it held the lowest bits of all codes first. The bits of"
            " a code stand together: view the stream as [count, bits].",
            edit("view(count, bits)", "view(bits, count).T")),
        Mistake("bits_unweighted", "You count the ones of each code. The second bit is worth 2 and the third"
            " 4.", edit("(bits_of_codes * worth)", "bits_of_codes")),
    ],
    hints=("Undo the packing backward: from bytes to one stream of bits, from the stream to rows of `bits`"
           " bits.",
           "packed[:, None] >> torch.arange(8) & 1 is [bytes, 8]. Flattened, its first count * bits are"
           " [count, bits].",
           "(stream[: count * bits].view(count, bits) * 2 ** torch.arange(bits)).sum(dim=1).to(torch.uint8)"),
    why="A loaded model does this once; then it has float32 weights again, and their size in memory.",
)
# fmt: on
