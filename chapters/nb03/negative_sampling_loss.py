"""The loss of skip-gram: what was there against what was drawn at random."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb03 import word2vec
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

REAL, NOISE, POOLED = "F.logsigmoid(right)", "F.logsigmoid(-wrong)", "F.logsigmoid(-wrong).mean(dim=-1)"
PAIRED, LAST = "(prediction * target).sum(dim=-1)", "dim=-1)).mean()"


def cases(seed: int) -> Iterator[tuple[Tensor, ...]]:
    """A small batch, a larger one, one example, scores of 50 and more."""
    generator = torch.Generator().manual_seed(seed)
    for examples, noise, size, scale in ((2, 3, 2, 1), (8, 5, 4, 1), (1, 4, 3, 1), (4, 16, 6, 5)):
        rows = (examples, examples, noise)
        yield tuple(scale * torch.randn(n, size, generator=generator) for n in rows)


# fmt: off
EXERCISE = Exercise(
    name="negative_sampling_loss", minutes=10, difficulty=2, reference=word2vec.negative_sampling_loss,
    cases=cases,
    invariants=[
        Invariant("not_negative", "A loss made of logarithms of probabilities is at least 0. Yours is"
            " negative: look at the signs.", lambda candidate, arguments, result: bool(result >= 0)),
    ],
    mistakes=[
        Mistake("sign", "The target's score should be high, that of noise low: sigmoid(score), and"
            " sigmoid(-score).", (edit("-wrong", "wrong"), edit("d(right)", "d(-right)"))),
        Mistake("no_logarithm", "It is the logarithms of the probabilities that add up, no scores:"
            " F.logsigmoid.",
            (edit(REAL, "right.sigmoid()").then(NOISE, "(-wrong).sigmoid()"),
             edit(REAL, "right").then(NOISE, "(-wrong)"))),
        Mistake("rounded_away", "Right until scores grow: then the sigmoid rounds to 0 or 1, and its"
            " logarithm is lost. F.logsigmoid(score) is the same on paper and stays exact.",
            when=lambda arguments, answer, expected: float((arguments[0] @ arguments[2].mT).abs().max()) > 30,
            example=(edit(REAL, "right.sigmoid().log()").then(NOISE, "(1 - wrong.sigmoid()).log()"),
                edit(NOISE, "((-wrong).sigmoid() + 1e-9).log()"))),
        Mistake("weight_of_the_noise", "The shared noise words stand for five an example, however many they"
            " are: 5 times their mean.",
            (edit("5 * F", "F").then("wrong).mean", "wrong).sum"), edit("5 * F", "F"),
             edit("wrong).mean", "wrong).sum"))),
        Mistake("not_one_number", "A score is one number for a pair, .sum(dim=-1), and the loss the mean over"
            " all examples.", (edit(LAST, "dim=-1))"), edit(PAIRED, "(prediction * target)"))),
        Mistake("softmax", "That is a softmax. Negative sampling asks of each word by itself whether it is"
            " real: a sigmoid.",
            edit(f"({REAL} + 5 * {POOLED})",
                "torch.cat([right[:, None], wrong], 1).log_softmax(1)[:, 0]")),
    ],
    hints=("Each example asks: is this word real? Once about the target, and five times about noise.",
           "Scores of the targets: [B], one dot product each. Of the noise: prediction @ noise.T, [B, S].",
           "Minus the mean of F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(dim=-1)."),
    why="High scores for what was there, low ones for what was drawn at random.", box="word_vectors",
)
# fmt: on
