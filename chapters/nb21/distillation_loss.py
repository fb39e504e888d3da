"""Hinton's loss: what the teacher says, softened, and what the labels say."""

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.compression.distillation import losses
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

Arguments = tuple[Tensor, Tensor, Tensor, float, float]

OWN = "(student_logits / temperature).log_softmax(dim=-1)"
TAUGHT = "(teacher_logits / temperature).softmax(dim=-1)"
HARD = "F.cross_entropy(student_logits, labels)"
SUM = "alpha * soft + (1 - alpha) * hard"


def cases(seed: int) -> Iterator[Arguments]:
    """One row of two classes; then batches with other temperatures and weights, 1 and 0 among them."""
    yield torch.tensor([[0.0, 0.0]]), torch.tensor([[2.0, 0.0]]), torch.tensor([1]), 2.0, 0.5
    generator = torch.Generator().manual_seed(seed)
    for rows, classes, temperature, alpha in (
        (3, 4, 2.0, 0.7),
        (2, 9, 4.0, 1.0),
        (4, 3, 1.0, 0.2),
        (3, 2, 8.0, 0.0),
        (5, 5, 0.5, 0.9),
    ):
        yield (
            2 * torch.randn(rows, classes, generator=generator),
            3 * torch.randn(rows, classes, generator=generator),
            torch.randint(classes, (rows,), generator=generator),
            temperature,
            alpha,
        )


def run(
    candidate: Any, student: Tensor, teacher: Tensor, labels: Tensor, temperature: float, alpha: float
) -> Tensor:
    """The loss, with a teacher that nothing flows back to: whether it is detached inside is all the same."""
    loss: Tensor = candidate(student, teacher.detach(), labels, temperature, alpha)
    return loss


def blind_to_shifts(candidate: Any, arguments: Arguments, result: Tensor) -> bool:
    student, teacher, *others = arguments
    return abs(float(candidate(student, teacher + 3.0, *others)) - float(result)) < 1e-4


def wrong_way_round(
    student_logits: Tensor, teacher_logits: Tensor, labels: Tensor, temperature: float, alpha: float
) -> Tensor:
    student = (student_logits / temperature).softmax(dim=-1)
    teacher = (teacher_logits / temperature).log_softmax(dim=-1)
    soft = temperature**2 * F.kl_div(teacher, student, reduction="batchmean")
    return alpha * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


def soft_cross_entropy(
    student_logits: Tensor, teacher_logits: Tensor, labels: Tensor, temperature: float, alpha: float
) -> Tensor:
    teacher = (teacher_logits / temperature).softmax(dim=-1)
    soft = temperature**2 * F.cross_entropy(student_logits / temperature, teacher)
    return alpha * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


