"""A matrix as whole numbers, with a scale for each row."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb20 import rounding
from chapters.nb20.codes import other_rounding, parts
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

LARGEST = "weight.detach().abs().amax(dim=1, keepdim=True)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """The row of the text; ties; then rows of many sizes, signs and bits, one of them all zeros."""
    yield torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]]), 4
    yield torch.tensor([[127.0, 0.5, 1.5, -2.5, 3.5]]), 8  # the scale is 1
    torch.manual_seed(seed)
    for rows, columns, bits in [(2, 5, 8), (3, 4, 2), (5, 3, 3), (6, 40, 8)]:
        yield torch.tensor([0.01, 1.0, 30.0, 0.3, 5.0, 0.1])[:rows, None] * torch.randn(rows, columns), bits
    yield -torch.rand(3, 6), 5  # the largest |weight| is negative
    yield torch.tensor([[0.0, 0.0, 0.0], [0.5, -1.0, 2.0]]), 4


def run(candidate: Any, weight: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Codes and scale; of a row of zeros any finite scale of 0 or more will do, and becomes 1."""
    codes, scale = parts(candidate(weight, bits), "codes", "scale")
    is_zero = (weight == 0).all(dim=1, keepdim=True)
    if scale.shape == is_zero.shape:
        scale = scale.where(~is_zero | ~scale.isfinite() | (scale < 0), 1.0)
    return codes, scale.detach()


# fmt: off
EXERCISE = Exercise(
    name="quantize_symmetric", minutes=5, difficulty=2, reference=rounding.quantize_symmetric, cases=cases,
    run=run, returns=("codes", "scale"), gradients=False, tolerance=1e-6,
    invariants=[
        Invariant("half_a_step", "Rounding to the nearest code is never off by more than half a scale, and"
            " yours is.",
            lambda _, arguments, result: bool(
                ((result[0] * result[1] - arguments[0]).abs() <= 0.501 * result[1]).all())),
    ],
    alike=[edit("scale.clamp(min=1e-12)", "scale.where(scale > 0, 1)")],
    mistakes=[
        Mistake("not_by_rows", "Your scale is that of the whole matrix, or of a column. A row of [out, in]"
            " makes one output, and it is the row that gets a scale: amax over dim=1, the dimension kept.",
            (edit("amax(dim=1, keepdim=True)", "max().expand(len(weight), 1)"),
             edit("amax(dim=1, keepdim=True)", "amax(dim=0, keepdim=True)"))),
        Mistake("largest_code", "Your largest code is not 2^(bits-1) - 1. One bit goes to the sign: of 4 bits"
            " it is 7, of 8 127.",
            (edit("2 ** (bits - 1) - 1", "2 ** (bits - 1)"), edit("2 ** (bits - 1) - 1", "2**bits - 1"))),
        Mistake("range_of_both_ends", "You take the distance from the lowest to the highest weight. A"
            " symmetric scale looks at the largest |weight| alone, so that 0.0 is code 0.",
            edit(LARGEST, f"({LARGEST.replace('.abs()', '')} - weight.amin(dim=1, keepdim=True))")),
        other_rounding("weight / scale"),
    ],
    hints=("First what one code is worth in each row, so that the largest |weight| gets the largest code."
           " Then how many of these each weight is, rounded.",
           "weight is [out, in]; weight.abs().amax(dim=1, keepdim=True) is [out, 1]."
           " .clamp(min=1e-12) keeps a scale off 0.",
           "scale = weight.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1); codes ="
           " torch.round(weight / scale).to(torch.int8)"),
    why="No weight is off by more than half of its row's scale.",
)
# fmt: on
