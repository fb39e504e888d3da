"""Teacher assistants: knowledge handed down from model to model, each smaller than the one before.

TAKD (Mirzadeh et al., 2020): where a teacher is far larger than its student, one of a size between them
learns from the teacher first, and then teaches the student. Each hop is plain distillation, and the student
of a hop is the frozen teacher of the next. Whoever compares it with direct distillation has to say what the
assistant cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from torch import nn

from lib.compression.ledger.counting import unique_parameters

T = TypeVar("T")


def hand_down(models: Sequence[nn.Module], learn: Callable[[nn.Module, nn.Module], T]) -> list[T]:
    """Let each model learn from the one before it; what `learn(student, teacher)` returned of each hop.

    models: the teacher, the assistants, the student, in this order; ValueError where one is not smaller than
    the one before. The teacher of a hop is in eval() and frozen meanwhile.
    """
    sizes = [unique_parameters(model) for model in models]
    if len(models) < 2 or any(after >= before for before, after in pairwise(sizes)):
        raise ValueError(
            f"Models of {', '.join(f'{size:,}' for size in sizes)} parameters: give two at least, from the "
            "teacher down, each smaller than the one before."
        )
    returned = []
    for teacher, student in pairwise(models):
        learned = [parameter.requires_grad for parameter in teacher.parameters()]
        teacher.eval().requires_grad_(False)
        try:
            returned.append(learn(student, teacher))
        finally:
            for parameter, was in zip(teacher.parameters(), learned, strict=True):
                parameter.requires_grad_(was)
    return returned
