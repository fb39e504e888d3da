"""How many bits codes need at least, by how often each of them occurs."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import packing
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

COUNTED = "(counts * torch.log2(1 / shares)).sum()"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The codes of the text, one value alone, negative and distant ones, a matrix, all different ones."""
    yield (torch.tensor([0, 1, 1, 2]),)
    yield (torch.tensor([5, 5, 5, 5, 5, 5]),)
    yield (torch.tensor([3], dtype=torch.int8),)
    yield (torch.tensor([-1, 0, 0, 0, 0, 0, 1, -1], dtype=torch.int8),)
    yield (torch.tensor([7, 200, 7, 7]),)  # nothing in between
    yield (torch.tensor([[-128, 127, 0], [0, 0, -128]], dtype=torch.int8),)
    yield (torch.tensor([3_000_000, -3_000_000, 0, 3_000_000]),)
    yield (torch.arange(9, dtype=torch.int16),)
    torch.manual_seed(seed)
    yield (torch.randint(-4, 4, (6, 5), dtype=torch.int32),)
    yield (torch.randn(200).round().to(torch.int8),)


def run(candidate: Any, codes: Tensor) -> Any:
    """The number, whether it is Python's, NumPy's or a tensor's."""
    bits = candidate(codes)
    if isinstance(bits, Tensor) and bits.dim() == 0:
        bits = bits.item()
    if isinstance(bits, bool) or not hasattr(bits, "__float__"):
        raise Unfit("It should return one number, the bits of all codes together.")
    try:
        return float(bits)
    except (TypeError, ValueError, RuntimeError):
        raise Unfit("It should return one number, the bits of all codes together.") from None


# fmt: off
EXERCISE = Exercise(
    name="entropy_bits", minutes=6, difficulty=2, reference=packing.entropy_bits, cases=cases, run=run,
    gradients=False, tolerance=1e-4,
    mistakes=[
        Mistake("of_one_code", "This is the entropy of one code, an average. All of them together need as"
            " many bits times their number.", edit("return (counts *", "return (shares *")),
        Mistake("nats", "Bits come of the logarithm to base 2, torch.log2. That to base e gives nats, that to"
            " base 10 digits.", (edit("torch.log2(", "torch.log("), edit("torch.log2(", "torch.log10("))),
        Mistake("bytes", "This is in bytes, eight bits each, and bits are asked for.",
            edit(COUNTED, f"{COUNTED} / 8")),
        Mistake("below_zero", "The logarithm of a share is negative, and bits are not: take the logarithm of"
            " 1 / share, or turn the sign.", edit("1 / shares", "shares")),
        Mistake("all_equally_frequent", "This counts only how many different codes there are, as if each were"
            " as frequent as the others. A frequent code can be given fewer bits than a rare one.",
            (edit(COUNTED, "codes.numel() * torch.log2(torch.tensor(float(len(counts))))"),
             edit(COUNTED, "codes.numel() * torch.log2(torch.tensor(float(len(counts)))).ceil()"))),
        Mistake("times_the_different_ones", "You multiply by how many different codes there are. Multiply by"
            " how many codes there are.",
            edit(COUNTED, "len(counts) * (shares * torch.log2(1 / shares)).sum()")),
        Mistake("shares_forgotten", "Each logarithm counts once, however often its code occurs. Weigh it by"
            " the code's share, or its count.",
            edit(COUNTED, "codes.numel() * torch.log2(1 / shares).sum()")),
        Mistake("rows_counted", "len(codes) counts the rows of a matrix. Take codes.numel(), the number of"
            " all codes.", edit(COUNTED, "len(codes) * (shares * torch.log2(1 / shares)).sum()")),
        Mistake("as_they_are_stored", "This is what the codes take as they lie in memory. The entropy asks"
            " how often each occurs.",
            edit(COUNTED, "torch.tensor(codes.numel() * codes.element_size() * 8.0)")),
        Mistake("rounded_up", "You round up. The bound is a real number; arithmetic coding comes within two"
            " bits of it.", edit(COUNTED, f"{COUNTED}.ceil()")),
        Mistake("range_alone", "This counts the codes between the smallest and the largest, whether they"
            " occur or not. Take only those that do, and how often each does.",
            edit(COUNTED, "codes.numel() * torch.log2(codes.max().double() - codes.min() + 1)")),
    ],
    hints=("A code whose share is p can be given log2(1 / p) bits: 1 bit at a half, 2 at a quarter. Add up"
           " over all codes.",
           "codes.unique(return_counts=True) gives the different codes and their counts [distinct]; counts /"
           " codes.numel() are their shares.",
           "counts = codes.unique(return_counts=True)[1]; return (counts * torch.log2(codes.numel() /"
           " counts)).sum()"),
    why="No code that looks at one number at a time can be shorter on average.",
)
# fmt: on
