"""The positions of the first Transformer: a clock of many hands."""

from typing import Any

import torch
from torch import Tensor

from lib.bert import embeddings
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

EXPONENT = "(even_column / hidden_size)"
COS, RETURN = "angle[:, : hidden_size // 2].cos()", "return table"


def starts_as_it_should(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    start = torch.tensor([0.0, 1.0]).repeat(arguments[1] // 2)
    return torch.allclose(result[0], start, atol=1e-4)


def goes_round(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    squares = result[:, 0::2] ** 2 + result[:, 1::2] ** 2
    return torch.allclose(squares, torch.ones_like(squares), atol=1e-3)


def ever_faster(arguments: tuple[int, int], answer: Tensor, expected: Tensor) -> bool:
    """Whether row 1, where large angles have not lost their digits yet, is that of growing angles."""
    angle = 10_000 ** (torch.arange(0, arguments[1], 2) / arguments[1])
    return torch.allclose(answer[1, 0::2], angle.sin(), atol=0.05)


EXERCISE = Exercise(
    name="sinusoidal_positions",
    minutes=8,
    difficulty=2,
    reference=embeddings.sinusoidal_positions,
    cases=lambda seed: [(3, 4), (5, 8), (6, 6), (1, 16), (48, 32)],
    gradients=False,
    tolerance=1e-4,  # an angle of 47 in single precision is off by some millionths, and so is its sine
    invariants=[
        Invariant(
            "starts_as_it_should",
            "Look at position 0: all its angles are 0, so its row has to read 0, 1, 0, 1, ...",
            starts_as_it_should,
        ),
        Invariant(
            "goes_round",
            "Columns 2i and 2i + 1 are the sine and the cosine of one angle, so their squares sum to 1. Yours"
            " do not: do the two share their angle?",
            goes_round,
        ),
    ],
    mistakes=[
        Mistake(
            "halves",
            "All sines first, then all cosines. The numbers are right, the order is not: they take turns,"
            " sines in columns 0, 2, 4, ..., cosines in 1, 3, 5, ...",
            edit(RETURN, "return torch.cat([angle.sin(), angle.cos()], dim=1)"),
        ),
        Mistake(
            "scrambled",
            "You stack sines and cosines along a new first axis and reshape, so rows get mixed up. Stack"
            " along a new last one (dim=-1), and the two take turns when it is flattened.",
            edit(RETURN, "return torch.stack([angle.sin(), angle.cos()]).reshape(length, hidden_size)"),
        ),
        Mistake(
            "counts_from_one",
            "Your first position is 1. Count from 0, so that the first row reads 0, 1, 0, 1, ...",
            edit("torch.arange(length)", "torch.arange(1, length + 1)"),
        ),
        Mistake(
            "base_1000",
            "Your base is 1,000, so even the slowest hand comes round too soon. The formula has 10,000.",
            edit("10_000", "1_000"),
        ),
        Mistake(
            "not_divided_by_size",
            "The exponent is not divided by hidden_size, so from the second pair on the angle all but stands"
            " still. It has to run from 0 to just under 1.",
            edit(f"10_000 ** {EXPONENT}", "10_000.0 ** even_column"),
        ),
        Mistake(
            "floor_division",
            "Your exponent is 0 everywhere, so all pairs turn at the same speed: // rounds down. Divide"
            " with /.",
            edit("even_column /", "even_column //"),
        ),
        Mistake(
            "half_the_exponent",
            "Your exponent is i / hidden_size, with i the number of the pair: it stops at a half. The formula"
            " has 2i, which is the even column itself.",
            edit(EXPONENT, "(even_column / 2 / hidden_size)"),
        ),
        Mistake(
            "double_the_exponent",
            "Doubled twice: arange(0, hidden_size, 2) is 2i already, so 2 times it is 4i. Divide it by"
            " hidden_size as it is.",
            edit(EXPONENT, "(2 * even_column / hidden_size)"),
        ),
        Mistake(
            "each_column_its_own",
            "Odd columns have angles of their own in yours. A sine and the cosine right of it share one"
            " angle, that of the even column; only so is a step of k positions a rotation.",
            edit(COS, "(position / 10_000 ** ((even_column + 1) / hidden_size)).cos()"),
        ),
        Mistake(
            "swapped",
            "Sine and cosine have changed places: sines belong in even columns, cosines in odd ones.",
            edit("0::2]", "1::2]").then("1::2] = angle[", "0::2] = angle["),
        ),
        Mistake(
            "angles_alone",
            "These are the angles; their sines and cosines are missing.",
            edit("angle.sin()", "angle").then("].cos()", "]"),
        ),
        Mistake(
            "multiplied",
            "Your angles grow from column to column, where later ones should turn more slowly. Divide by the"
            " power of 10,000; with exp, its exponent needs a minus: exp(-2i · log(10000) / hidden_size).",
            when=ever_faster,
            example=edit("= position /", "= position *"),
        ),
        Mistake(
            "math_of_a_table",
            "math.sin takes one number. For a whole table of angles use torch.sin, or angle.sin().",
            edit("angle.sin()", "__import__('math').sin(angle)"),
        ),
        Mistake(
            "degrees",
            "You take the angles for degrees. They are radians as they stand: position 1 begins with sin(1) ="
            " 0.84, not with the sine of one degree.",
            edit("angle = position", "angle = torch.pi / 180 * position"),
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
)
