"""What tokens give to themselves and their neighbors."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb13 import patterns
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

NEAR = "(places[:, None] - places).abs() <= 1"
SHARE = "(weights * near).sum(dim=(-2, -1)) / len(places)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """Maps of one head and of many, of one token at the least."""
    generator = torch.Generator().manual_seed(seed)
    for shape in [(3,), (6,), (2, 5), (3, 4, 7), (2, 1), (5, 2)]:
        *heads, length = shape
        yield (torch.randn(*heads, length, length, generator=generator).mul(2).softmax(-1),)


def is_a_share(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    return bool(((result >= -1e-6) & (result <= 1 + 1e-5)).all())


EXERCISE = Exercise(
    name="diagonal_share",
    minutes=6,
    difficulty=2,
    reference=patterns.diagonal_share,
    cases=cases,
    invariants=[
        Invariant(
            "no_share",
            "A row gives away 1 in all, so what it gives to three of the tokens is between 0 and 1, and so is"
            " the mean over rows. Yours is not.",
            is_a_share,
        ),
    ],
    mistakes=[
        Mistake(
            "the_token_alone",
            "You count what a token gives to itself. A diagonal pattern also looks at the neighbors: all"
            " places with |i - j| of at most 1.",
            edit("<= 1", "== 0"),
        ),
        Mistake(
            "without_the_token",
            "You count the two neighbors and leave out the token itself. The band has three places in a row.",
            edit("<= 1", "== 1"),
        ),
        Mistake(
            "one_neighbor",
            "You count the token and one of its neighbors. BERT reads both ways: take the other one as well.",
            (
                edit(NEAR, f"({NEAR}) & (places[:, None] >= places)"),
                edit(NEAR, f"({NEAR}) & (places[:, None] <= places)"),
            ),
        ),
        Mistake(
            "one_side_whole",
            "You count all that lies on one side of the token. Of each side only the neighbor counts: |i - j|"
            " of at most 1.",
            tuple(
                edit(NEAR, f"places[:, None] - places {bound}") for bound in (">= -1", "<= 1", ">= 0", "<= 0")
            ),
        ),
        Mistake(
            "not_divided",
            "You add up all rows. Each row gives away 1, so divide by the number of rows: the mean over"
            " tokens.",
            edit(" / len(places)", ""),
        ),
        Mistake(
            "mean_of_cells",
            "You average over the cells of the band. What counts is what a row gives to its whole band: sum"
            " along the row, then take the mean over rows.",
            (
                edit("len(places)", "near.sum()"),
                edit("len(places)", "(3 * len(places))"),
                edit("len(places)", "3"),
            ),
        ),
        Mistake(
            "mean_of_all_cells",
            "You take the mean over the columns as well, and so divide by T twice. Sum along the row, then"
            " take the mean over rows.",
            edit("sum(dim=(-2, -1))", "mean(dim=(-2, -1))").then(" / len(places)", ""),
        ),
        Mistake(
            "a_number_for_each_row",
            "That is the share of each row. A head has one: take the mean over its rows.",
            (edit(SHARE, "(weights * near).sum(-1)"), edit("dim=(-2, -1)", "dim=-1")),
        ),
        Mistake(
            "all_heads_in_one",
            "You made one number of all heads. Sum over the last two dimensions and leave those in front"
            " alone.",
            (edit("sum(dim=(-2, -1))", "sum()"), edit(SHARE, "(weights * near).sum(-1).mean()")),
        ),
        Mistake(
            "without_the_ends",
            "You leave out the first and the last token. They have one neighbor each, and count too.",
            edit(SHARE, "weights[..., 1:-1, :].tril(2).triu().sum((-2, -1)) / (len(places) - 2)"),
        ),
    ],
    hints=(
        "Row i gives something to columns i - 1, i and i + 1. Add that up, then average over rows.",
        "torch.arange gives places [T]; places[:, None] - places is [T, T], how far each row is from each"
        " column.",
        "near = (places[:, None] - places).abs() <= 1, then (weights * near).sum(dim=(-2, -1)) / len(places)",
    ),
    why="A head that spreads its attention evenly over T tokens has about 3 / T.",
)
