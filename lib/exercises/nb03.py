"""The exercises of notebook 03, word vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.text import cast
from lib.text.vectors import nearest_rows
from lib.training.word2vec import NEGATIVES, negative_sampling_loss

NOTEBOOK = "03_word_vectors"


# --- rows_with_gradient ---------------------------------------------------------------------------


def _pieces() -> list[str]:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    return [piece for sentence in cast() if "bank" in sentence for piece in tokenizer.tokenize(sentence)]


def _rows_with_gradient() -> int:
    table = torch.zeros(30_522, 2, requires_grad=True)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    F.embedding(torch.tensor(tokenizer.convert_tokens_to_ids(_pieces())), table).sum().backward()
    assert table.grad is not None
    return int(table.grad.any(dim=1).sum())


ROWS = Exercise(
    name="rows_with_gradient",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_rows_with_gradient,
    answer="10",
    form="An answer is a whole number, such as 42.",
    mistakes=[
        Mistake(
            "counted_twice",
            "You counted every word. One of them stands in both sentences, and both look up the same row.",
            lambda answer: answer == len(_pieces()),
            example=11,
        ),
        Mistake(
            "every_row",
            "Most of the table was not looked at. What was not looked up did not matter to the loss, so its"
            " gradient is 0.",
            lambda answer: answer in (30_522, 30_521, 30_511, 30_512),
            example=30_522,
        ),
        Mistake(
            "columns",
            "That is how many numbers a row has. The question is how many rows.",
            lambda answer: answer == 384,
            example=384,
        ),
        Mistake(
            "specials_too",
            "Only the words were looked up here; [CLS] and [SEP] were not added.",
            lambda answer: answer in (12, 13, 14),
            example=12,
        ),
    ],
    hints=(
        "A row gets a gradient if the loss depends on it.",
        "The loss depends on the rows that were looked up, and on no others.",
        "Count the different words of both sentences.",
    ),
    why="One row for each different word; a word that comes twice gets the sum of two gradients.",
)


# --- negative_sampling_loss -----------------------------------------------------------------------


def _loss_cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """A small batch, a larger one, one example, long vectors, double precision."""
    generator = torch.Generator().manual_seed(seed)

    def random(examples: int, noise: int, size: int, dtype: torch.dtype = torch.float32) -> Any:
        return tuple(
            torch.randn(rows, size, generator=generator, dtype=dtype) for rows in (examples, examples, noise)
        )

    yield random(2, 3, 2)
    yield random(8, 5, 4)
    yield random(1, 4, 3)
    prediction, target, noise = random(4, 16, 6)
    yield 5 * prediction, 5 * target, 5 * noise  # scores of 50 and more
    yield random(5, 7, 4, torch.float64)


def _wrong(
    right: Any = lambda scores: F.logsigmoid(scores),
    wrong: Any = lambda scores: F.logsigmoid(-scores),
    pool: Any = lambda each: each.mean(-1),
    weight: float = NEGATIVES,
    finish: Any = lambda each: -each.mean(),
) -> Any:
    """The loss in five steps, one of which a mistake replaces."""

    def loss(prediction: Tensor, target: Tensor, noise: Tensor) -> Tensor:
        good, bad = (prediction * target).sum(-1), prediction @ noise.T
        return finish(right(good) + weight * pool(wrong(bad)))

    return loss


def _every_pair(prediction: Tensor, target: Tensor, noise: Tensor) -> Tensor:
    good, bad = prediction @ target.T, prediction @ noise.T
    return -(F.logsigmoid(good).mean(-1) + NEGATIVES * F.logsigmoid(-bad).mean(-1)).mean()


def _softmax(prediction: Tensor, target: Tensor, noise: Tensor) -> Tensor:
    scores = torch.cat([(prediction * target).sum(-1, keepdim=True), prediction @ noise.T], dim=1)
    return -scores.log_softmax(-1)[:, 0].mean()


def _target_and_noise(prediction: Tensor, target: Tensor, noise: Tensor) -> Tensor:
    good, bad = (prediction * target).sum(-1), target @ noise.T
    return -(F.logsigmoid(good) + NEGATIVES * F.logsigmoid(-bad).mean(-1)).mean()


LOSS = Exercise(
    name="negative_sampling_loss",
    notebook=NOTEBOOK,
    reference=negative_sampling_loss,
    cases=_loss_cases,
    invariants=[
        Invariant(
            "one_number",
            "A loss is one number, the mean over the batch: a tensor without dimensions.",
            lambda candidate, arguments, result: result.dim() == 0,
        ),
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
            _wrong(wrong=F.logsigmoid),
        ),
        Mistake(
            "sign_of_the_target",
            "You push the target away: for it, it is sigmoid(score) without the minus sign.",
            _wrong(right=lambda scores: F.logsigmoid(-scores)),
        ),
        Mistake(
            "no_minus",
            "You give the log likelihood, which training should raise. A loss is minus that.",
            _wrong(finish=lambda each: each.mean()),
        ),
        Mistake(
            "no_logarithm",
            "You add probabilities. It is their logarithms that add up: F.logsigmoid.",
            _wrong(right=torch.sigmoid, wrong=lambda scores: torch.sigmoid(-scores)),
        ),
        Mistake(
            "no_sigmoid",
            "You add the bare scores, which have no bound: training would make the vectors ever longer. Put"
            " them through F.logsigmoid.",
            _wrong(right=lambda scores: scores, wrong=lambda scores: -scores),
        ),
        *(
            Mistake(
                "rounded_away",
                "Right until scores grow: then the sigmoid rounds to 0 or 1, and you take the logarithm of 0."
                " F.logsigmoid(score), or of -score, is the same on paper and stays exact.",
                _wrong(right=right, wrong=wrong),
            )
            for right in (F.logsigmoid, lambda scores: torch.log(torch.sigmoid(scores)))
            for wrong in (
                lambda scores: torch.log(1 - torch.sigmoid(scores)),
                lambda scores: torch.log(torch.sigmoid(-scores)),
            )
        ),
        Mistake(
            "sum_of_the_noise",
            "You sum over all the shared noise words. They stand for five an example: 5 times their mean.",
            _wrong(pool=lambda each: each.sum(-1), weight=1),
        ),
        Mistake(
            "five_sums",
            "5 times the *sum* over the noise words: take 5 times the mean.",
            _wrong(pool=lambda each: each.sum(-1)),
        ),
        Mistake(
            "one_noise_word",
            "The noise counts for one word an example in yours; it should count for five: NEGATIVES.",
            _wrong(weight=1),
        ),
        Mistake(
            "sum_over_the_batch",
            "You sum over the examples. Take the mean, so that the size of the batch does not matter.",
            _wrong(finish=lambda each: -each.sum()),
        ),
        Mistake(
            "no_mean",
            "That is a loss for each example. Take their mean.",
            _wrong(finish=lambda each: -each),
        ),
        Mistake(
            "every_pair",
            "prediction @ target.T compares every prediction with every target. Each belongs to one: multiply"
            " them feature by feature and sum.",
            _every_pair,
        ),
        Mistake(
            "softmax",
            "This is a softmax over target and noise. Negative sampling asks one question of each word by"
            " itself, real or noise, so it is a sigmoid.",
            _softmax,
        ),
        Mistake(
            "noise_against_target",
            "You compare the noise with the targets. It is the predictions that have to tell it apart.",
            _target_and_noise,
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


# --- nearest_rows ---------------------------------------------------------------------------------


def _row_cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """A readable table with one long row, then random ones with rows of different lengths."""
    table = torch.tensor([[1.0, 0.0], [0.9, 0.1], [3.0, 4.0], [0.0, 1.0], [-1.0, 0.2]])
    yield table, torch.tensor([1.0, 0.1]), 2
    generator = torch.Generator().manual_seed(seed)
    for words, size in ((12, 3), (40, 8)):
        lengths = torch.rand(words, 1, generator=generator) * 5 + 0.2
        table = lengths * torch.randn(words, size, generator=generator)
        yield table, 2 * torch.randn(size, generator=generator), 4


def _nearest(score: Any, largest: bool = True) -> Any:
    def wrong(vectors: Tensor, vector: Tensor, count: int) -> tuple[Tensor, Tensor]:
        values, rows = score(vectors, vector).topk(count, largest=largest)
        return values, rows

    return wrong


def _cosines(vectors: Tensor, vector: Tensor) -> Tensor:
    return F.normalize(vectors, dim=1) @ F.normalize(vector, dim=0)


NEAREST = Exercise(
    name="nearest_rows",
    notebook=NOTEBOOK,
    kind="bug",
    reference=nearest_rows,
    returns=("cosines", "rows"),
    cases=_row_cases,
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Give it a table with one very long row: does that row come out on"
            " top whatever you ask for?",
            _nearest(lambda vectors, vector: vectors @ vector),
        ),
        Mistake(
            "only_the_vector",
            "The vector you ask with has length 1 now. That scales all scores alike; it is the rows whose"
            " lengths differ.",
            _nearest(lambda vectors, vector: vectors @ F.normalize(vector, dim=0)),
        ),
        Mistake(
            "only_the_rows",
            "The order is right now. To make the numbers cosines, divide by the length of `vector` too.",
            _nearest(lambda vectors, vector: F.normalize(vectors, dim=1) @ vector),
        ),
        Mistake(
            "wrong_dimension",
            "You divide by the length of each column. A word's vector is a row: dim=1.",
            _nearest(lambda vectors, vector: F.normalize(vectors, dim=0) @ F.normalize(vector, dim=0)),
        ),
        Mistake(
            "whole_table",
            "You divide by one number for the whole table. Each row has a length of its own.",
            _nearest(lambda vectors, vector: vectors @ vector / (vectors.norm() * vector.norm())),
        ),
        Mistake(
            "squared_lengths",
            "You divide by the squared length; its root is the length.",
            _nearest(
                lambda vectors, vector: vectors @ vector / (vectors.square().sum(1) * vector.square().sum())
            ),
        ),
        Mistake(
            "farthest",
            "These are the smallest cosines. The nearest have the largest.",
            _nearest(_cosines, largest=False),
        ),
        Mistake(
            "distance",
            "You order by distance, which again depends on length. What is wanted is the angle: the cosine.",
            _nearest(lambda vectors, vector: -(vectors - vector).norm(dim=1)),
        ),
    ],
    hints=(
        "A dot product grows with the angle's cosine, and with the lengths of both vectors.",
        "Make every row of vectors [V, D] one unit long, and vector [D] too, before you multiply.",
        "cosines = F.normalize(vectors, dim=1) @ F.normalize(vector, dim=0)",
    ),
    why="Divided by its length, no row has a head start; what is left to compare is the direction.",
)

EXERCISES = [ROWS, LOSS, NEAREST]
