"""The loss of skip-gram: what was there against what was drawn at random."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.exercises.spec import Exercise, Invariant, Mistake, edit
from lib.training import word2vec

REAL, NOISE, POOLED = "F.logsigmoid(right)", "F.logsigmoid(-wrong)", "F.logsigmoid(-wrong).mean(dim=-1)"
PAIRED, LAST = "(prediction * target).sum(dim=-1)", "dim=-1)).mean()"


def cases(seed: int) -> Iterator[tuple[Tensor, ...]]:
    """A small batch, a larger one, one example, scores of 50 and more, double precision."""
    generator = torch.Generator().manual_seed(seed)
    for examples, noise, size, scale, dtype in (
        (2, 3, 2, 1, torch.float32),
        (8, 5, 4, 1, torch.float32),
        (1, 4, 3, 1, torch.float32),
        (4, 16, 6, 5, torch.float32),
        (5, 7, 4, 1, torch.float64),
    ):
        rows = (examples, examples, noise)
        yield tuple(scale * torch.randn(n, size, generator=generator, dtype=dtype) for n in rows)


EXERCISE = Exercise(
    name="negative_sampling_loss",
    minutes=10,
    difficulty=2,
    reference=word2vec.negative_sampling_loss,
    cases=cases,
    invariants=[
        Invariant(
            "not_negative",
            "A probability's logarithm is at most 0, so minus it is at least 0. Yours is negative: look at"
            " the signs.",
            lambda candidate, arguments, result: bool(result >= 0),
        ),
    ],
    mistakes=[
        Mistake(
            "sign_of_the_noise",
            "Noise is to be told apart, so its score should be low: the logarithm of sigmoid(-score). Yours"
            " pulls the noise in.",
            edit("-wrong", "wrong"),
        ),
        Mistake(
            "sign_of_the_target",
            "You push the target away: for it, it is sigmoid(score) without the minus sign.",
            edit("d(right)", "d(-right)"),
        ),
        Mistake(
            "no_minus",
            "You give the log likelihood, which training should raise. A loss is minus that.",
            edit("-(", "("),
        ),
        Mistake(
            "no_logarithm",
            "You add probabilities. It is their logarithms that add up: F.logsigmoid.",
            (
                edit(REAL, "right.sigmoid()").then(NOISE, "(-wrong).sigmoid()"),
                edit(REAL, "(right.sigmoid() - 1)").then(NOISE, "(-wrong.sigmoid())"),
            ),
        ),
        Mistake(
            "no_sigmoid",
            "You add the bare scores, which have no bound: training would make the vectors ever longer. Put"
            " them through F.logsigmoid.",
            edit(REAL, "right").then(NOISE, "(-wrong)"),
        ),
        Mistake(
            "rounded_away",
            "Right until scores grow: then the sigmoid rounds to 0 or 1, and its logarithm is lost."
            " F.logsigmoid(score), or of -score, is the same on paper and stays exact.",
            when=lambda arguments, answer, expected: float((arguments[0] @ arguments[2].mT).abs().max()) > 30,
            example=(
                edit(REAL, "right.sigmoid().log()").then(NOISE, "(1 - wrong.sigmoid()).log()"),
                edit(NOISE, "((-wrong).sigmoid() + 1e-9).log()"),
            ),
        ),
        Mistake(
            "sum_of_the_noise",
            "You sum over all the shared noise words. They stand for five an example: 5 times their mean.",
            (
                edit("NEGATIVES * F", "F").then("wrong).mean", "wrong).sum"),
                edit("NEGATIVES * F", "F").then("wrong).mean(dim=-1)).mean()", "wrong).sum(dim=-1)).sum()"),
            ),
        ),
        Mistake(
            "five_sums",
            "5 times the *sum* over the noise words: take 5 times the mean.",
            edit("wrong).mean", "wrong).sum"),
        ),
        Mistake(
            "one_noise_word",
            "The noise counts for one word an example in yours; it should count for five: NEGATIVES.",
            edit("NEGATIVES * F", "F"),
        ),
        Mistake(
            "no_mean",
            "That is a loss for each example. Take their mean.",
            edit(LAST, "dim=-1))"),
        ),
        Mistake(
            "every_pair",
            "prediction @ target.T compares every prediction with every target. Each belongs to one: multiply"
            " them feature by feature and sum.",
            edit(PAIRED, "prediction @ target.T").then(POOLED, f"{NOISE}.mean()"),
        ),
        Mistake(
            "features_apart",
            "A score is one number for a pair. After multiplying feature by feature, sum over the features:"
            " .sum(dim=-1).",
            edit(PAIRED, "(prediction * target)"),
        ),
        Mistake(
            "mean_of_the_scores",
            "You average the scores of the noise and then ask once. Ask of every noise word, then average the"
            " logarithms.",
            edit(POOLED, "F.logsigmoid(-wrong.mean(dim=-1))"),
        ),
        Mistake(
            "softmax",
            "This is a softmax over target and noise. Negative sampling asks one question of each word by"
            " itself, real or noise, so it is a sigmoid.",
            edit(
                f"({REAL} + NEGATIVES * {POOLED})",
                "torch.cat([right[:, None], wrong], 1).log_softmax(1)[:, 0]",
            ),
        ),
    ],
    hints=(
        "Each example asks: is this word real? Once about the target, where yes is right, and five times"
        " about noise, where no is right.",
        "Scores of the targets: [B], one dot product an example. Scores of the noise: prediction @ noise.T,"
        " [B, S].",
        "Minus the mean of F.logsigmoid(right) + NEGATIVES * F.logsigmoid(-wrong).mean(dim=-1).",
    ),
    why="High scores for what was there, low ones for what was drawn at random.",
    box="word_vectors",
)
