"""A matrix as -1 and 1, with one scale."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.quantizers import binary
from lib.exercises.scaled_codes import codes_and_scale
from lib.exercises.spec import Exercise, Mistake, edit

SIGNS, SCALE = "torch.where(weight >= 0, 1, -1)", "weight.detach().abs().mean()"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The eight weights of the text; a 0; rows of unlike sizes; zeros; random ones."""
    yield (torch.tensor([[0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26]]),)
    yield (torch.tensor([[0.0, -2.0], [4.0, 0.0]]),)
    yield (torch.tensor([[0.1, -0.2, 0.3], [4.0, -0.5, 5.0]]),)
    yield (torch.zeros(2, 3),)
    torch.manual_seed(seed)
    yield (torch.randn(3, 8) + 0.3,)
    yield (-torch.rand(4, 5, dtype=torch.float64),)


def run(candidate: Any, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Signs and scale; the scale may be a number."""
    return codes_and_scale(candidate(weight), "signs")


def by_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A scale for each row."""
    signs, scale = torch.vmap(binary.binarize)(weight)
    return signs, scale[:, None]


def flat_by_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The same, the scales without a dimension for the columns."""
    return torch.vmap(binary.binarize)(weight)


# fmt: off
EXERCISE = Exercise(
    name="binarize", minutes=4, difficulty=1, reference=binary.binarize, cases=cases, run=run,
    returns=("signs", "scale"), gradients=False,
    mistakes=[
        Mistake("sign_of_0", "torch.sign(0.0) is 0, a third value, which one bit cannot store. A weight of 0"
            " counts as +1: weight >= 0.",
            (edit(SIGNS, "weight.sign()"), edit(SIGNS, "torch.where(weight > 0, 1, -1)"))),
        Mistake("by_rows", "You take a scale for each row. Here it belongs to the whole matrix: mean()"
            " without a dim.", (by_rows, flat_by_rows)),
        Mistake("mean_of_signed_weights", "Your scale is the mean of the weights with their signs, which"
            " cancel. Take the mean of |w|.",
            (edit(SCALE, "weight.mean()"), edit(SCALE, "weight.mean().abs()"))),
        Mistake("largest_as_scale", "You take the largest weight as the scale, and all weights then become as"
            " large. The number that comes nearest to all |w| is their mean.",
            edit(SCALE, "weight.abs().max()")),
        Mistake("bits_for_signs", "You return bits, 0 and 1. The codes are the signs themselves, -1 and 1;"
            " they become bits when they are packed.",
            (edit(SIGNS, "torch.where(weight >= 0, 1, 0)"), edit(SIGNS, "torch.where(weight >= 0, 0, 1)"))),
        Mistake("signs_exchanged", "Your signs are exchanged: weights of 0 and more are +1.",
            edit(SIGNS, "torch.where(weight >= 0, -1, 1)")),
        Mistake("ternary_scale", "You leave the small weights out of the mean. They have no 0 to go to: all"
            " of them count.",
            edit(SCALE, "weight[weight.abs() > 0.7 * weight.abs().mean()].abs().mean().nan_to_num()")),
        Mistake("root_of_squares", "You take the root of the mean square. The scale that makes the squared"
            " error least is the mean of |w|.",
            (edit(SCALE, "weight.square().mean().sqrt()"), edit(SCALE, "weight.std(correction=0)"))),
    ],
    hints=("Which two values can a weight take, and which number comes nearest to the size of all of them?",
           "torch.where(weight >= 0, 1, -1) are the signs [out, in]; the scale is one number.",
           "return torch.where(weight >= 0, 1, -1).to(torch.int8), weight.abs().mean()"),
    why="One bit a weight, and 32 for the scale of the whole matrix.",
)
# fmt: on
