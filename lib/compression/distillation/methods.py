"""Methods of the literature as lists of matches. Weights and temperatures are the published ones.

Sums run over layers, means over texts or real tokens, features, heads and keys. Published code often takes
other means; where a paper and its code differ, the docstring says so. The student has M layers, the teacher
N, counted from 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from lib.compression.distillation.knowledge import (
    ATTENTION_SCORES,
    CLS_STATES,
    END_LOGITS,
    ENDS,
    HIDDEN_STATES,
    LABELS,
    LOGITS,
    START_LOGITS,
    STARTS,
    TOKEN_LOGITS,
    VALUE_RELATIONS,
)
from lib.compression.distillation.layer_maps import (
    ANSWER,
    LayerMap,
    LayerPairs,
    Projected,
    last_to_last,
    pkd_skip,
    uniform_layer_map,
)
from lib.compression.distillation.losses import (
    SoftCrossEntropy,
    SoftenedKL,
    cosine_distance,
    cross_entropy,
    grade_error,
    normalized_squared_error,
    score_error,
    squared_error,
)
from lib.compression.distillation.matches import Match


def labels_alone() -> list[Match]:
    """Cross-entropy, as in fine-tuning: no teacher is asked."""
    return [Match(LABELS, ANSWER, cross_entropy)]


def answers_alone(temperature: float = 2.0) -> list[Match]:
    """The teacher's soft answers and nothing else."""
    return [Match(LOGITS, ANSWER, SoftenedKL(temperature))]


def hinton(temperature: float = 2.0, alpha: float = 0.5) -> list[Match]:
    """Soft answers and labels (Hinton et al., 2015, section 2): `losses.distillation_loss` on every batch.

    Rows without a label (-100) have the teacher's word alone: each part is a mean over the rows that have it.
    The code of teacher assistants (Mirzadeh et al., 2020) takes the soft part's mean over classes as well.
    """
    return [
        Match(LOGITS, ANSWER, SoftenedKL(temperature), alpha),
        Match(LABELS, ANSWER, cross_entropy, 1 - alpha),
    ]


def hinton_spans(temperature: float = 2.0, alpha: float = 0.5) -> list[Match]:
    """The same for questions: where an answer begins, and where it ends, count half each."""
    soft = SoftenedKL(temperature)
    return [
        *(Match(knowledge, ANSWER, soft, alpha / 2) for knowledge in (START_LOGITS, END_LOGITS)),
        *(Match(knowledge, ANSWER, cross_entropy, (1 - alpha) / 2) for knowledge in (STARTS, ENDS)),
    ]


def hinton_grades(alpha: float = 0.5) -> list[Match]:
    """The same for grades, which have no temperature: squared errors."""
    return [
        Match(LOGITS, ANSWER, squared_error, alpha),
        Match(LABELS, ANSWER, grade_error, 1 - alpha),
    ]


def distilbert(
    student_layers: int,
    teacher_layers: int,
    temperature: float = 2.0,
    answers: float = 5.0,
    masked_lm: float = 2.0,
    cosine: float = 1.0,
) -> list[Match]:
    """Three losses on masked text (Sanh et al., 2019): the teacher's guesses, hidden pieces, last states.

    The guesses are those at all real tokens, as its code has it by default; its option are those at masked
    pieces. The code calls the weights alpha_ce, alpha_mlm and alpha_cos.
    """
    return [
        Match(TOKEN_LOGITS, ANSWER, SoftenedKL(temperature), answers),
        Match(LABELS, ANSWER, cross_entropy, masked_lm),
        Match(HIDDEN_STATES, last_to_last(student_layers, teacher_layers), cosine_distance, cosine),
    ]


