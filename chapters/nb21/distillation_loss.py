"""Hinton's loss: what the teacher says, softened, and what the labels say."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.distillation import losses
from lib.exercises.spec import Edit, Exercise, Mistake, edit

OWN = "(student_logits / temperature).log_softmax(dim=-1)"
TAUGHT = "(teacher_logits / temperature).softmax(dim=-1)"
SUM = "alpha * soft + (1 - alpha) * hard"


def both(old: str, new: str) -> Edit:
    """The same change in the answers of both."""
    return edit(OWN, OWN.replace(old, new)).then(TAUGHT, TAUGHT.replace(old, new))


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, float, float]]:
    """One row of two classes; then batches with other temperatures and weights, 1 and 0 among them."""
    yield torch.tensor([[0.0, 0.0]]), torch.tensor([[2.0, 0.0]]), torch.tensor([1]), 2.0, 0.5
    torch.manual_seed(seed)
    for rows, classes, *weights in ((3, 4, 2.0, 0.7), (2, 9, 4.0, 1.0), (4, 3, 1.0, 0.2), (3, 2, 8.0, 0.0)):
        student, teacher = torch.randn(2, rows, classes)
        yield 2 * student, 3 * teacher, torch.randint(classes, (rows,)), *weights


def run(candidate: Any, student: Tensor, teacher: Tensor, *others: Any) -> Any:
    """The loss, with a teacher that nothing flows back to: whether it is detached inside is all the same."""
    return candidate(student, teacher.detach(), *others)


# fmt: off
EXERCISE = Exercise(
    name="distillation_loss", minutes=8, difficulty=2, reference=losses.distillation_loss, cases=cases,
    run=run,
    mistakes=[
        Mistake("t_squared", "T squared belongs before the teacher's part alone: softened by T, its gradient"
            " shrinks by it.",
            (edit("temperature**2 * ", ""), edit(SUM, "alpha * soft + temperature**2 * (1 - alpha) * hard"))),
        Mistake("order_of_kl", "F.kl_div takes the student's log-probabilities first, and the teacher's"
            " probabilities second.",
            (edit("F.kl_div(student, teacher,", "F.kl_div(teacher, student,"),
             edit("F.kl_div(student, teacher,", "F.kl_div(teacher.log(), student.exp(),"))),
        Mistake("reduction", '"batchmean" divides by the rows, "mean" by rows times classes, and "sum" by'
            " nothing.", (edit('"batchmean"', '"mean"'), edit('"batchmean"', '"sum"'))),
        Mistake("labels_at_temperature", "The labels are compared at temperature 1: only the teacher's part"
            " is softened.", edit("entropy(student_logits", "entropy(student_logits / temperature")),
        Mistake("softmax", "What goes into each softmax are logits divided by T, and it runs over the"
            " classes: dim=-1.", (both("s /", "s.softmax(-1) /"), both("/", "*"), both("-1", "0"))),
        Mistake("weights", "alpha is the teacher's weight, 1 - alpha that of the labels.",
            (edit(SUM, "(1 - alpha) * soft + alpha * hard"), edit(SUM, "alpha * soft + hard"))),
        Mistake("soft_cross_entropy", "That is a cross-entropy with the teacher. KL is it less the teacher's"
            " entropy: 0 if they agree.",
            edit('F.kl_div(student, teacher, reduction="batchmean")', "-(teacher * student).sum(-1).mean()")),
    ],
    hints=("Two numbers, weighed: KL with both logits softened by T, and the cross-entropy that you know.",
           'F.kl_div(student log-probabilities [B, C], teacher probabilities [B, C], reduction="batchmean")',
           "soft = temperature**2 * F.kl_div((student_logits / temperature).log_softmax(-1), (teacher_logits"
           ' / temperature).softmax(-1), reduction="batchmean"); then weigh it and F.cross_entropy(...).'),
    why="Half of all papers on distillation begin with these four lines.",
)
# fmt: on
