"""Codes of a few bits packed into bytes without a gap."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import packing
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

OF_A_CODE, OF_A_BYTE = "place[:bits]", "(stream << place)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The eight codes of the text; the largest code of all; then every number of bits, and odd counts."""
    yield torch.tensor([5, 0, 3, 6, 1, 4, 2, 3], dtype=torch.uint8), 3
    yield torch.tensor([1], dtype=torch.uint8), 1
    yield torch.tensor([255, 128, 1], dtype=torch.uint8), 8
    generator = torch.Generator().manual_seed(seed)
    for bits in range(1, 9):
        for count in (5, 16, 35):
            yield torch.randint(2**bits, (count,), generator=generator).to(torch.uint8), bits


def has_the_bytes(_candidate: object, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    codes, bits = arguments
    return result.shape == (-(-len(codes) * bits // 8),)


def comes_back(_candidate: object, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    codes, bits = arguments
    return torch.equal(packing.unpack_bits(result.to(torch.uint8), bits, len(codes)), codes)


def one_a_byte(codes: Tensor, bits: int) -> Tensor:
    return codes.clone()


def bit_a_byte(codes: Tensor, bits: int) -> Tensor:
    return (codes[:, None] >> torch.arange(bits, dtype=torch.uint8) & 1).flatten()


def whole_codes(codes: Tensor, bits: int) -> Tensor:
    """As many whole codes in each byte as fit; what is left of the byte stays empty."""
    fit = 8 // bits
    rows = torch.nn.functional.pad(codes, (0, -len(codes) % fit)).view(-1, fit)
    return (rows.to(torch.int64) << bits * torch.arange(fit)).sum(dim=1).to(torch.uint8)


EXERCISE = Exercise(
    name="pack_bits",
    minutes=8,
    difficulty=3,
    reference=packing.pack_bits,
    cases=cases,
    gradients=False,
    invariants=[
        Invariant(
            "bytes",
            "N codes of b bits take N * b / 8 bytes, rounded up: eight codes of three bits take three.",
            has_the_bytes,
        ),
        Invariant(
            "comes_back",
            "Read bit by bit, your bytes do not give the codes back. Compare your first byte with the 197"
            " that was worked by hand.",
            comes_back,
        ),
    ],
    mistakes=[
        Mistake(
            "one_a_byte",
            "Each code has a whole byte of its own. A code below 2^bits needs only its lowest bits, so cut it"
            " into bits and put those of all codes into one stream.",
            one_a_byte,
        ),
        Mistake(
            "bit_a_byte",
            "You return the stream itself, with a whole byte for every bit. Eight bits of it make one byte:"
            " the first is worth 1, the last 128.",
            bit_a_byte,
        ),
        Mistake(
            "whole_codes",
            "Each of your bytes holds only whole codes, and the bits that are left over stay empty. Codes run"
            " across bytes: the third bit of the 3 in the text is the first of the second byte.",
            whole_codes,
        ),
        Mistake(
            "highest_first",
            "Within each code you begin with the highest bit. The lowest comes first: 6 is 0, 1, 1.",
            edit(OF_A_CODE, "place[:bits].flip(0)"),
        ),
        Mistake(
            "byte_upside_down",
            "The bits of a code are in order, but within a byte the first bit has to be worth 1 and the last"
            " 128. Yours is the other way round.",
            edit(OF_A_BYTE, "(stream << place.flip(0))"),
        ),
        Mistake(
            "as_packbits",
            "You begin with the highest bit both in a code and in a byte, as numpy.packbits does by default."
            " Here the lowest comes first in both.",
            edit(OF_A_CODE, "place[:bits].flip(0)").then(OF_A_BYTE, "(stream << place.flip(0))"),
        ),
        Mistake(
            "filled_in_front",
            "The zeros that fill the last byte stand at the beginning, so every code is shifted. They"
            " belong at the end of the stream.",
            edit("(0, -len(stream) % 8)", "(-len(stream) % 8, 0)"),
        ),
        Mistake(
            "empty_byte",
            "Where the stream ends with a whole byte, you add an empty one. -n % 8 is 0 there, 8 - n % 8 is"
            " 8.",
            edit("-len(stream) % 8", "8 - len(stream) % 8"),
        ),
        Mistake(
            "last_byte_lost",
            "What is left of the stream after the last whole byte gets lost. Fill it up with zeros to a"
            " byte.",
            edit("F.pad(stream, (0, -len(stream) % 8))", "stream[: len(stream) // 8 * 8]"),
        ),
        Mistake(
            "by_place",
            "You write the lowest bit of every code, then the second of every code, and so on. The bits of a"
            " code stand together: [N, bits] has to be flattened row by row.",
            edit("& 1).flatten()", "& 1).T.flatten()"),
        ),
    ],
    hints=(
        "First write all bits into one long list, code after code, the lowest bit of each first. Only then"
        " cut the list into bytes.",
        "codes[:, None] >> torch.arange(bits) & 1 is [N, bits]. Flattened it is the stream; filled up with"
        " zeros it can be viewed as [bytes, 8].",
        "(stream.view(-1, 8) << torch.arange(8)).sum(dim=1).to(torch.uint8)",
    ),
    why="Files of three-bit models are made of such bytes, and of a scale for each row.",
)
