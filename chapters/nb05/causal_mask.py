"""The causal mask, whose draft leaves the diagonal out."""

from collections.abc import Callable
from typing import Any

import torch

from lib.bert import attention
from lib.exercises.spec import Exercise, Mistake, Unfit, edit


def tried(candidate: Callable[[int], Any], length: int) -> Any:
    """The mask; a row that may look nowhere is the learner's to find, so no right mask stands beside it."""
    mask = candidate(length)
    square = isinstance(mask, torch.Tensor) and mask.dtype == torch.bool and mask.shape == (length, length)
    if square and not mask.any(dim=-1).all():
        raise Unfit(
            "With this mask, attention gives NaN in a row. Print the mask for three tokens: which row is it,"
            " and where may its token look?"
        )
    return mask


# fmt: off
EXERCISE = Exercise(
    name="causal_mask", kind="bug", minutes=3, difficulty=1, reference=attention.causal_mask,
    cases=lambda seed: [(length,) for length in (3, 4, 8)], run=tried,
    mistakes=[
        Mistake("first_row_only", "Row 0 is fixed; every other token still cannot see itself.",
            edit("tril()", "tril(-1) | (torch.arange(length * length) == 0).view(length, length)")),
        Mistake("sees_itself_alone", "Each token sees itself and nothing else; it may also look back.",
            edit("tril()", "tril().triu()")),
        Mistake("looks_ahead", "Upside down: your token i looks at itself and at what comes later, so the"
            " last word cannot see the first. Keep the lower triangle.", edit("tril", "triu")),
        Mistake("one_too_many", "No row is empty now, but token i also sees token i + 1, the one it is meant"
            " to guess.", edit("tril()", "tril(1)")),
        Mistake("all_open", "No NaN any more, because every place is open: token 0 sees the whole text.",
            edit(".tril()", "")),
        Mistake("numbers", "The triangle is right, but these are numbers, and the mask is to be boolean: keep"
            " dtype=torch.bool.",
            (edit(", dtype=torch.bool", ""), edit("torch.bool", "torch.long"),
             edit("torch.bool", "torch.int"))),
    ],
    hints=("Print the draft for three tokens. Which row has no True? What does softmax divide by, if every"
           " score of a row is minus infinity?",
           "[length, length]: row i needs i + 1 times True, so row 0 needs one.",
           "tril(diagonal=-1) leaves the diagonal out; tril() keeps it."),
    why="Each token sees itself, so no row of scores is all minus infinity.",
)
# fmt: on
