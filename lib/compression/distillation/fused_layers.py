"""CKD: a layer of the student learns from several of the teacher's at once (Wu et al., 2020).

The states of a set of layers are put side by side. They are wider than the student's then, and a dense layer
makes up for it: in the paper it brings the teacher's side down (`FusedTeacher`), in the authors' code it
brings the student's side up (`WidenedStudent`), and both sides are then brought to length 1. Either is the
map of a `Match` of hidden states.

What the first allows: a dense layer of zeros and a student that always says the bias is a perfect match that
teaches nothing, since the target is learned as well. What the code compares with is the teacher alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from lib.compression.distillation.layer_maps import Read
from lib.compression.distillation.losses import Summed, normalized_squared_error

#: for each layer of the student, from the first, those of the teacher that teach it, counted from 1
LayerSets = tuple[tuple[int, ...], ...]

#: of unit vectors, added up over their features, as in the authors' code
normalized_sum = Summed(normalized_squared_error)


def regular_sets(student_layers: int, teacher_layers: int) -> LayerSets:
    """As many neighbors for each of the student's layers, none twice; ValueError if M does not divide N."""
    if student_layers < 1 or teacher_layers % student_layers:
        raise ValueError(f"{teacher_layers} layers are no multiple of {student_layers}: choose others.")
    size = teacher_layers // student_layers
    return tuple(tuple(range(size * m + 1, size * m + size + 1)) for m in range(student_layers))


def overlapping_sets(student_layers: int, teacher_layers: int) -> LayerSets:
    """`regular_sets`, the first and the last of which also take the next layer of their neighbor.

    For 2 of 6 that is the authors' code. For 3 it is the course's choice; with more, those in the middle
    would not overlap: name the sets yourself.
    """
    if student_layers not in (2, 3):
        raise ValueError(f"A student of {student_layers} layers: name its sets, these are for 2 and 3.")
    first, *middle, last = regular_sets(student_layers, teacher_layers)
    return ((*first, first[-1] + 1), *middle, (last[0] - 1, *last))


#: the four of the authors' code, which has the last three for six layers and two alone
FOUR_SETS: dict[str, LayerSets] = {
    "regular": regular_sets(2, 6),
    "overlap": overlapping_sets(2, 6),
    "skip middle": ((1, 2), (5, 6)),
    "cross": ((1, 3), (4, 6)),
}


class WidenedStudent(nn.Module):
    """The student's state, through a dense layer, against the states of a set side by side.

    A dense layer for each layer of the student, from D_s to k D_t features for a set of k; its pair
    is [..., k D_t] on both sides.
    """

    def __init__(self, sets: LayerSets, student_size: int, teacher_size: int):
        super().__init__()
        self.sets = _validated(sets)
        self.projections = nn.ModuleList(
            nn.Linear(student_size, len(layers) * teacher_size) for layers in sets
        )

    def forward(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [
            (projection(student(own)), side_by_side(teacher, layers))
            for own, (projection, layers) in enumerate(zip(self.projections, self.sets, strict=True), start=1)
        ]

    def extra_repr(self) -> str:
        return f"sets={self.sets}"


class FusedTeacher(nn.Module):
    """The student's state against the states of a set side by side, through a dense layer to D_s features.

    Each layer's pair is [..., D_s] on both sides.
    """

    def __init__(self, sets: LayerSets, student_size: int, teacher_size: int):
        super().__init__()
        self.sets = _validated(sets)
        self.projections = nn.ModuleList(
            nn.Linear(len(layers) * teacher_size, student_size) for layers in sets
        )

    def forward(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [
            (student(own), projection(side_by_side(teacher, layers)))
            for own, (projection, layers) in enumerate(zip(self.projections, self.sets, strict=True), start=1)
        ]

    def extra_repr(self) -> str:
        return f"sets={self.sets}"


def side_by_side(teacher: Read, layers: Sequence[int]) -> Tensor:
    """The teacher's states after these layers, [..., k D]."""
    return torch.cat([teacher(layer) for layer in layers], dim=-1)


def _validated(sets: LayerSets) -> LayerSets:
    if not sets or not all(sets) or min(min(layers) for layers in sets) < 1:
        raise ValueError(f"The sets {sets}: give each layer of the student some of the teacher's, from 1.")
    return sets
