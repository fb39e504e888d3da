"""Codes of a few bits packed into bytes without a gap."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb19 import streams
from lib.compression.quantizers import packing
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

WHOLE = "(8 // bits * bits)"  # the bits of a byte that whole codes can fill


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The eight codes of the text; the largest code of all; then every number of bits, and odd counts."""
    yield torch.tensor([5, 0, 3, 6, 1, 4, 2, 3], dtype=torch.uint8), 3
    yield torch.tensor([1], dtype=torch.uint8), 1
    yield torch.tensor([255, 128, 1], dtype=torch.uint8), 8
    generator = torch.Generator().manual_seed(seed)
    for bits in range(1, 9):
        for count in (5, 16, 35):
            yield torch.randint(2**bits, (count,), generator=generator).to(torch.uint8), bits


# fmt: off
EXERCISE = Exercise(
    name="pack_bits", minutes=8, difficulty=3, reference=streams.pack_bits, cases=cases, gradients=False,
    invariants=[
        Invariant("comes_back", "Read bit by bit, your bytes do not give the codes back. Compare your first"
            " byte with the 197 that was worked by hand.",
            lambda _, arguments, result: torch.equal(
                packing.unpack_bits(result.to(torch.uint8), arguments[1], len(arguments[0])), arguments[0])),
    ],
    mistakes=[
        Mistake("one_a_byte", "Each code has a byte of its own. Put the lowest bits of all codes into one"
            " stream.", edit("torch.arange(bits)", "torch.arange(8)")),
        Mistake("whole_codes", "Each of your bytes holds only whole codes, and the bits that are left over"
            " stay empty. Codes run across bytes: the third bit of the 3 in the text is the first of the"
            " second byte.",
            edit("-len(stream) % 8", f"-len(stream) % {WHOLE}").then("stream.view(-1, 8)",
                f"torch.nn.functional.pad(stream.view(-1, {WHOLE}), (0, 8 - {WHOLE}))")),
        Mistake("highest_first", "You begin at the highest bit: in each code, in each byte, or in both, as"
            " numpy.packbits does. The lowest comes first: 6 is 0, 1, 1, and the first bit of a byte is worth"
            " 1.",
            (edit("torch.arange(bits)", "torch.arange(bits).flip(0)"),
             edit("torch.arange(8)", "torch.arange(8).flip(0)"),
             edit("torch.arange(bits)", "torch.arange(bits).flip(0)")
                 .then("torch.arange(8)", "torch.arange(8).flip(0)"))),
        Mistake("last_byte", "What is left after the last whole byte is filled up with zeros to one more."
            " Where nothing is left, there is no further byte: -n % 8 is 0 there, 8 - n % 8 is 8.",
            (edit("-len(stream) % 8", "8 - len(stream) % 8"),
             edit("torch.nn.functional.pad(stream, (0, missing))", "stream[: len(stream) // 8 * 8]"))),
        Mistake("by_place", "You write the lowest bit of every code, then the second of every code, and so"
            " on. The bits of a code stand together: [N, bits] has to be flattened row by row.",
            edit("bits_of_codes.flatten()", "bits_of_codes.T.flatten()")),
    ],
    hints=("First write all bits into one long list, code after code, the lowest bit of each first. Only then"
           " cut the list into bytes.",
           "codes[:, None] >> torch.arange(bits) & 1 is [N, bits]. Flattened it is the stream; filled up with"
           " zeros it can be viewed as [bytes, 8].",
           "(stream.view(-1, 8) * 2 ** torch.arange(8)).sum(dim=1).to(torch.uint8)"),
    why="Files of three-bit models are made of such bytes, and of a scale for each row.",
)
# fmt: on
