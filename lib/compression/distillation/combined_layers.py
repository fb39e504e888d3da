"""ALP-KD: a layer of the student learns from a mixture of the teacher's, by attention (Passban et al., 2021).

The student's state is the query, and the teacher's states are keys and values at once, so nothing is learned
for it, and both models have to be equally wide. The paper's formula has no 1 / sqrt(D); a reimplementation by
others (IKMLab) has it: `combine_scaled`. The weights depend on the student, and in both a gradient flows
through them; `combine_fixed` stops it.

Sizes in the comments: B texts, D hidden size, N layers that are mixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from lib.compression.distillation.fused_layers import LayerSets
from lib.compression.distillation.layer_maps import Read

#: the student's states [..., D] and the teacher's [..., N, D] to weights [..., N] and a mixture [..., D]
Combine = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def combine_layers(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    """How much each of the teacher's layers counts for a state of the student, and their weighted average.

    student [B, D], teachers [B, N, D]. Returns weights [B, N], the softmax over the layers of the dot
    products, not divided by sqrt(D), and the mixture [B, D].
    """
    scores = (teachers * student.unsqueeze(-2)).sum(dim=-1)  # [B, N]
    weights = scores.softmax(dim=-1)
    mixture = (weights.unsqueeze(-1) * teachers).sum(dim=-2)  # [B, D]
    return weights, mixture


def combine_scaled(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    """`combine_layers`, of the same shapes, the dot products divided by sqrt(D), as in attention."""
    return combine_layers(student / student.size(-1) ** 0.5, teachers)


def combine_fixed(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    """`combine_layers`, of the same shapes, but the student learns nothing through the weights."""
    return combine_layers(student.detach(), teachers)


def combine_evenly(student: Tensor, teachers: Tensor) -> tuple[Tensor, Tensor]:
    """`combine_layers`, of the same shapes, all weights 1 / N: what attention has to be compared with."""
    return combine_layers(torch.zeros_like(student), teachers)


@dataclass(frozen=True)
class LayerMixtures:
    """Layer m of the student, from 1, learns from a mixture of the teacher's layers in the m-th set.

    Each pair is [..., D] on both sides. ValueError where the models are not equally wide.
    """

    sets: LayerSets
    combine: Combine = combine_layers

    def __call__(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        pairs = []
        for own, layers in enumerate(self.sets, start=1):
            state = student(own)  # [B, D]
            taught = torch.stack([teacher(layer) for layer in layers], dim=-2)  # [B, N, D]
            if state.size(-1) != taught.size(-1):
                raise ValueError(
                    f"The student is {state.size(-1)} wide and the teacher {taught.size(-1)}: attention over "
                    "layers has no projection, so take a student as wide as its teacher."
                )
            pairs.append((state, self.combine(state, taught)[1]))
        return pairs


def all_layers(student_layers: int, teacher_layers: int) -> LayerSets:
    """Every layer of the teacher for each of the student's: plain ALP-KD.

    With `fused_layers.regular_sets` as buckets it is the paper's ALP-NO, with `overlapping_sets` ALP-PO.
    """
    return (tuple(range(1, teacher_layers + 1)),) * student_layers