EXERCISE = Exercise(
    name="distillation_loss",
    minutes=8,
    difficulty=2,
    reference=losses.distillation_loss,
    cases=cases,
    run=run,
    invariants=[
        Invariant(
            "shift",
            "Add 3 to all of the teacher's logits, and softmax gives the same answers, so the loss has to"
            " stay as it is. Yours changes: do both logits go through softmax?",
            blind_to_shifts,
        ),
    ],
    mistakes=[
        Mistake(
            "no_t_squared",
            "T squared is missing. Without it the teacher's part of the gradient shrinks with the square of"
            " the temperature, and at T = 8 hardly anything of it is left beside the labels.",
            edit("temperature**2 * ", ""),
        ),
        Mistake(
            "t_once",
            "The teacher's part is multiplied by T. Its gradient shrinks with T squared, once for the slope"
            " of the softened softmax and once because softened answers lie closer together.",
            edit("temperature**2 * ", "temperature * "),
        ),
        Mistake(
            "wrong_way_round",
            "That is KL(student || teacher). The teacher is the target: its probabilities weigh the sum, so"
            " F.kl_div takes the student's log-probabilities first and the teacher's probabilities second.",
            wrong_way_round,
        ),
        Mistake(
            "not_log",
            "F.kl_div wants the logarithms of the student's probabilities (log_softmax) and takes what it is"
            " given without complaint.",
            edit(OWN, OWN.replace("log_softmax", "softmax")),
        ),
        Mistake(
            "log_as_target",
            "F.kl_div was given logarithms where it wants probabilities, and makes nan of them. The student's"
            " log-probabilities come first, the teacher's probabilities second.",
            (
                edit(TAUGHT, TAUGHT.replace("softmax", "log_softmax")),
                edit("F.kl_div(student, teacher", "F.kl_div(teacher, student"),
            ),
        ),
        Mistake(
            "softmax_twice",
            "Your logits go through softmax before they are divided by T, and through another one after. What"
            " goes into a softmax are logits.",
            edit(OWN, OWN.replace("logits", "logits.softmax(dim=-1)")).then(
                TAUGHT, TAUGHT.replace("logits", "logits.softmax(dim=-1)")
            ),
        ),
        Mistake(
            "mean_of_elements",
            'reduction="mean" divides by rows times classes, so with nine classes the teacher has a ninth of'
            ' his say. "batchmean" divides by the rows, which is the mean of KL.',
            edit('"batchmean"', '"mean"'),
        ),
        Mistake(
            "sum_of_rows",
            "The teacher's part is a sum over the rows, so a larger batch has a larger loss. Take its mean.",
            edit('"batchmean"', '"sum"'),
        ),
        Mistake(
            "labels_at_temperature",
            "The labels are compared at temperature 1, as the student will be used. Only the teacher's part"
            " is softened.",
            (
                edit(HARD, "F.cross_entropy(student_logits / temperature, labels)"),
                edit(HARD, "temperature**2 * F.cross_entropy(student_logits / temperature, labels)"),
            ),
        ),
        Mistake(
            "teacher_not_softened",
            "The student is softened and the teacher is not, so the student could never meet its target."
            " Divide both logits by T.",
            edit(TAUGHT, "teacher_logits.softmax(dim=-1)"),
        ),
        Mistake(
            "student_not_softened",
            "The teacher is softened and the student is not, so the student learns to be as unsure as the"
            " softened teacher. Divide both logits by T.",
            edit(OWN, "student_logits.log_softmax(dim=-1)"),
        ),
        Mistake(
            "multiplied",
            "You multiply the logits by T, which makes answers harder. Divide.",
            edit(OWN, OWN.replace("/", "*")).then(TAUGHT, TAUGHT.replace("/", "*")),
        ),
        Mistake(
            "wrong_axis",
            "The softmax runs over the rows of the batch. Each row has its own answer: dim=-1, the classes.",
            edit(OWN, OWN.replace("-1", "0")).then(TAUGHT, TAUGHT.replace("-1", "0")),
        ),
        Mistake(
            "alpha_swapped",
            "alpha is the teacher's weight, 1 - alpha that of the labels.",
            edit(SUM, "(1 - alpha) * soft + alpha * hard"),
        ),
        Mistake(
            "labels_full",
            "The teacher's part is weighed and the labels count in full. Their weight is 1 - alpha.",
            edit(SUM, "alpha * soft + hard"),
        ),
        Mistake(
            "t_squared_on_all",
            "T squared belongs to the teacher's part alone: the labels are compared at temperature 1 and need"
            " no making up.",
            edit(SUM, f"temperature**2 * ({SUM.replace('soft', 'soft / temperature**2')})"),
        ),
        Mistake(
            "soft_cross_entropy",
            "The gradient is right, but the value is a cross-entropy with the teacher's answer. Of a student"
            " that equals its teacher it is not 0 but the teacher's entropy. KL is it less that entropy.",
            soft_cross_entropy,
        ),
        Mistake(
            "teachers_labels",
            "The labels are compared with the teacher's logits. The student is the one who learns.",
            edit(HARD, "F.cross_entropy(teacher_logits, labels)"),
        ),
        Mistake(
            "labels_alone",
            "That is the labels' part alone.",
            edit(SUM, "(1 - alpha) * hard"),
        ),
        Mistake(
            "teacher_alone",
            "That is the teacher's part alone. The labels count too, with 1 - alpha.",
            edit(SUM, "alpha * soft"),
        ),
    ],
    hints=(
        "Two numbers, weighed. The teacher's part softens both logits by T; the labels' part is the"
        " cross-entropy that you know.",
        "F.kl_div(log-probabilities of the student [B, C], probabilities of the teacher [B, C],"
        ' reduction="batchmean") is one number; T squared stands before it.',
        "soft = temperature**2 * F.kl_div((student_logits / temperature).log_softmax(-1), (teacher_logits /"
        ' temperature).softmax(-1), reduction="batchmean"), and then alpha * soft + (1 - alpha) *'
        " F.cross_entropy(student_logits, labels)",
    ),
    why="Half of all papers on distillation begin with these four lines.",
)
