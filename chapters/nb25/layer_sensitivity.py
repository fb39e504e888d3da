"""Q-BERT's number for a layer, by a draft that gets two of its parts wrong."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.quantizers import curvature_bits
from lib.exercises.spec import Exercise, Mistake, edit

MEAN, SPREAD = "eigenvalues.mean(dim=1).abs()", "eigenvalues.std(dim=1, correction=0)"


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """The three layers of the text; one that bends down everywhere; then random ones."""
    yield (torch.tensor([[8.0, 8.0], [2.0, 14.0], [-9.0, -11.0]]),)
    yield (torch.tensor([[0.5, 0.5, 0.5], [-3.0, 1.0, 8.0]]),)
    generator = torch.Generator().manual_seed(seed)
    for layers, subsets in [(6, 5), (12, 4), (3, 7), (1, 2)]:
        yield (3 * torch.randn(layers, subsets, generator=generator) - 1,)


# fmt: off
EXERCISE = Exercise(
    name="layer_sensitivity", kind="bug", minutes=4, difficulty=2, reference=curvature_bits.layer_sensitivity,
    cases=cases, gradients=False,
    mistakes=[
        Mistake("draft", "Both bugs are still there. Let the draft compute the text's three layers, which"
            " have 8, 14 and 11 by the formula. Where does it differ?",
            edit(MEAN, "eigenvalues.mean(dim=1)").then(SPREAD, "eigenvalues.var(dim=1, correction=0)")),
        Mistake("sign_kept", "The spread is right now, but a negative mean still counts as little. An"
            " eigenvalue of -10 bends as sharply as one of 10: take the absolute value of the mean.",
            edit(MEAN, "eigenvalues.mean(dim=1)")),
        Mistake("variance", "The mean is right now, but its neighbor is a variance, in squares of what an"
            " eigenvalue is measured in. The formula has its root, the standard deviation.",
            edit(SPREAD, "eigenvalues.var(dim=1, correction=0)")),
        Mistake("absolute_too_early", "You take absolute values before the mean, or before the spread. The"
            " bars stand around the mean: a layer with -3 and 3 has the mean 0, and all that it has is"
            " spread.",
            (edit(MEAN, "eigenvalues.abs().mean(dim=1)"),
             edit(SPREAD, "eigenvalues.abs().std(dim=1, correction=0)"),
             lambda eigenvalues: eigenvalues.abs().mean(dim=1),
             lambda eigenvalues: curvature_bits.layer_sensitivity(eigenvalues.abs()))),
        Mistake("absolute_of_the_sum", "The bars stand around the mean alone. Around the whole sum, a"
            " negative mean and the spread cancel each other.",
            edit(f"{MEAN} + {SPREAD}", f"(eigenvalues.mean(dim=1) + {SPREAD}).abs()")),
        Mistake("over_the_layers", "You average over the layers. Every layer gets a number of its own, over"
            " its subsets: dim 1.",
            edit(MEAN, "eigenvalues.mean(dim=0).abs()").then(SPREAD, "eigenvalues.std(dim=0, correction=0)")),
    ],
    hints=("Compare the draft with the formula sign by sign: what stands between bars, and is it σ or σ²?",
           "eigenvalues is [layers, subsets]; both parts are [layers].",
           "eigenvalues.mean(dim=1).abs() + eigenvalues.std(dim=1, correction=0)"),
    why="What counts is how sharply the loss bends, up or down, and how much that depends on the texts.",
)
# fmt: on
