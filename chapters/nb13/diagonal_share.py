"""What tokens give to themselves and their neighbors."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb13 import patterns
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

NEAR = "(places[:, None] - places).abs() <= 1"
SHARE = "(weights * near).sum(dim=(-2, -1)) / len(places)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """Maps of one head and of many, of one token at the least."""
    torch.manual_seed(seed)
    for *heads, length in ([3], [6], [2, 5], [3, 4, 7], [2, 1], [5, 2]):
        yield (torch.randn(*heads, length, length).mul(2).softmax(-1),)


# fmt: off
EXERCISE = Exercise(
    name="diagonal_share", minutes=8, difficulty=2, reference=patterns.diagonal_share, cases=cases,
    invariants=[
        Invariant("no_share", "A row gives away 1 in all, so what it gives to three of the tokens is at most"
            " 1. Yours is more.", lambda candidate, arguments, result: bool((result <= 1 + 1e-5).all())),
    ],
    mistakes=[
        Mistake("another_band", "The band has three places in a row: the token itself and a neighbor on each"
            " side, |i - j| <= 1.",
            (edit("<= 1", "== 0"), edit("<= 1", "== 1"),
             *(edit(NEAR, f"({NEAR}) & (places[:, None] {side} places)") for side in (">=", "<=")))),
        Mistake("one_side_whole", "All on one side of the token counts in yours. Only the neighbor should: |i"
            " - j| of at most 1.",
            tuple(edit(NEAR, f"places[:, None] - places {bound}")
                for bound in (">= -1", "<= 1", ">= 0", "<= 0"))),
        Mistake("mean_of_cells", "What counts is what a row gives to its whole band: sum along the row, then"
            " take the mean over rows, whose number is T.",
            (*(edit("len(places)", count) for count in ("near.sum()", "(3 * len(places))", "3")),
             edit("sum(dim=(-2, -1))", "mean(dim=(-2, -1))").then(" / len(places)", ""))),
        Mistake("a_number_for_each_row", "A head has one share, the mean over its rows, and each head its"
            " own: sum over dimensions -2 and -1.",
            tuple(edit(SHARE, f"(weights * near).sum(-1){mean}") for mean in ("", ".mean()"))),
    ],
    hints=("Row i gives something to columns i - 1, i and i + 1. Add that up, then average over rows.",
           "torch.arange gives places [T]; places[:, None] - places is [T, T], how far rows are from"
           " columns.",
           "near = (places[:, None] - places).abs() <= 1, then (weights * near).sum(dim=(-2, -1)) /"
           " len(places)"),
    why="A head that spreads its attention evenly over T tokens has about 3 / T.",
)
# fmt: on
