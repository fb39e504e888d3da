"""Codes without a sign and a zero point, by a draft that loses 0.0 in two ways."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb20 import rounding
from chapters.nb20.codes import parts
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LOWEST, HIGHEST = ".clamp(max=0)", ".clamp(min=0)"
ZERO_POINT = "torch.round(-lowest / scale)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """Two rows to read, one with both signs; then rows of both signs, and of one sign alone."""
    yield torch.tensor([[-1.0, 0.0, 2.0, 2.4], [3.0, 4.0, 5.0, 6.1]]), 3
    torch.manual_seed(seed)
    for rows, columns, bits in [(3, 5, 8), (2, 6, 4), (4, 3, 2)]:
        yield torch.randn(rows, columns) + 0.5, bits
    yield 5 + torch.rand(3, 4), 6
    yield -2 - torch.rand(2, 4), 8
    yield torch.nn.functional.gelu(2 * torch.randn(3, 9)), 4


def run(candidate: Any, x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Codes, scale, zero point, and what 0.0 becomes: the value nearest to it that a row has."""
    codes, scale, zero_point = parts(candidate(x, bits), "codes", "scale", "zero_point")
    if zero_point.shape != scale.shape:
        raise Unfit(f"scale, {list(scale.shape)}, and zero_point, {list(zero_point.shape)}, are [rows, 1].")
    zero_point = zero_point.float()
    nearest = torch.round(zero_point).clamp(0, 2**bits - 1)
    return codes, scale.detach(), zero_point, scale.detach() * (nearest - zero_point)


# fmt: off
EXERCISE = Exercise(
    name="quantize_asymmetric", kind="bug", minutes=5, difficulty=2, reference=rounding.quantize_asymmetric,
    cases=cases, run=run, returns=("codes", "scale", "zero_point", "what 0.0 becomes"), gradients=False,
    alike=[edit("torch.round(x / scale + zero_point)", "(torch.round(x / scale) + zero_point)")],
    mistakes=[
        Mistake("draft", "Both bugs are still there. Row one of the first case goes from -1.0 to 2.4 in steps"
            " of 0.486, so 0.0 is 2.06 steps above the lowest number, between two codes. And row two, from"
            " 3.0 to 6.1, has no code near 0.0 at all. Which line chooses the code of 0.0, and which the"
            " range?",
            edit(LOWEST, "").then(HIGHEST, "").then(ZERO_POINT, "-lowest / scale")),
        Mistake("zero_outside_of_the_range", "Some row has no 0.0 in its range: from 3.0 to 6.1 the zero"
            " point is negative, and clamping it does not help. Stretch both ends: the lowest is 0 at most,"
            " the highest at least 0.",
            (edit(LOWEST, "").then(HIGHEST, ""), edit(LOWEST, ""), edit(HIGHEST, ""))),
        Mistake("zero_point_not_whole", "Every range holds 0.0 now, but the zero point is no whole number, so"
            " 0.0 still lies between two codes. Round it to the nearest.",
            edit(ZERO_POINT, "-lowest / scale")),
        Mistake("zero_point_rounded_down", "Your zero point is a whole number, but not the nearest one: round"
            " -lowest / scale with torch.round.",
            (edit(ZERO_POINT, "torch.floor(-lowest / scale)"),
             edit(ZERO_POINT, "torch.ceil(-lowest / scale)"))),
        Mistake("wrong_sign", "Your zero point has the wrong sign. 0.0 is -lowest / scale steps above the"
            " lowest number.", edit("-lowest /", "lowest /")),
    ],
    hints=("What should 0.0 become, and what does it become in each row of the first case? One bug is in the"
           " range, the other in the zero point.",
           "lowest and highest are [rows, 1]. A tensor has .clamp(max=0) and .clamp(min=0).",
           "lowest = x.amin(dim=1, keepdim=True).clamp(max=0), the same for highest with min=0, and"
           " zero_point = torch.round(-lowest / scale)"),
    why="What was exactly 0 stays exactly 0.",
)
# fmt: on
