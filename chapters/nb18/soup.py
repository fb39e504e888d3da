"""The average of several models' weights, each with its share."""

from collections.abc import Iterator

import torch

from chapters.nb18 import weights
from chapters.nb18.weights import Weights
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[list[Weights], list[float]]]:
    """Two models of one tensor, then more of both, with equal and unequal shares."""
    yield [{"w": torch.tensor([1.0, 5.0])}, {"w": torch.tensor([3.0, 1.0])}], [0.5, 0.5]
    yield [{"w": torch.tensor([1.0, 5.0])}, {"w": torch.tensor([3.0, 1.0])}], [0.75, 0.25]
    generator = torch.Generator().manual_seed(seed)
    for shares in ([0.2, 0.5, 0.3], [0.1, 0.2, 0.3, 0.4], [1.0, 0.0]):
        yield (
            [
                {
                    "weight": torch.randn(3, 4, generator=generator),
                    "bias": torch.randn(4, generator=generator),
                }
                for _ in shares
            ],
            shares,
        )


PART, PAIRS = "share * model[name]", "zip(models, shares, strict=True)"

# fmt: off
EXERCISE = Exercise(
    name="soup", minutes=5, difficulty=1, reference=weights.soup, cases=cases, gradients=False,
    mistakes=[
        Mistake("equal_shares", "You take the plain mean, whatever the shares. With shares of 0.75 and 0.25"
            " the first model counts three times as much as the second.",
            edit(PART, "model[name] / len(models)")),
        Mistake("only_added", "You add the models up. Each has to be multiplied by its share first.",
            edit(PART, "model[name]")),
        Mistake("divided_again", "You divide by the number of models, although the shares already add up"
            " to 1.", edit(PART, PART + " / len(models)")),
        Mistake("two_models", "You mix the first two models only. There may be three or more.",
            edit(PAIRS, "zip(models[:2], shares[:2])")),
        Mistake("shares_reversed", "The first share belongs to the first model. Yours goes to the last.",
            edit(PAIRS, "zip(models, list(shares)[::-1])")),
    ],
    hints=("The soup has the same names as each of the models. Go through the names, and mix one tensor at a"
           " time.",
           "For one name: multiply each model's tensor by this model's share, and add up.",
           "sum(share * model[name] for model, share in zip(models, shares)), for each name in models[0]."),
    why="Averaging models takes no training and no texts.",
)
# fmt: on
