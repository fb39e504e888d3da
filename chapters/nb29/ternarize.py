"""A matrix as -1, 0 and 1, with one scale."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import ternary
from lib.exercises.scaled_codes import codes_and_scale
from lib.exercises.spec import Exercise, Mistake, edit

THRESHOLD, SCALE = "0.7 * size.mean()", "(size * is_kept).sum() / is_kept.sum().clamp(min=1)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The eight weights of the text; one on the threshold; rows of unlike sizes; zeros; random ones."""
    yield (torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]]),)
    yield (torch.tensor([[7.0, -13.0], [10.0, -10.0]]),)  # the mean is 10, the threshold 7
    yield (torch.tensor([[0.1, -0.2, 0.3], [4.0, -0.5, 5.0]]),)
    yield (torch.zeros(2, 3),)
    torch.manual_seed(seed)
    yield (torch.tensor([0.5, 1.0, 3.0])[:, None] * torch.randn(3, 8) + 0.3,)
    yield (-torch.rand(4, 5, dtype=torch.float64),)
    yield (torch.full((2, 2), -0.5),)


def run(candidate: Any, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Codes and scale; the scale may be a number."""
    return codes_and_scale(candidate(weight))


def by_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A threshold and a scale for each row."""
    codes, scales = torch.vmap(ternary.ternarize)(weight)
    return codes, scales[:, None]


def flat_by_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The same, the scales without a dimension for the columns."""
    return torch.vmap(ternary.ternarize)(weight)


# fmt: off
EXERCISE = Exercise(
    name="ternarize", minutes=6, difficulty=2, reference=ternary.ternarize, cases=cases, run=run,
    returns=("codes", "scale"), gradients=False,
    alike=[edit("weight.sign() * is_kept", "weight.sign().where(is_kept, 0)")],
    mistakes=[
        Mistake("by_rows", "You take a threshold and a scale for each row. Here both belong to the whole"
            " matrix: mean() and sum() without a dim.", (by_rows, flat_by_rows)),
        Mistake("mean_of_signed_weights", "Your threshold comes from the mean of the weights, where positive"
            " and negative ones cancel. Take the mean of |w|.", edit(THRESHOLD, "0.7 * weight.mean()")),
        Mistake("threshold_not_strict", "A weight exactly on the threshold becomes 0: compare with >, not"
            " with >=.", edit("size > 0.7", "size >= 0.7")),
        Mistake("share_of_the_largest", "Your threshold is a share of the largest weight, as in notebook 20's"
            " two bits: one outlier then sends nearly all others to 0. Take 0.7 times the *mean* of |w|.",
            (edit(THRESHOLD, "0.7 * size.max()"), edit(THRESHOLD, "0.5 * size.max()"))),
        Mistake("factor_forgotten", "Your threshold is the mean of |w| itself: the factor 0.7 is missing.",
            edit(THRESHOLD, "size.mean()")),
        Mistake("mean_over_all", "You divide by the number of all weights. Those that became 0 don't count:"
            " the scale is the mean of |w| over those that are left.",
            (edit(SCALE, "(size * is_kept).mean()"), edit(SCALE, "size.mean()"))),
        Mistake("largest_as_scale", "You take the largest weight, or the threshold, as the scale. The scale"
            " that comes nearest to what is left is its mean size.",
            (edit(SCALE, "size.max()"), edit(SCALE, THRESHOLD))),
        Mistake("signed_scale", "Your scale is the mean of the weights that are left, with their signs, so"
            " that they cancel. Take the mean of their sizes.",
            edit(SCALE, "(weight * is_kept).sum() / is_kept.sum().clamp(min=1)")),
        Mistake("nothing_left", "In a matrix of zeros nothing is left, and the mean of nothing is 0 / 0, NaN."
            " Return a scale of 0 there: divide by .clamp(min=1), for example.",
            (edit(".clamp(min=1)", ""), edit(SCALE, "size[is_kept].mean()"))),
    ],
    hints=("First one threshold for the whole matrix, then which weights lie beyond it, and the mean size of"
           " those.",
           "is_kept = weight.abs() > 0.7 * weight.abs().mean() is boolean [out, in], its sum says how many"
           " are left. torch.sign gives -1, 0 or 1.",
           "scale = (weight.abs() * is_kept).sum() / is_kept.sum().clamp(min=1); codes = (weight.sign() *"
           " is_kept).to(torch.int8)"),
    why="Three values, and their scale is the mean of those that are left.",
)
# fmt: on
