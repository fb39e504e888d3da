"""A dot product of signs by counting bits."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import binary
from lib.compression.quantizers.packing import unpack_bits
from lib.exercises.spec import Exercise, Mistake, edit

DIFFER, RESULT = "unpack_bits(a ^ b, 1, count)", "count - 2 * int(differ.sum())"
WHOLE_BYTES = "unpack_bits(a ^ b, 1, 8 * len(a))[: count // 8 * 8]"
ALL_BITS = "unpack_bits(a ^ b, 1, 8 * len(a))"


def packed(*numbers: int) -> Tensor:
    """Bytes."""
    return torch.tensor(numbers, dtype=torch.uint8)


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The vectors of the text; padding that is set; one sign; equal ones; many that differ; random ones."""
    yield packed(77), packed(103), 8
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
    name="xnor_dot", minutes=6, difficulty=2, reference=binary.xnor_dot, cases=cases, gradients=False,
    mistakes=[
        Mistake("padding_counted", "You count bits beyond `count` too. The last byte may hold some that"
            " belong to nothing: leave them out before you count.",
            (edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a))"),
             edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a))")
                 .then(RESULT, "8 * len(a) - 2 * int(differ.sum())"),
             edit(DIFFER, ALL_BITS).then(RESULT, "2 * (8 * len(a) - int(differ.sum())) - count"))),
        Mistake("overflow", "Your count of bits goes beyond 255 and, being of eight bits, begins again at 0."
            " Sum in a larger type: .sum() as int64, or .long() first.",
            edit("int(differ.sum())", "int(differ.sum(dtype=torch.uint8))")),
        Mistake("equal_ones_counted", "You return how many signs are equal. Each of them brings +1, but those"
            " that differ bring -1: equal - differing, or count - 2 * differing.",
            (edit(RESULT, "count - int(differ.sum())"),
             edit(DIFFER, ALL_BITS).then(RESULT, "count - int(differ.sum())"),
             edit(DIFFER, ALL_BITS).then(RESULT, "8 * len(a) - int(differ.sum())"))),
        Mistake("differing_counted", "You return how many signs differ. Each of these brings -1, others +1:"
            " count - 2 * differing.",
            (edit(RESULT, "int(differ.sum())"), edit(DIFFER, ALL_BITS).then(RESULT, "int(differ.sum())"))),
        Mistake("sign_exchanged", "Your result has the opposite sign: the XOR of two bits is 1 where the"
            " signs differ, and their product is then -1.",
            (edit(RESULT, "2 * int(differ.sum()) - count"),
             edit(DIFFER, ALL_BITS).then(RESULT, "2 * int(differ.sum()) - count"))),
        Mistake("and_for_xnor", "You count where both bits are 1. Two zeros are two times -1, and their"
            " product is +1 as well: compare with XOR.",
            (edit(RESULT, "int(unpack_bits(a & b, 1, count).sum())"),
             edit(RESULT, "int(unpack_bits(a & b, 1, 8 * len(a)).sum())"),
             edit(DIFFER, "unpack_bits(a & b, 1, count)"), edit(DIFFER, "unpack_bits(a | b, 1, count)"),
             edit(DIFFER, "unpack_bits(a & b, 1, 8 * len(a))"),
             edit(DIFFER, "unpack_bits(a | b, 1, 8 * len(a))"),
             edit(DIFFER, "1 - unpack_bits(a & b, 1, count)"))),
        Mistake("wrong_end", "You read the bits of a byte from its highest down, so that padding is left out"
            " at the wrong end. Bit i of the vector is bit i mod 8 of its byte, the lowest first.",
            edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a)).view(-1, 8).flip(1).flatten()[:count]")),
        Mistake("bytes_compared", "You compare whole bytes. Eight signs stand in each: count the bits in"
            " which two bytes differ.", edit(RESULT, "count - 2 * int((a != b).sum())")),
        Mistake("last_byte_dropped", "You leave out the last byte where it isn't full. Some of its bits"
            " belong to the vectors, those below count % 8.",
            (edit(DIFFER, WHOLE_BYTES),
             edit(DIFFER, WHOLE_BYTES).then(RESULT, "len(differ) - 2 * int(differ.sum())"))),
        Mistake("full_byte_dropped", "Where count is a multiple of 8, the last byte is full, and you leave it"
            " out: count % 8 is 0 there, so a mask of so many ones is 0 as well.",
            edit(DIFFER, "unpack_bits(a ^ b, 1, count - (8 if count % 8 == 0 else 0))")),
        Mistake("minus_one_in_eight_bits", "uint8 has no -1: 2 * 0 - 1 becomes 255 there. Turn the bits into"
            " a signed type, with .long(), before you make signs of them.",
            lambda a, b, count: int(
                ((2 * unpack_bits(a, 1, count) - 1) * (2 * unpack_bits(b, 1, count) - 1)).sum())),
        Mistake("bits_before_bytes", "Your bits stand in the wrong order: first all the lowest ones, then all"
            " the second. Put the eight of a byte side by side, as [bytes, 8], before you flatten them.",
            edit(DIFFER, "unpack_bits(a ^ b, 1, 8 * len(a)).view(-1, 8).T.flatten()[:count]")),
        Mistake("averaged", "You divide by count. A dot product is a sum, and a whole number.",
            edit(RESULT, f"({RESULT}) / count")),
        Mistake("bytes_multiplied", "You multiply bytes. Each holds eight signs, one in each bit: take the"
            " bits apart, or XOR bytes.", lambda a, b, count: int((a.long() * b.long()).sum())),
        Mistake("other_sum", "You counted right, but put the numbers together otherwise. Equal signs bring +1"
            " and different ones -1, and the two numbers add up to count: count - 2 * differing.",
            tuple(edit(RESULT, sum_of.replace("d", "int(differ.sum())"))
                for sum_of in ("d - count", "count + 2 * d", "2 * (count - d)", "2 * d", "len(a) - 2 * d",
                    "count // 2 - d"))),
        Mistake("one_byte", "You compare one byte. The vectors have ceil(count / 8) of them: count over all.",
            (edit(DIFFER, "unpack_bits(a[:1] ^ b[:1], 1, min(count, 8))"),
             edit(DIFFER, "unpack_bits(a[:1] ^ b[:1], 1, 8)"),
             edit(DIFFER, "unpack_bits(a[-1:] ^ b[-1:], 1, 8)"))),
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
