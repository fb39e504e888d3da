"""How far a student is from its teacher, on plain tensors.

First two whole losses, of Hinton et al. and of MiniLM. Then distances, of which matches are made: each takes
the student's [..., X] and the teacher's [..., X], reduces X alone (classes, features or keys) and returns
[...], so that whoever calls it can leave out padding and divide by what he counts. Logits and scores come
before any softmax: a distance between distributions makes its own.

Sizes in the comments: B texts, T tokens, H heads, K head size, C classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor

from lib.bert.attention import split_heads

#: the student's tensor and the teacher's, [..., X] each, to how far apart they are, [...]
Distance = Callable[[Tensor, Tensor], Tensor]

#: TinyBERT's code takes a score as hidden by the mask where it is this low or lower
HIDDEN_SCORE = -100.0


def distillation_loss(
    student_logits: Tensor, teacher_logits: Tensor, labels: Tensor, temperature: float, alpha: float
) -> Tensor:
    """The teacher's soft answers and the labels, alpha to 1 - alpha (Hinton et al., 2015, section 2).

    Both logits [B, C], labels [B]. T^2 keeps the soft part's gradient as large at a high temperature T as at
    a low one. The labels are compared at temperature 1. Both parts are means over the texts.
    """
    student = (student_logits / temperature).log_softmax(dim=-1)
    teacher = (teacher_logits / temperature).softmax(dim=-1)
    soft = temperature**2 * F.kl_div(student, teacher, reduction="batchmean")
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1 - alpha) * hard


def relation_loss(student_values: Tensor, teacher_values: Tensor, num_heads: int) -> Tensor:
    """How unlike the values of two models are related to each other (MiniLM; Wang et al., 2020).

    student_values [B, T, D_s] and teacher_values [B, T, D_t], without padding, each cut into `num_heads`
    heads and scaled by its own head size: a relation is [T, T] on either side, so no projection is needed.
    """
    relations = []
    for values in (student_values, teacher_values):
        heads = split_heads(values, num_heads)  # [B, H, T, K]
        scores = heads @ heads.transpose(-2, -1) / heads.size(-1) ** 0.5  # [B, H, T, T]
        relations.append(scores.log_softmax(dim=-1))
    student, teacher = relations
    divergence = F.kl_div(student, teacher, reduction="none", log_target=True)  # [B, H, T, T]
    return divergence.sum(dim=-1).mean()


# --- distances between distributions --------------------------------------------------------------


@dataclass(frozen=True)
class SoftenedKL:
    """T^2 times KL(teacher || student), both softened by the temperature T (Hinton et al., 2015).

    Both logits [..., C], to [...].
    """

    temperature: float = 1.0

    def __post_init__(self) -> None:
        _validate_temperature(self.temperature)

    def __call__(self, student: Tensor, teacher: Tensor) -> Tensor:
        own = (student / self.temperature).log_softmax(dim=-1)
        taught = (teacher / self.temperature).log_softmax(dim=-1)
        divergence = F.kl_div(own, taught, reduction="none", log_target=True).sum(dim=-1)
        return self.temperature**2 * divergence


@dataclass(frozen=True)
class SoftCrossEntropy:
    """Cross-entropy with the teacher's soft answer for a label (TinyBERT; Jiao et al., 2020).

    Its gradient is that of KL, but where both agree it is the teacher's entropy and not 0. There is no T^2.
    Both logits [..., C], to [...].
    """

    temperature: float = 1.0

    def __post_init__(self) -> None:
        _validate_temperature(self.temperature)

    def __call__(self, student: Tensor, teacher: Tensor) -> Tensor:
        own = (student / self.temperature).log_softmax(dim=-1)
        taught = (teacher / self.temperature).softmax(dim=-1)
        return -(taught * own).sum(dim=-1)


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """The student's logits [..., C] against right answers [...], which are class numbers."""
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten(), reduction="none").view(labels.shape)


def grade_error(logits: Tensor, grades: Tensor) -> Tensor:
    """The square of what separates the student's grade [..., 1] from the right one [...]."""
    return (logits.squeeze(-1) - grades).square()


# --- distances between vectors --------------------------------------------------------------------


def squared_error(student: Tensor, teacher: Tensor) -> Tensor:
    """The mean square of what separates two vectors [..., D], over their features: [...]."""
    return (student - teacher).square().mean(dim=-1)


def normalized_squared_error(student: Tensor, teacher: Tensor) -> Tensor:
    """`squared_error` of two vectors [..., D] that were brought to length 1: (2 - 2 cosine) / D, [...].

    A mean over features as in the code of PKD (Sun et al., 2019), to which its weights of
    hundreds belong; the paper's formula sums them: `Summed(normalized_squared_error)`.
    """
    return squared_error(F.normalize(student, dim=-1), F.normalize(teacher, dim=-1))


def cosine_distance(student: Tensor, teacher: Tensor) -> Tensor:
    """1 - cosine: 0 where two vectors point the same way, 2 where they are opposed (Sanh et al., 2019).

    Both [..., D], to [...].
    """
    return 1 - F.cosine_similarity(student, teacher, dim=-1)


def score_error(student: Tensor, teacher: Tensor) -> Tensor:
    """The mean square of what separates attention scores, over the keys that the teacher sees.

    Both [..., T], to [...]. As in TinyBERT (Jiao et al., 2020): a score that the mask hides is 0 on either
    side. Its code divides by all keys, padding too, so that a batch with more of it has a smaller loss.
    """
    seen = (teacher > HIDDEN_SCORE).sum(dim=-1)
    own, taught = (scores.masked_fill(scores <= HIDDEN_SCORE, 0.0) for scores in (student, teacher))
    return (own - taught).square().sum(dim=-1) / seen


# --- other reductions of the same distance --------------------------------------------------------


@dataclass(frozen=True)
class Summed:
    """A distance between vectors [..., D] that is a mean over their features, as a sum: [...]."""

    distance: Distance

    def __call__(self, student: Tensor, teacher: Tensor) -> Tensor:
        return self.distance(student, teacher) * teacher.size(-1)


def _validate_temperature(temperature: float) -> None:
    if not temperature > 0:
        raise ValueError(f"The temperature is {temperature}: give a number above 0, such as 2.")
