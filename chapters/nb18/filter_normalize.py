"""A direction for one tensor, with rows as long as those of the weights."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb18 import weights
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

LENGTHS = "direction.norm(dim=1, keepdim=True)"
WANTED = "weight.norm(dim=1, keepdim=True)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Matrices, with a row of zeros in the direction or in the weights, a vector, and a block."""
    generator = torch.Generator().manual_seed(seed)
    yield torch.tensor([[3.0, 4.0], [0.0, 2.0]]), torch.tensor([[1.0, 0.0], [6.0, 8.0]])
    yield torch.tensor([1.0, -2.0, 3.0]), torch.tensor([0.5, 0.5, 0.5])
    direction, weight = torch.randn(2, 4, 3, generator=generator)
    yield direction, 5 * weight
    yield direction * torch.tensor([[1.0], [0.0], [1.0], [1.0]]), weight
    yield direction, weight * torch.tensor([[1.0], [1.0], [0.0], [1.0]])


def has_the_lengths(candidate: Any, arguments: tuple[Tensor, Tensor], result: Tensor) -> bool:
    lengths, wanted = (tensor.norm(dim=-1) for tensor in arguments)
    right = torch.allclose(result.norm(dim=-1).nan_to_num(), wanted * (lengths > 0), rtol=1e-3, atol=1e-5)
    return right or result.dim() < 2


# fmt: off
EXERCISE = Exercise(
    name="filter_normalize", minutes=7, difficulty=2, reference=weights.filter_normalize, cases=cases,
    gradients=False,
    mistakes=[
        Mistake("divides_by_zero", "A row of zeros has the length 0, and dividing by it gives nan. Such a row"
            " stays zero.", edit("torch.where(lengths > 0, wanted / lengths, 0.0)", "wanted / lengths")),
        Mistake("vector_kept", "A vector (dim 1), such as a bias, becomes zeros. Yours moves.",
            edit("torch.zeros_like(direction)", "direction")),
        Mistake("whole_tensor", "Every row gets the length of its own row, not of the whole tensor: the norm"
            " along dim=1.", edit(LENGTHS, "direction.norm()").then(WANTED, "weight.norm()")),
        Mistake("columns", "You scaled the columns. A row is what one output neuron reads: the norm runs"
            " along dim=1.",
            edit(LENGTHS, "direction.norm(dim=0)").then(WANTED, "weight.norm(dim=0)")),
        Mistake("length_one", "Your rows have the length 1. They should have the length of the weights'"
            " rows.", edit("wanted / lengths", "1 / lengths")),
        Mistake("squared", "You used squared lengths. A length is the root of the sum of squares, as .norm"
            " gives it.", edit("wanted / lengths", "(wanted / lengths).square()")),
    ],
    invariants=[
        Invariant("other_lengths", "Some rows of your result do not have the length of the same row of"
            " `weight`.", has_the_lengths),
    ],
    hints=("Treat three kinds: a vector becomes zeros, a row of zeros stays, every other row is stretched.",
           "direction.norm(dim=1, keepdim=True) is [rows, 1], and so is that of weight; divide them.",
           "torch.where(lengths > 0, direction * wanted / lengths, 0.0), and torch.zeros_like(direction) for"
           " a vector."),
    why="A step of 1 is now as long as the weights themselves, neuron by neuron.",
)
# fmt: on
