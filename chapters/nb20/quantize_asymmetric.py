"""Codes without a sign and a zero point, by a draft that loses 0.0 in two ways."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import linear
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

LOWEST, HIGHEST = ".clamp(max=0)", ".clamp(min=0)"
ZERO_POINT = "torch.round(-lowest / scale).clamp(0, most)"
CODES = "(torch.round(x / scale) + zero_point).clamp(0, most)"
LAST = "codes.to(torch.uint8), scale, zero_point.to(torch.uint8)"


def cases(seed: int) -> Iterator[tuple[Tensor, int]]:
    """Two rows to read, one with both signs; then rows of both signs, and of one sign alone."""
    yield torch.tensor([[-1.0, 0.0, 2.0, 2.4], [3.0, 4.0, 5.0, 6.1]]), 3
    generator = torch.Generator().manual_seed(seed)
    for rows, columns, bits in [(3, 5, 8), (2, 6, 4), (4, 3, 2)]:
        yield torch.randn(rows, columns, generator=generator) + 0.5, bits
    yield 5 + torch.rand(3, 4, generator=generator), 6
    yield -2 - torch.rand(2, 4, generator=generator), 8
    yield torch.nn.functional.gelu(2 * torch.randn(3, 9, generator=generator)), 4


def run(candidate: Any, x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Codes, scale, zero point, and what 0.0 becomes: the value nearest to it that a row has."""
    answer = candidate(x, bits)
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Unfit("quantize_asymmetric returns three tensors: return codes, scale, zero_point")
    if not all(isinstance(part, Tensor) for part in answer):
        raise Unfit("codes [rows, columns], scale [rows, 1] and zero_point [rows, 1] are tensors.")
    codes, scale, zero_point = answer
    zero_point = zero_point.float()
    if zero_point.shape != scale.shape:
        raise Unfit(
            f"Your zero_point has the shape {list(zero_point.shape)}, and the scale {list(scale.shape)}: both"
            " are [rows, 1]."
        )
    nearest = torch.round(zero_point).clamp(0, 2**bits - 1)
    return codes, scale.detach(), zero_point, scale.detach() * (nearest - zero_point)


