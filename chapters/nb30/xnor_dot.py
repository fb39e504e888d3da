"""A dot product of signs by counting bits."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import binary
from lib.exercises.spec import Exercise, Mistake, edit

DIFFER, RESULT = "unpack_bits(a ^ b, 1, count)", "count - 2 * int(differ.sum())"


def packed(*numbers: int) -> Tensor:
    """Bytes."""
    return torch.tensor(numbers, dtype=torch.uint8)


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The vectors of the text; padding that is set; one sign; equal ones; many that differ; random ones."""
    yield packed(0b10110100), packed(0b10011101), 8
    yield packed(0b00000101, 0b11111111), packed(0b00000110, 0b00000001), 10  # seven bits of padding differ
    yield from ((packed(1), packed(255), 1), (packed(254), packed(1), 1))
    yield packed(170, 3), packed(170, 3), 16
    torch.manual_seed(seed)
    for count in (3, 13, 64, 333):
        a, b = torch.randint(256, (2, -(-count // 8)), dtype=torch.uint8)
        yield a, b, count
    yield torch.zeros(100, dtype=torch.uint8), torch.full((100,), 255, dtype=torch.uint8), 798


# fmt: off
EXERCISE = Exercise(
    name="xnor_dot", minutes=7, difficulty=2, reference=binary.xnor_dot, cases=cases, gradients=False,
    mistakes=[
        Mistake("padding_counted", "You count bits beyond `count` too. The last byte may hold some that"
            " belong to nothing: leave them out before you count.",
            (edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a))"),
             edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a))")
                 .then(RESULT, "8 * len(a) - 2 * int(differ.sum())"))),
        Mistake("overflow", "Your count of bits goes beyond 255 and, being of eight bits, begins again at 0."
            " Sum in a larger type: .sum() as int64, or .long() first.",
            edit("int(differ.sum())", "int(differ.sum(dtype=torch.uint8))")),
        Mistake("equal_ones_counted", "You return how many signs are equal. Each of them brings +1, but those"
            " that differ bring -1: equal - differing, or count - 2 * differing.",
            edit(RESULT, "count - int(differ.sum())")),
        Mistake("differing_counted", "You return how many signs differ. Each of these brings -1, others +1:"
            " count - 2 * differing.", edit(RESULT, "int(differ.sum())")),
        Mistake("sign_exchanged", "Your result has the opposite sign: the XOR of two bits is 1 where the"
            " signs differ, and their product is then -1.", edit(RESULT, "2 * int(differ.sum()) - count")),
        Mistake("and_for_xnor", "You count where both bits are 1. Two zeros are two times -1, and their"
            " product is +1 as well: compare with XOR.",
            (edit(RESULT, "int(unpack_bits(a & b, 1, count).sum())"),
             edit(DIFFER, "unpack_bits(a & b, 1, count)"), edit(DIFFER, "1 - unpack_bits(a & b, 1, count)"))),
        Mistake("wrong_end", "You read the bits of a byte from its highest down, so that padding is left out"
            " at the wrong end. Bit i of the vector is bit i mod 8 of its byte, the lowest first.",
            edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a)).view(-1, 8).flip(1).flatten()[:count]")),
        Mistake("bytes_compared", "You compare whole bytes. Eight signs stand in each: count the bits in"
            " which two bytes differ.", edit(RESULT, "count - 2 * int((a != b).sum())")),
    ],
    hints=("What is the product of two signs that are equal, and of two that differ? Then how many of either"
           " are there?",
           "a ^ b is [bytes], and has a 1 where the signs differ. (x[:, None] >> torch.arange(8)) & 1 makes"
           " bits [bytes, 8] of it, the lowest first; flatten them and keep the first `count`.",
           "bits = ((a ^ b)[:, None] >> torch.arange(8) & 1).flatten()[:count]; return count - 2 *"
           " int(bits.sum())"),
    why="Eight multiplications became one XOR of two bytes and a count of bits.",
)
# fmt: on
