"""The exercises of notebook 04, BERT's input."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lib.bert.embeddings import sinusoidal_positions
from lib.exercises.exercise import Exercise, Invariant, Mistake

NOTEBOOK = "04_the_input"


# --- sinusoidal_positions -------------------------------------------------------------------------


def _side_by_side(even: Tensor, odd: Tensor) -> Tensor:
    """Even and odd columns in turn: two [T, D / 2] to [T, D]."""
    return torch.stack([even, odd], dim=-1).flatten(1)


def _wrong(
    first: int = 0,
    base: float = 10_000.0,
    exponent: Callable[[Tensor, int, int], Tensor] = lambda column, length, size: column / size,
    angles: Callable[[Tensor, Tensor], Tensor] = lambda position, power: position / power,
    lay: Callable[[Tensor], Tensor] = lambda angle: _side_by_side(angle.sin(), angle.cos()),
) -> Callable[[int, int], Tensor]:
    """The table in five steps, one of which a mistake replaces."""

    def wrong(length: int, hidden_size: int) -> Tensor:
        position = torch.arange(first, first + length).float()[:, None]  # [T, 1]
        column = torch.arange(0, hidden_size, 2).float()  # [D / 2]
        return lay(angles(position, base ** exponent(column, length, hidden_size)))

    return wrong


def _each_column_its_own(length: int, hidden_size: int) -> Tensor:
    column = torch.arange(hidden_size)
    angle = torch.arange(length)[:, None] / 10_000 ** (column / hidden_size)  # [T, D]
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def _without_minus(length: int, hidden_size: int) -> Tensor:
    speed = torch.exp(torch.arange(0, hidden_size, 2) * (math.log(10_000) / hidden_size))
    angle = torch.arange(length)[:, None] * speed
    return _side_by_side(angle.sin(), angle.cos())


def _starts_as_it_should(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    start = torch.tensor([0.0, 1.0]).repeat(arguments[1] // 2)
    return torch.allclose(result[0], start, atol=1e-4)


def _goes_round(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    squares = result[:, 0::2] ** 2 + result[:, 1::2] ** 2
    return torch.allclose(squares, torch.ones_like(squares), atol=1e-3)


def _fastest_first(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    return torch.allclose(result[:, 0], torch.arange(arguments[0]).sin(), atol=1e-3)


POSITIONS = Exercise(
    name="sinusoidal_positions",
    notebook=NOTEBOOK,
    reference=sinusoidal_positions,
    cases=lambda seed: [(3, 4), (5, 8), (6, 6), (1, 16), (48, 32)],
    gradients=False,
    tolerance=1e-4,  # an angle of 47 in single precision is off by some millionths, and so is its sine
    invariants=[
        Invariant(
            "starts_as_it_should",
            "Look at position 0: all its angles are 0, so its row has to read 0, 1, 0, 1, ...",
            _starts_as_it_should,
        ),
        Invariant(
            "goes_round",
            "Columns 2i and 2i + 1 are the sine and the cosine of one angle, so their squares sum to 1. Yours"
            " do not: do the two share their angle?",
            _goes_round,
        ),
        Invariant(
            "fastest_first",
            "Column 0 divides by 10000^0 = 1, so it has to be the sine of the position itself: sin 0, sin 1,"
            " sin 2, ... Yours is not.",
            _fastest_first,
        ),
    ],
    mistakes=[
        Mistake(
            "halves",
            "All sines first, then all cosines. The numbers are right, the order is not: they take turns,"
            " sines in columns 0, 2, 4, ..., cosines in 1, 3, 5, ...",
            _wrong(lay=lambda angle: torch.cat([angle.sin(), angle.cos()], dim=-1)),
        ),
        Mistake(
            "scrambled",
            "You stack sines and cosines along a new first axis and reshape, so rows get mixed up. Stack"
            " along a new last one (dim=-1), and the two take turns when it is flattened.",
            _wrong(lay=lambda angle: torch.stack([angle.sin(), angle.cos()]).reshape(len(angle), -1)),
        ),
        Mistake(
            "counts_from_one",
            "Your first position is 1. Count from 0, so that the first row reads 0, 1, 0, 1, ...",
            _wrong(first=1),
        ),
        Mistake(
            "base_1000",
            "Your base is 1,000, so even the slowest hand comes round too soon. The formula has 10,000.",
            _wrong(base=1_000.0),
        ),
        Mistake(
            "not_divided_by_size",
            "The exponent is not divided by hidden_size, so from the second pair on the angle all but stands"
            " still. It has to run from 0 to just under 1.",
            _wrong(exponent=lambda column, length, size: column),
        ),
        Mistake(
            "floor_division",
            "Your exponent is 0 everywhere, so all pairs turn at the same speed: // rounds down. Divide"
            " with /.",
            _wrong(exponent=lambda column, length, size: column // size),
        ),
        Mistake(
            "divided_by_length",
            "You divide the exponent by the length of the text. A position's vector must not depend on how"
            " much text follows: divide by hidden_size.",
            _wrong(exponent=lambda column, length, size: column / length),
        ),
        Mistake(
            "half_the_exponent",
            "Your exponent is i / hidden_size, with i the number of the pair: it stops at a half. The formula"
            " has 2i, which is the even column itself.",
            _wrong(exponent=lambda column, length, size: column / 2 / size),
        ),
        Mistake(
            "double_the_exponent",
            "Doubled twice: arange(0, hidden_size, 2) is 2i already, so 2 times it is 4i. Divide it by"
            " hidden_size as it is.",
            _wrong(exponent=lambda column, length, size: 2 * column / size),
        ),
        Mistake(
            "each_column_its_own",
            "Odd columns have angles of their own in yours. A sine and the cosine right of it share one"
            " angle, that of the even column; only so is a step of k positions a rotation.",
            _each_column_its_own,
        ),
        Mistake(
            "swapped",
            "Sine and cosine have changed places: sines belong in even columns, cosines in odd ones.",
            _wrong(lay=lambda angle: _side_by_side(angle.cos(), angle.sin())),
        ),
        Mistake(
            "sine_only",
            "Odd columns hold the sine as well. They hold the cosine: with both, no two places in a wave look"
            " alike.",
            _wrong(lay=lambda angle: _side_by_side(angle.sin(), angle.sin())),
        ),
        Mistake(
            "angles_alone",
            "These are the angles; their sines and cosines are missing.",
            _wrong(lay=lambda angle: _side_by_side(angle, angle)),
        ),
        Mistake(
            "multiplied",
            "You multiply by the power of 10,000 where the formula divides: later columns should turn more"
            " slowly, and yours race.",
            _wrong(angles=lambda position, power: position * power),
        ),
        Mistake(
            "without_minus",
            "Your angles grow from column to column instead of shrinking. To divide by a power of 10,000 with"
            " exp, its exponent needs a minus: exp(-2i · log(10000) / hidden_size).",
            _without_minus,
        ),
        Mistake(
            "math_of_a_table",
            "math.sin takes one number. For a whole table of angles use torch.sin, or angle.sin().",
            _wrong(lay=lambda angle: _side_by_side(math.sin(angle), math.cos(angle))),  # type: ignore[arg-type]
        ),
        Mistake(
            "degrees",
            "You take the angles for degrees. They are radians as they stand: position 1 begins with sin(1) ="
            " 0.84, not with the sine of one degree.",
            _wrong(angles=lambda position, power: torch.deg2rad(position / power)),
        ),
        Mistake(
            "transposed",
            "Right, but lying on its side: positions are rows, features columns, [length, hidden_size].",
            _wrong(lay=lambda angle: _side_by_side(angle.sin(), angle.cos()).T),
        ),
    ],
    hints=(
        "A clock with hidden_size / 2 hands, each slower than the one before. Every hand is written down as"
        " two numbers: the sine and the cosine of its angle.",
        "position [length, 1] divided by the powers [hidden_size / 2] broadcasts to the angles"
        " [length, hidden_size / 2]; columns 0::2 of the table take their sines, 1::2 their cosines.",
        "angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, hidden_size, 2) / hidden_size);"
        " then table[:, 0::2] = angle.sin(), and the cosine likewise.",
    ),
    why="BERT learns its positions instead; these need no training and never run out.",
    box="positions",
)

EXERCISES = [POSITIONS]
