"""Attention of a student's state over the layers of its teacher."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.distillation import combined_layers
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SCORES = "(teachers * student.unsqueeze(-2)).sum(dim=-1)"
WEIGHTS = "scores.softmax(dim=-1)"
MIXTURE = "(weights.unsqueeze(-1) * teachers).sum(dim=-2)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The notebook's, then one text, more texts than layers and fewer, one layer alone, and large scores."""
    yield torch.tensor([[1.0, 0.0]]), torch.tensor([[[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]])
    generator = torch.Generator().manual_seed(seed)
    for texts, layers, size, spread in [
        (2, 3, 4, 1.0),
        (5, 2, 6, 0.7),
        (3, 6, 5, 1.0),
        (2, 1, 4, 1.0),
        (2, 4, 8, 6.0),
    ]:
        yield (
            spread * torch.randn(texts, size, generator=generator),
            spread * torch.randn(texts, layers, size, generator=generator),
        )


def rows_of_shares(
    _candidate: object, arguments: tuple[Tensor, Tensor], result: tuple[Tensor, Tensor]
) -> bool:
    weights = result[0]
    return bool((weights >= 0).all()) and torch.allclose(
        weights.sum(-1), torch.ones(len(arguments[0])), atol=1e-4
    )


def mixture_first(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    weights, mixture = combined_layers.combine_layers(student, teachers)
    return mixture, weights


def nearest(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    scores = (teachers * student.unsqueeze(-2)).sum(dim=-1)
    weights = (scores == scores.amax(dim=-1, keepdim=True)).to(student.dtype)
    return weights, (weights.unsqueeze(-1) * teachers).sum(dim=-2)


EXERCISE = Exercise(
    name="combine_layers",
    minutes=6,
    difficulty=2,
    reference=combined_layers.combine_layers,
    cases=cases,
    returns=("the weights", "the mixture"),
    invariants=[
        Invariant(
            "rows_of_shares",
            "The weights of each text have to be shares of the teacher's layers: from 0, and together 1.",
            rows_of_shares,
        ),
    ],
    mistakes=[
        Mistake(
            "scaled",
            "You divided the dot products by √D, as attention inside a BERT does. ALP-KD's formula does not,"
            " and what that changes is the question of the next cells.",
            (
                edit(SCORES, f"{SCORES} / student.size(-1) ** 0.5"),
                edit(SCORES, f"{SCORES} / student.size(-1)"),
            ),
        ),
        Mistake(
            "over_the_texts",
            "The softmax runs over the texts of the batch. Each text has weights of its own, over the layers:"
            " dim=-1 of [B, N].",
            edit(WEIGHTS, "scores.softmax(dim=0)"),
        ),
        Mistake(
            "over_the_features",
            "The features were not added up, so the softmax has no layers to choose among. A dot product is"
            " one number for each layer, and the scores are [B, N].",
            edit(SCORES, "(teachers * student.unsqueeze(-2)).softmax(dim=-1).sum(dim=-1)"),
        ),
        Mistake(
            "no_softmax",
            "Your weights are the dot products themselves. Softmax makes shares of them.",
            edit(WEIGHTS, "scores"),
        ),
        Mistake(
            "divided_by_their_sum",
            "You divided the dot products by their sum. Dot products can be negative, so that makes no"
            " shares: take softmax.",
            edit(WEIGHTS, "scores / scores.sum(dim=-1, keepdim=True)"),
        ),
        Mistake(
            "one_layer",
            "You took the one layer with the largest dot product. Softmax gives every layer some weight.",
            nearest,
        ),
        Mistake(
            "cosine",
            "You compared directions: both states were brought to length 1 first. Here the plain dot product"
            " is asked for.",
            edit(
                SCORES,
                "(teachers / teachers.norm(dim=-1, keepdim=True)"
                " * (student / student.norm(dim=-1, keepdim=True)).unsqueeze(-2)).sum(dim=-1)",
            ),
        ),
        Mistake(
            "distance",
            "Your scores are distances. The layer that is most unlike the student would get the most weight:"
            " take dot products.",
            (
                edit(SCORES, "(teachers - student.unsqueeze(-2)).square().sum(dim=-1)"),
                edit(SCORES, "(teachers - student.unsqueeze(-2)).norm(dim=-1)"),
            ),
        ),
        Mistake(
            "plain_mean",
            "The weights are right, and the mixture does not use them: it is the plain mean of the layers.",
            edit(MIXTURE, "teachers.mean(dim=-2)"),
        ),
        Mistake(
            "weighted_twice",
            "You divided the weighted sum by the number of layers. The weights sum to 1 already.",
            edit(MIXTURE, "(weights.unsqueeze(-1) * teachers).mean(dim=-2)"),
        ),
        Mistake(
            "of_the_student",
            "Your mixture is made of the student's state. The values that are averaged are the teacher's.",
            edit(MIXTURE, "(weights.unsqueeze(-1) * student.unsqueeze(-2)).sum(dim=-2)"),
        ),
        Mistake(
            "same_for_all_texts",
            "All texts got the same weights. The student's state of each text asks for its own.",
            edit(
                SCORES,
                f"{SCORES}.mean(dim=0, keepdim=True).expand(len(student), -1)",
            ),
        ),
        Mistake(
            "mixture_first",
            "You return the mixture first. The weights come first, then the mixture.",
            mixture_first,
        ),
    ],
    hints=(
        "Attention with one query: the student's state asks, and the teacher's layers are keys and values.",
        "student [B, D] needs a place for the layers, [B, 1, D]. Times teachers [B, N, D], summed over D: the"
        " scores [B, N]. Weights [B, N, 1] times teachers [B, N, D], summed over N: the mixture [B, D].",
        "weights = (teachers * student.unsqueeze(1)).sum(-1).softmax(-1)",
    ),
    why="No layer is skipped, and no map has to be searched for: the student chooses anew for each text.",
)