def ranges(x: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """The lowest number of each row and the scale, of the range as it is."""
    lowest, highest = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    return lowest, (highest - lowest) / (2**bits - 1)


def draft(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    lowest, scale = ranges(x, bits)
    zero_point = -lowest / scale
    codes = torch.round(x / scale + zero_point).clamp(0, 2**bits - 1)
    return codes.to(torch.uint8), scale, zero_point


def range_as_it_is(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    lowest, scale = ranges(x, bits)
    zero_point = torch.round(-lowest / scale)
    codes = torch.round(x / scale + zero_point).clamp(0, 2**bits - 1)
    return codes.to(torch.uint8), scale, zero_point


def clamped_into_the_codes(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    lowest, scale = ranges(x, bits)
    zero_point = torch.round(-lowest / scale).clamp(0, 2**bits - 1)
    codes = (torch.round(x / scale) + zero_point).clamp(0, 2**bits - 1)
    return codes.to(torch.uint8), scale, zero_point


def turned_around(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    _, scale, zero_point = linear.quantize_asymmetric(x, bits)
    codes = torch.round(x / scale - zero_point.float()).clamp(0, 2**bits - 1)  # type: ignore[union-attr]
    return codes.to(torch.uint8), scale, -zero_point.float()  # type: ignore[union-attr]


def too_many_steps(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    lowest, highest = x.amin(dim=1, keepdim=True).clamp(max=0), x.amax(dim=1, keepdim=True).clamp(min=0)
    scale = (highest - lowest) / 2**bits
    zero_point = torch.round(-lowest / scale)
    codes = (torch.round(x / scale) + zero_point).clamp(0, 2**bits - 1)
    return codes.to(torch.uint8), scale, zero_point


def one_range_for_all(x: Tensor, bits: int) -> tuple[Tensor, Tensor, Tensor]:
    codes, scale, zero_point = linear.quantize_asymmetric(x.reshape(1, -1), bits)
    rows = len(x), 1
    return codes.view_as(x), scale.expand(rows).clone(), torch.as_tensor(zero_point).expand(rows).clone()


EXERCISE = Exercise(
    name="quantize_asymmetric",
    kind="bug",
    minutes=5,
    difficulty=2,
    reference=linear.quantize_asymmetric,
    cases=cases,
    run=run,
    returns=("codes", "scale", "zero_point", "what 0.0 becomes"),
    gradients=False,
    tolerance=1e-5,
    mistakes=[
        Mistake(
            "draft",
            "Both bugs are still there. Row one of the first case goes from -1.0 to 2.4 in steps of 0.486, so"
            " 0.0 is 2.06 steps above the lowest number, between two codes. And row two, from 3.0 to 6.1, has"
            " no code near 0.0 at all. Which line chooses the code of 0.0, and which the range?",
            draft,
        ),
        Mistake(
            "zero_outside_of_the_range",
            "The zero point is whole now, but a row without 0.0 in its range still has no code for it: for"
            " numbers from 3.0 to 6.1 the zero point would be negative. Stretch the range: the lowest is 0 at"
            " most, and the highest at least 0.",
            (
                range_as_it_is,
                edit(LOWEST, "")
                .then(HIGHEST, "")
                .then(ZERO_POINT, "torch.round(-lowest / scale)")
                .then(LAST, "codes.to(torch.uint8), scale, zero_point"),
            ),
        ),
        Mistake(
            "zero_point_clamped",
            "You clamp the zero point into the codes and leave the range as it is. A row from 3.0 to 6.1 then"
            " has 0 as its zero point, and most of its numbers lie beyond the largest code. Stretch the range"
            " until it holds 0.0; then nothing has to be clamped.",
            (clamped_into_the_codes, edit(LOWEST, "").then(HIGHEST, "")),
        ),
        Mistake(
            "zero_point_not_whole",
            "Every range holds 0.0 now, but the zero point is no whole number, so 0.0 still lies between two"
            " codes. Round it.",
            (
                edit(ZERO_POINT, "-lowest / scale")
                .then(CODES, "torch.round(x / scale + zero_point)")
                .then(LAST, "codes.to(torch.uint8), scale, zero_point"),
                edit(ZERO_POINT, "-lowest / scale").then(LAST, "codes.to(torch.uint8), scale, zero_point"),
            ),
        ),
        Mistake(
            "one_side_stretched",
            "You stretch one end of the range. Rows above 0 need the lowest set to 0, and rows below 0 need"
            " the highest set to 0.",
            (
                edit(LOWEST, "")
                .then(ZERO_POINT, "torch.round(-lowest / scale)")
                .then(LAST, "codes.to(torch.uint8), scale, zero_point"),
                edit(HIGHEST, "")
                .then(ZERO_POINT, "torch.round(-lowest / scale)")
                .then(LAST, "codes.to(torch.uint8), scale, zero_point"),
                edit(LOWEST, ""),
                edit(HIGHEST, ""),
            ),
        ),
        Mistake(
            "zero_point_rounded_down",
            "You cut the zero point down to a whole number, for example with .int(). Then the largest numbers"
            " or the smallest lose up to a whole step. Round to the nearest: torch.round.",
            edit("torch.round(-lowest / scale)", "torch.floor(-lowest / scale)"),
        ),
        Mistake(
            "zero_point_forgotten_in_the_codes",
            "The codes are the numbers in steps, without the zero point, so negative ones become 0. Add the"
            " zero point.",
            edit(CODES, "torch.round(x / scale).clamp(0, most)"),
        ),
        Mistake(
            "wrong_sign",
            "Your zero point has the wrong sign. 0.0 is -lowest / scale steps above the lowest number.",
            (edit("torch.round(-lowest / scale)", "torch.round(lowest / scale)"), turned_around),
        ),
        Mistake(
            "one_range_for_all",
            "One range for all rows. Each row has its own: amin and amax over dim=1.",
            one_range_for_all,
        ),
        Mistake(
            "a_code_too_many",
            "Your scale divides by 2^bits. There are 2^bits codes, and 2^bits - 1 steps between the first and"
            " the last.",
            (edit("(highest - lowest) / most", "(highest - lowest) / (most + 1)"), too_many_steps),
        ),
        Mistake(
            "symmetric",
            "Your range reaches equally far to both sides, which is the symmetric scheme: where all numbers"
            " have one sign, half of the codes are never used.",
            edit(
                "scale = (highest - lowest) / most",
                "highest = torch.maximum(highest, -lowest); lowest = -highest;"
                " scale = (highest - lowest) / most",
            ),
        ),
    ],
    hints=(
        "What should 0.0 become, and what does it become in each row of the first case? One bug is in the"
        " range, the other in the zero point.",
        "lowest and highest are [rows, 1]. A tensor has .clamp(max=0) and .clamp(min=0).",
        "lowest = x.amin(dim=1, keepdim=True).clamp(max=0), the same for highest with min=0, and zero_point"
        " = torch.round(-lowest / scale)",
    ),
    why="What was exactly 0 stays exactly 0.",
)
