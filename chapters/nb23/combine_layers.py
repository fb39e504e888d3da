"""Attention of a student's state over the layers of its teacher."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.distillation import combined_layers
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SCORES = "(teachers * student.unsqueeze(-2)).sum(dim=-1)"
WEIGHTS = "scores.softmax(dim=-1)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The notebook's, then one text, more texts than layers and fewer, one layer alone, and large scores."""
    yield torch.tensor([[1.0, 0.0]]), torch.tensor([[[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]])
    torch.manual_seed(seed)
    for texts, layers, size, spread in [(2, 3, 4, 1), (5, 2, 6, 1), (3, 6, 5, 1), (2, 1, 4, 1), (2, 4, 8, 6)]:
        yield spread * torch.randn(texts, size), spread * torch.randn(texts, layers, size)


# fmt: off
EXERCISE = Exercise(
    name="combine_layers", minutes=6, difficulty=2, reference=combined_layers.combine_layers, cases=cases,
    returns=("the weights", "the mixture"),
    invariants=[
        Invariant("rows_of_shares", "The weights of each text have to be shares of the teacher's layers: from"
            " 0, and together 1.",
            lambda _, arguments, result: bool(
                (result[0] >= 0).all() and ((result[0].sum(-1) - 1).abs() < 1e-4).all())),
    ],
    mistakes=[
        Mistake("scaled", "You divided the dot products by √D, as attention inside a BERT does. ALP-KD's"
            " formula does not, and the cells below show what that changes.",
            edit(SCORES, f"{SCORES} / student.size(-1) ** 0.5")),
        Mistake("other_scores", "The scores are the plain dot products of two states: neither distances, by"
            " which the most unlike layer would count most, nor a comparison of directions alone.",
            (edit(SCORES, "(teachers - student.unsqueeze(-2)).square().sum(dim=-1)"),
             edit(SCORES, "(teachers - student.unsqueeze(-2)).norm(dim=-1)"),
             edit(SCORES, "torch.cosine_similarity(teachers, student.unsqueeze(-2), dim=-1)"))),
        Mistake("over_the_features", "The features were not added up, so the softmax has no layers to choose"
            " among. A dot product is one number for each layer, and the scores are [B, N].",
            edit(SCORES, "(teachers * student.unsqueeze(-2)).softmax(dim=-1).sum(dim=-1)")),
        Mistake("divided_by_their_sum", "You divided the dot products by their sum. Dot products can be"
            " negative, so that makes no shares: take softmax.",
            edit(WEIGHTS, "scores / scores.sum(dim=-1, keepdim=True)")),
        Mistake("one_layer", "You took the one layer with the largest dot product. Softmax gives every layer"
            " some weight.", edit(WEIGHTS, "(scores == scores.amax(dim=-1, keepdim=True)).float()")),
        Mistake("plain_mean", "The weights are right, and the mixture does not use them: it is the plain mean"
            " of the layers.",
            edit("(weights.unsqueeze(-1) * teachers).sum(dim=-2)", "teachers.mean(dim=-2)")),
    ],
    hints=("Attention with one query: the student's state asks, and the teacher's layers are keys and"
           " values.",
           "student [B, D] needs a place for the layers, [B, 1, D]. Times teachers [B, N, D], summed over D:"
           " the scores [B, N]. Weights [B, N, 1] times teachers [B, N, D], summed over N: the mixture [B,"
           " D].",
           "weights = (teachers * student.unsqueeze(1)).sum(-1).softmax(-1)"),
    why="Every layer has a weight, and no map has to be searched for. But as the cells below show,"
        " undivided dot products may give one layer all of it.",
)
# fmt: on
