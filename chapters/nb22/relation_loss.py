"""MiniLM's loss between the values of two models, however wide they are."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.distillation import losses
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

CUT, SCALE = "split_heads(values, num_heads)", " / heads.size(-1) ** 0.5"
PRODUCT, ENDED = "heads @ heads.transpose(-2, -1)", "divergence.sum(dim=-1).mean()"
SOFTMAX, KL = "scores.log_softmax(dim=-1)", 'F.kl_div(student, teacher, reduction="none", log_target=True)'


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The notebook's three tokens; then other widths, one head, several texts, and values far out."""
    student = torch.tensor([[[1.0], [0.0], [1.0]]])
    yield student, torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), 1
    generator = torch.Generator().manual_seed(seed)
    for texts, tokens, narrow, wide, heads, spread in [
        (2, 4, 4, 6, 2, 1.0),
        (3, 2, 6, 12, 3, 2.0),
        (1, 5, 8, 8, 4, 0.5),
        (2, 3, 4, 12, 1, 1.0),
    ]:
        yield (
            spread * torch.randn(texts, tokens, narrow, generator=generator),
            spread * torch.randn(texts, tokens, wide, generator=generator),
            heads,
        )


def run(candidate: Any, student_values: Tensor, teacher_values: Tensor, num_heads: int) -> Tensor:
    """The loss, with a teacher that nothing flows back to: whether it is detached inside is all the same."""
    loss: Tensor = candidate(student_values, teacher_values.detach(), num_heads)
    return loss


def nothing_between_equals(candidate: object, arguments: tuple[Tensor, Tensor, int], result: Tensor) -> bool:
    values, _, num_heads = arguments
    return callable(candidate) and abs(float(candidate(values, values, num_heads))) < 1e-5


EXERCISE = Exercise(
    name="relation_loss",
    minutes=8,
    difficulty=3,
    reference=losses.relation_loss,
    cases=cases,
    run=run,
    invariants=[
        Invariant(
            "zero_between_equals",
            "Between a model and itself the loss has to be 0.",
            nothing_between_equals,
        ),
    ],
    mistakes=[
        Mistake(
            "wrong_way_round",
            "Your KL is that of the student from the teacher's side, KL(student ‖ teacher). It shall be the"
            " other way round, KL(teacher ‖ student): the sum of p_teacher · log(p_teacher / p_student).",
            edit("F.kl_div(student, teacher,", "F.kl_div(teacher, student,"),
        ),
        Mistake(
            "not_scaled",
            "The products are not divided by the root of the head size, so wide heads have sharper relations"
            " than narrow ones for this reason alone.",
            edit(SCALE, ""),
        ),
        Mistake(
            "scaled_by_the_width",
            "You divide by the root of the whole width. It is the size of one head that counts:"
            " D / num_heads.",
            edit("heads.size(-1) ** 0.5", "values.size(-1) ** 0.5"),
        ),
        Mistake(
            "scaled_without_root",
            "You divide by the head size itself. It is its root, as in attention.",
            edit("heads.size(-1) ** 0.5", "heads.size(-1)"),
        ),
        Mistake(
            "mean_over_keys",
            "You take the mean over the keys as well, so your loss is too small by the number of tokens."
            " Each row is one distribution, so its KL is a sum over the keys.",
            edit(ENDED, "divergence.mean()"),
        ),
        Mistake(
            "sum_over_all_but_texts",
            "You add up tokens and heads. Sum over the keys alone, and average over texts, heads and tokens.",
            (
                edit(ENDED, "divergence.sum() / len(divergence)"),
                edit(ENDED, "divergence.sum()"),
                edit(ENDED, "divergence.sum(dim=(-2, -1)).mean()"),
            ),
        ),
        Mistake(
            "heads_added_up",
            "You add up the heads. The loss is their mean.",
            edit(ENDED, "divergence.sum(dim=(1, 3)).mean()"),
        ),
        Mistake(
            "no_softmax",
            "There is no softmax: KL compares distributions, and products are none.",
            edit(SOFTMAX, "scores"),
        ),
        Mistake(
            "softmax_twice",
            "There are two softmaxes, one after the other, which flattens every row.",
            edit(SOFTMAX, "scores.softmax(dim=-1).log_softmax(dim=-1)"),
        ),
        Mistake(
            "not_cut",
            "The values are not cut into heads: each head has a relation of its own, [B, H, T, T].",
            edit(CUT, "values[:, None]"),
        ),
        Mistake(
            "cut_wrongly",
            "Your heads mix tokens. view(B, T, H, K) and then transpose(1, 2); reshaping to [B, H, T, K] at"
            " once puts numbers of one token into several heads' tokens.",
            edit(CUT, "values.reshape(len(values), num_heads, values.size(1), -1)"),
        ),
        Mistake(
            "features_related",
            "You related features to each other, [K, K], and those have different sizes in two models."
            " Tokens are related: V Vᵀ is [T, T].",
            edit(PRODUCT, "heads.transpose(-2, -1) @ heads"),
        ),
        Mistake(
            "squared_error",
            "You take squared differences. MiniLM compares relations by KL.",
            (
                edit(KL, "(student.exp() - teacher.exp()).square()"),
                edit(KL, "(student - teacher).square()"),
            ),
        ),
        Mistake(
            "probabilities_as_logs",
            "F.kl_div takes the student's logarithms first, and it takes the teacher's side as probabilities"
            " unless log_target=True. One of the two is in the wrong form.",
            (
                edit(KL, 'F.kl_div(student.exp(), teacher.exp(), reduction="none")'),
                edit(KL, 'F.kl_div(student, teacher, reduction="none")'),
            ),
        ),
        Mistake(
            "cross_entropy",
            "That is a cross-entropy, which is not 0 where both are alike: the teacher's own entropy is"
            " missing.",
            edit(KL, "-teacher.exp() * student"),
        ),
    ],
    hints=(
        "Do the same to both sides: cut into heads, take all products of two tokens, divide by the root of"
        " this side's head size, softmax. Then one KL between two tensors of the same shape.",
        "[B, T, D] becomes [B, T, H, K], then [B, H, T, K]; V Vᵀ is [B, H, T, T] on either side. KL: sum over"
        " the last dimension, mean over the rest.",
        "F.kl_div(log_student, log_teacher, reduction='none', log_target=True).sum(-1).mean()",
    ),
    why="Two models of different width meet in [B, H, T, T], and nothing has to be learned for it.",
)
