"""Which layer of the teacher teaches which layer of the student.

Layers are counted from 1, as hidden states are: 0 are the embeddings, l is what leaves the l-th layer, and
"the attention of layer l" is what happens inside that layer. Where layers are copied (`distilbert_layers`)
numbers begin with 0 instead, as in `encoder.layer.0`. The student has M layers, the teacher N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from torch import Tensor, nn

#: reads a layer's knowledge from one side
Read = Callable[[int], Tensor]

#: given both sides, the pairs of tensors that are to be alike: what the student has, and its target. A map
#: with weights of its own (a projection, an attention over layers) is an `nn.Module`, and is trained too.
LayerMap = Callable[[Read, Read], Iterable[tuple[Tensor, Tensor]]]


@dataclass(frozen=True)
class LayerPairs:
    """Layer m of the student learns from layer n of the teacher, for each (m, n).

    Each pair is as the knowledge reads it, [..., X_s] and [..., X_t], X being what is compared.
    """

    pairs: tuple[tuple[int, int], ...]

    def __call__(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [(student(m), teacher(n)) for m, n in self.pairs]


#: for knowledge that a model has once, as its logits
ANSWER = LayerPairs(((0, 0),))


class Projected(nn.Module):
    """`LayerPairs`, the student's side through a dense layer, to as many features as the teacher has.

    One layer with a bias for all pairs, as in TinyBERT's code, also where both models are equally wide; the
    paper has another matrix for the embeddings (Jiao et al., 2020), which is another match.
    It belongs to what is learned, and goes from one stage to the next: give the same object to both.
    Each pair is [..., D_t] on both sides, D_t being the teacher's hidden size.
    """

    def __init__(self, pairs: Sequence[tuple[int, int]], student_size: int, teacher_size: int):
        super().__init__()
        self.layers = LayerPairs(tuple(pairs))
        self.projection = nn.Linear(student_size, teacher_size)

    def forward(self, student: Read, teacher: Read) -> list[tuple[Tensor, Tensor]]:
        return [(self.projection(own), target) for own, target in self.layers(student, teacher)]

    def extra_repr(self) -> str:
        return f"pairs={self.layers.pairs}"


def uniform_layer_map(student_layers: int, teacher_layers: int) -> list[int]:
    """The teacher's layer for each of the student's layers 0 to M: every (N / M)-th (Jiao et al., 2020).

    The embeddings, layer 0, learn from the embeddings, and the last layer from the last. ValueError where M
    does not divide N.
    """
    if student_layers < 1 or teacher_layers % student_layers:
        raise ValueError(f"{teacher_layers} layers are no multiple of {student_layers}: choose others.")
    step = teacher_layers // student_layers
    return [step * layer for layer in range(student_layers + 1)]


def pkd_skip(student_layers: int, teacher_layers: int) -> list[int]:
    """The teacher's layers for the student's layers 1 to M - 1, evenly spaced (PKD-Skip; Sun et al., 2019).

    The last layer is left out: the classifier on it learns already.
    """
    return uniform_layer_map(student_layers, teacher_layers)[1:-1]


def pkd_last(student_layers: int, teacher_layers: int) -> list[int]:
    """The teacher's layers for the student's layers 1 to M - 1: the topmost but one (PKD-Last)."""
    _validate_fewer(student_layers, teacher_layers)
    return list(range(teacher_layers - student_layers + 1, teacher_layers))


def distilbert_layers(student_layers: int, teacher_layers: int) -> list[int]:
    """The layers, from 0, that a student is cut out of: the first, the last, and some evenly between them.

    For 6 of 12 these are 0, 2, 4, 7, 9, 11, as in DistilBERT's own script (Sanh et al., 2019): not quite
    every second one, and the last is among them.
    """
    _validate_fewer(student_layers, teacher_layers)
    gaps = max(student_layers - 1, 1)
    return [round(place * (teacher_layers - 1) / gaps) for place in range(student_layers)]


def last_to_last(student_layers: int, teacher_layers: int) -> LayerPairs:
    """The last layer alone learns, from the teacher's last (MiniLM; Wang et al., 2020)."""
    return LayerPairs(((student_layers, teacher_layers),))


def _validate_fewer(student_layers: int, teacher_layers: int) -> None:
    if not 1 <= student_layers <= teacher_layers:
        raise ValueError(
            f"A student of {student_layers} layers for a teacher of {teacher_layers}: give 1 at least, and "
            "no more than the teacher has."
        )