def pkd(student_layers: int, teacher_layers: int, layers: Sequence[int] | None = None) -> list[Match]:
    """Patient distillation (Sun et al., 2019): also the [CLS] states after all layers but the last.

    They are brought to length 1. layers: the teacher's, for the student's 1 to M - 1: `pkd_skip`, unless
    given, or `pkd_last`. This patient part is the code's mean over layers and over features, to which the
    weight of 500 belongs; the paper's formula sums both: `Match(CLS_STATES, map,
    Summed(normalized_squared_error), beta)`. The code divides the soft part by the number of classes.
    """
    taught = pkd_skip(student_layers, teacher_layers) if layers is None else list(layers)
    if len(taught) != student_layers - 1 or not taught:
        raise ValueError(
            f"{len(taught)} layers of the teacher for a student of {student_layers}: give one for each of "
            "its layers but the last, and it needs 2 at least."
        )
    pairs = LayerPairs(tuple(enumerate(taught, start=1)))
    return [
        Match(LOGITS, ANSWER, SoftenedKL(10.0), 0.7),
        Match(LABELS, ANSWER, cross_entropy, 1 - 0.7),
        Match(CLS_STATES, pairs, normalized_squared_error, 500.0 / len(taught)),
    ]


def tinybert_projection(
    student_layers: int, teacher_layers: int, student_size: int, teacher_size: int
) -> Projected:
    """The map of hidden states 0 to M, with its dense layer: made once, and given to every stage."""
    return Projected(
        list(enumerate(uniform_layer_map(student_layers, teacher_layers))), student_size, teacher_size
    )


def tinybert_layers(student_layers: int, teacher_layers: int, states: LayerMap) -> list[Match]:
    """TinyBERT's first stage (Jiao et al., 2020): embeddings, hidden states, attention scores.

    states: `tinybert_projection`, or LayerPairs where both models are equally wide and none is wanted. Both
    need equally many heads. The code averages over padding as well, tokens and keys.
    """
    pairs = list(enumerate(uniform_layer_map(student_layers, teacher_layers)))
    return [
        Match(HIDDEN_STATES, states, squared_error),
        Match(ATTENTION_SCORES, LayerPairs(tuple(pairs[1:])), score_error),
    ]


def tinybert_answers() -> list[Match]:
    """TinyBERT's second stage: the answers alone, at temperature 1 (Jiao et al., 2020).

    Its code divides the cross-entropy by the number of classes. For grades it learns from the labels, not
    from the teacher: Match(LABELS, ANSWER, grade_error).
    """
    return [Match(LOGITS, ANSWER, SoftCrossEntropy())]


def ternary_bert(num_layers: int) -> list[Match]:
    """TernaryBERT's two parts (Zhang et al., 2020): the answers, and states 0 to L with scores 1 to L.

    Student and teacher are of one shape, so that no layer is projected. Scores stand before the softmax, and
    what the mask hides is 0 on both sides. BinaryBERT teaches the same, the inside first and the answers
    after it. Both take the means of TinyBERT's code.
    """
    same = LayerPairs(tuple((layer, layer) for layer in range(num_layers + 1)))
    return [*tinybert_answers(), *tinybert_layers(num_layers, num_layers, same)]


def sparse_bert(num_layers: int) -> list[Match]:
    """SparseBERT's lesson for a student that is pruned while it learns (Xu et al., 2021), in every step.

    That of `ternary_bert`, from embeddings to answers; the student is the pretrained model, not a copy of the
    teacher. The official code multiplies the weights by their masks after each update. A mask in the forward
    pass (`lib.compression.pruning.masks`) gives the same numbers: what it hides never comes back. The one
    difference is the norm that the gradient is cut to, which here leaves out the weights that are pruned.
    """
    answers, *inside = ternary_bert(num_layers)
    return [*inside, answers]


def minilm(student_layers: int, teacher_layers: int) -> list[Match]:
    """The last layer's attention and value relations (Wang et al., 2020), without projection.

    Both sides need equally many heads, of any size. KL makes the softmax, so the scores before it are read.
    """
    last = last_to_last(student_layers, teacher_layers)
    return [
        Match(ATTENTION_SCORES, last, SoftenedKL()),
        Match(VALUE_RELATIONS, last, SoftenedKL()),
    ]
