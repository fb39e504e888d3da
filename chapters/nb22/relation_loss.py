"""MiniLM's loss between the values of two models, however wide they are."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from chapters.nb22 import lessons
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

CUT = "values.view(batch, length, num_heads, size // num_heads).transpose(1, 2)"
SCALE = " / heads.size(-1) ** 0.5"
ENDED = "divergence.sum(dim=-1).mean()"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The notebook's three tokens; then other widths, one head, several texts, and values far out."""
    student = torch.tensor([[[1.0], [0.0], [1.0]]])
    yield student, torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), 1
    torch.manual_seed(seed)
    for texts, tokens, narrow, wide, heads in [(2, 4, 4, 6, 2), (3, 2, 6, 12, 3), (1, 5, 8, 8, 4)]:
        yield torch.randn(texts, tokens, narrow), 2 * torch.randn(texts, tokens, wide), heads


def run(candidate: Any, student_values: Tensor, teacher_values: Tensor, num_heads: int) -> Any:
    """The loss, with a teacher that nothing flows back to: whether it is detached inside is all the same."""
    return candidate(student_values, teacher_values.detach(), num_heads)


# fmt: off
EXERCISE = Exercise(
    name="relation_loss", minutes=8, difficulty=3, reference=lessons.relation_loss, cases=cases, run=run,
    invariants=[
        Invariant("zero_between_equals", "Between a model and itself the loss has to be 0.",
            lambda candidate, arguments, _: abs(
                float(candidate(arguments[0], arguments[0], arguments[2]))) < 1e-5),
    ],
    mistakes=[
        Mistake("wrong_way_round", "It shall be KL(teacher ‖ student), the sum of p_teacher · log(p_teacher /"
            " p_student).", edit("F.kl_div(student, teacher,", "F.kl_div(teacher, student,")),
        Mistake("scale", "The products of each side are divided by the root of its head size, D / num_heads,"
            " as in attention: wide heads would have sharper relations than narrow ones for this reason"
            " alone.", (edit(SCALE, ""), edit(SCALE, SCALE.replace("heads", "values")))),
        Mistake("means_and_sums", "Each row is one distribution: sum its KL over the keys; average over"
            " texts, heads and tokens.",
            (edit(ENDED, "divergence.mean()"), edit(ENDED, "divergence.sum() / len(divergence)"))),
        Mistake("heads", "Each head has a relation of its own, [B, H, T, T], between its part of every"
            " token's features: view(B, T, H, K), then transpose(1, 2). To reshape to [B, H, T, K] at once"
            " mixes tokens.",
            (edit(CUT, "values[:, None]"),
             edit(CUT, "values.reshape(batch, num_heads, length, size // num_heads)"))),
        Mistake("features_related", "You related features to each other, [K, K], and those have different"
            " sizes in two models. Tokens are related: V Vᵀ is [T, T].",
            edit("heads @ heads.transpose(-2, -1)", "heads.transpose(-2, -1) @ heads")),
        Mistake("squared_error", "You take squared differences. MiniLM compares relations by KL.",
            edit(ENDED, "(student.exp() - teacher.exp()).square().sum(-1).mean()")),
    ],
    hints=("Do the same to both sides: cut into heads, take all products of two tokens, divide by the root of"
           " this side's head size, softmax. Then one KL between two tensors of the same shape.",
           "[B, T, D] becomes [B, T, H, K], then [B, H, T, K]; V Vᵀ is [B, H, T, T] on either side. KL: sum"
           " over the last dimension, mean over the rest.",
           "F.kl_div(log_student, log_teacher, reduction='none', log_target=True).sum(-1).mean()"),
    why="Two models of different width meet in [B, H, T, T], and nothing has to be learned for it.",
)
# fmt: on
