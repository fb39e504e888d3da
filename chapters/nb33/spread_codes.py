"""The codes of a matrix whose steps suit how far its weights spread."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb33 import stacking
from lib.exercises.spec import Exercise, Mistake, edit

SPREAD = "weight.square().mean(dim=1, keepdim=True).sqrt()"
CODES, CLAMPED = "torch.floor(weight / step)", "codes.clamp(-half, half - 1)"
TEXT = [0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]


def cases(seed: int) -> Iterator[tuple[Tensor, int, float]]:
    """The row of the text; rows that spread unlike; a mean that is not 0; a large weight in each row."""
    text = torch.tensor([TEXT])
    yield text, 2, 0.996
    yield text, 3, 0.586
    yield torch.tensor([[1.0, -1.0, 0.4, 0.2], [10.0, -13.0, 5.0, 1.0]]), 2, 0.996
    yield torch.tensor([[0.9, 1.1, 1.3, 0.5], [-0.2, -0.7, -0.4, -1.9]]), 2, 0.996
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, bits, relative_step in ((3, 20, 2, 0.996), (5, 33, 3, 0.586), (4, 40, 4, 0.335)):
        weight = torch.randn(rows, columns, generator=generator) * (1 + torch.arange(rows)[:, None])
        weight[:, 0] = 9.0
        yield weight, bits, relative_step


def run(candidate: Any, weight: Tensor, bits: int, relative_step: float) -> Any:
    """Codes and step; codes of a whole-number type count as the same numbers."""
    given = candidate(weight, bits, relative_step)
    if not isinstance(given, tuple) or len(given) != 2:
        return given
    codes, step = given
    return (codes.to(weight.dtype) if isinstance(codes, Tensor) else codes), step


# fmt: off
EXERCISE = Exercise(
    name="spread_codes", minutes=6, difficulty=2, reference=stacking.spread_codes, cases=cases, run=run,
    returns=("the codes", "the step"), gradients=False,
    mistakes=[
        Mistake("by_the_largest", "Your step follows the largest weight of a row, as in notebook 20. Here it"
            " follows the spread: the root of the mean square.",
            edit(SPREAD, "weight.abs().amax(dim=1, keepdim=True)")),
        Mistake("whole_matrix", "Your spread is that of the whole matrix. Each row has its own: mean(dim=1,"
            " keepdim=True).",
            (edit(SPREAD, "weight.square().mean().sqrt().expand(len(weight), 1)"),
             edit(SPREAD, "weight.square().mean().sqrt()"))),
        Mistake("columns", "Your spread is that of a column. A row is what has one step: take dim=1.",
            edit(SPREAD, "weight.square().mean(dim=0, keepdim=True).sqrt()")),
        Mistake("deviation", "You took the standard deviation, which first takes the mean away. The levels"
            " lie around 0, so the spread is measured from 0: square, mean, root.",
            (edit(SPREAD, "weight.std(dim=1, keepdim=True)"),
             edit(SPREAD, "weight.std(dim=1, keepdim=True, correction=0)"))),
        Mistake("no_root", "The root is missing: the spread is the root of the mean square.",
            edit(".sqrt()", "")),
        Mistake("mean_size", "You took the mean of the sizes. The spread is the root of the mean square.",
            edit(SPREAD, "weight.abs().mean(dim=1, keepdim=True)")),
        Mistake("length", "You took the length of a row, the root of the *sum* of squares. Take the mean.",
            edit(SPREAD, "weight.norm(dim=1, keepdim=True)")),
        Mistake("step_is_the_spread", "Your step is the spread itself. Multiply it by relative_step.",
            edit("relative_step * spread", "spread")),
        Mistake("rounded_to_nearest", "You round to the nearest whole number. The levels lie half a step"
            " beside the whole numbers, so round down: torch.floor.",
            edit("torch.floor", "torch.round")),
        Mistake("towards_zero", "You cut off the decimals, which rounds negative numbers up. Round down:"
            " torch.floor.", (edit("torch.floor", "torch.trunc"), edit(CODES, "(weight / step).int()"))),
        Mistake("not_clipped", "Codes beyond the last one are left. With 2 bits there are -2, -1, 0 and 1"
            " alone: clamp them.", edit(CLAMPED, "codes")),
        Mistake("one_code_missing", "Your codes are as in notebook 20, one fewer on the negative side. Here"
            " all 2^bits codes are used: from -2^(bits-1) to 2^(bits-1) - 1.",
            edit(CLAMPED, "codes.clamp(1 - half, half - 1)")),
        Mistake("one_code_too_many", "The largest code is 2^(bits-1) - 1, that is 1 with 2 bits.",
            edit(CLAMPED, "codes.clamp(-half, half)")),
        Mistake("clipped_at_bits", "The codes end at -2^(bits-1) and 2^(bits-1) - 1, not at a power of"
            " another number of bits.",
            (edit("2 ** (bits - 1)", "2 ** bits"), edit("2 ** (bits - 1)", "2 ** (bits - 2)"),
             edit("2 ** (bits - 1)", "bits"))),
        Mistake("from_zero", "Your codes count from 0 up. Here they lie around 0: with 2 bits -2, -1, 0, 1.",
            edit("return codes,", "return codes + half,")),
        Mistake("levels", "You return the rounded weights. Asked for are the codes, which are whole numbers,"
            " and the step.", edit("return codes,", "return (codes + 0.5) * step,")),
        Mistake("exchanged", "The codes come first, then the step.",
            edit("return codes, step", "return step, codes")),
    ],
    hints=("First how far the weights of a row spread: square them, take the mean, then the root.",
           "Spread and step are [out, 1]: mean(dim=1, keepdim=True). Then torch.floor(weight / step).",
           "codes.clamp(-half, half - 1), where half is 2 ** (bits - 1)"),
    why="Two bits have four levels here, where codes with a 0 in the middle have three.",
)
# fmt: on
