"""What others print of the subject of notebook 21, and what comes out when it is computed again."""

import torch
import torch.nn.functional as F

from lib.compression.distillation.losses import SoftenedKL
from lib.errata import Erratum


def _error_of_the_teacher() -> str:
    label, teacher = torch.tensor([0]), torch.tensor([[0.0, 4.0, 1.0]])  # a teacher that is wrong
    student = teacher.clone().requires_grad_()  # and a student that answers alike
    error = F.cross_entropy(teacher, label)
    distance = SoftenedKL()(student, teacher).sum()
    (gradient,) = torch.autograd.grad(distance + error, student)
    return (
        f"a student that answers as its teacher does, whose error is {error.item():.2f}, has a loss of"
        f" {abs(distance.item()):.2f}: what is added is the distance of the two answers. The teacher's error"
        f" itself would be a constant: its gradient is {gradient.abs().max().item():.0f}"
    )


ERRATA = [
    Erratum(
        "What distillation adds to the loss of a student",
        "Johns Hopkins, 2022, slide 60",
        "a teacher network adds its error to the student's loss function",
        _error_of_the_teacher,
        "run",
    ),
]
