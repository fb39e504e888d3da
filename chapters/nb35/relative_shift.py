"""Scores by distance moved to the places of their keys, with the trick of one column more."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb35 import transformer_xl
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

PADDED = "F.pad(scores, (1, 0))"
LEFT = "reread[:, :, 1:].reshape(batch, heads, rows, columns)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The distances of the text, without memory and with one of two; then drawn scores."""
    yield (torch.arange(2.0, -1.0, -1.0).expand(1, 1, 3, 3).contiguous(),)
    yield (torch.arange(4.0, -1.0, -1.0).expand(1, 1, 3, 5).contiguous(),)
    generator = torch.Generator().manual_seed(seed)
    for shape in [(1, 2, 3, 3), (2, 2, 4, 6), (2, 1, 2, 7), (1, 3, 1, 4), (2, 2, 5, 5)]:
        yield (torch.randn(*shape, generator=generator),)


def run(candidate: Callable[[Tensor], Any], scores: Tensor) -> Any:
    """The causal part of what is returned: nobody looks at the rest, which may be anything."""
    moved = candidate(scores)
    if not isinstance(moved, Tensor) or moved.shape != scores.shape:
        return moved
    if not moved.is_floating_point():
        raise Unfit(f"relative_shift should return scores, and yours are of type {moved.dtype}.")
    rows, columns = scores.shape[-2:]
    seen = torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)
    return moved.masked_fill(~seen, 0.0)


# fmt: off
EXERCISE = Exercise(
    name="relative_shift", minutes=8, difficulty=3, reference=transformer_xl.relative_shift, cases=cases,
    run=run, gradients=False,
    alike=[edit(PADDED, "torch.cat([torch.zeros(batch, heads, rows, 1), scores], -1)")],
    mistakes=[
        Mistake("not_moved", "Nothing was moved: your column still says how far away, not where. Row i has to"
            " go T - 1 - i places to the left.",
            edit(LEFT, "scores")),
        Mistake("mirrored", "You have turned the columns round. That is right for the last row only if the"
            " nearest distance came first; here the farthest does.",
            edit(LEFT, "scores.flip(-1)")),
        Mistake("all_alike", "You move all rows by the same number of places. The last row stays, the one"
            " above it goes one place to the left, and so on.",
            (edit(LEFT, "scores.roll(-1, -1)"), edit(LEFT, "scores.roll(1, -1)"))),
        Mistake("row_i_by_i", "You move row i by i places. The first row has to go farthest, T - 1 places,"
            " and the last one stays.",
            edit(LEFT, "torch.stack([scores[:, :, i].roll(-i, -1) for i in range(rows)], 2)")),
        Mistake("to_the_right", "You move to the right. Row i has to go T - 1 - i places to the left.",
            edit(LEFT, "torch.stack([scores[:, :, i].roll(rows - 1 - i, -1) for i in range(rows)], 2)")),
        Mistake("one_too_far", "Every row goes a place too far.",
            edit(LEFT, "torch.stack([scores[:, :, i].roll(-(rows - i), -1) for i in range(rows)], 2)")),
        Mistake("column_behind", "The column of zeros is behind. In front of the scores it moves them the"
            " right way.", edit(PADDED, "F.pad(scores, (0, 1))")),
        Mistake("first_row_kept", "You drop the last row of what was read again; it is the first that has to"
            " go.", edit("reread[:, :, 1:]", "reread[:, :, :-1]")),
    ],
    hints=("In the last row the score for distance 0 already stands at its own place. In the row above, the"
           " token's own place is one further to the left.",
           "Put a column of zeros in front, [B, H, T, S + 1], read the same numbers as [B, H, S + 1, T], drop"
           " the first row, and read them as [B, H, T, S].",
           "F.pad(scores, (1, 0)).view(B, H, S + 1, T)[:, :, 1:].reshape(B, H, T, S)"),
    why="All distances are multiplied once, S of them, where a table of all pairs would need T times S.",
)
# fmt: on
