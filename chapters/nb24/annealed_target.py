"""The target of annealing distillation: a share of the teacher's logits that grows to all of them."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.compression.distillation import annealing
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

SHARE = "1 - (temperature - 1) / tau_max"


def cases(seed: int) -> Iterator[tuple[Tensor, int, int]]:
    """One row at the middle of a ramp; both ends of it; a ramp of one temperature; many rows."""
    yield torch.tensor([[4.0, -2.0]]), 3, 4
    yield torch.tensor([[4.0, -2.0]]), 4, 4
    yield torch.tensor([[4.0, -2.0]]), 1, 4
    torch.manual_seed(seed)
    for rows, classes, temperature, tau_max in ((3, 9, 2, 5), (2, 2, 7, 10), (4, 3, 1, 1)):
        yield 3 * torch.randn(rows, classes), temperature, tau_max


# fmt: off
EXERCISE = Exercise(
    name="annealed_target", minutes=4, difficulty=1, reference=annealing.annealed_target, cases=cases,
    invariants=[
        Invariant("first_guess", "The target's largest logit stands at another class than the teacher's. A"
            " share between 1 / tau_max and 1 leaves every class in its place.",
            lambda _, arguments, result: result.shape != arguments[0].shape
                or torch.equal(result.argmax(-1), arguments[0].argmax(-1))),
    ],
    mistakes=[
        Mistake("zero_at_first", "At the highest temperature your share is 0, so the student would be taught"
            " to say nothing. The lowest share is 1 / tau_max: subtract temperature - 1, not temperature.",
            edit(SHARE, "1 - temperature / tau_max")),
        Mistake("backward", "Your share falls where it has to rise: at temperature 1, which comes last, the"
            " target is the teacher's logits themselves.",
            (edit(SHARE, "temperature / tau_max"), edit(SHARE, "(temperature - 1) / tau_max"))),
        Mistake("hintons_temperature", "That divides by the temperature, as Hinton's softening does. Here"
            " nothing is softened: the share falls on a straight line, by 1 / tau_max for each degree.",
            edit(SHARE, "1 / temperature")),
        Mistake("softmax", "These are probabilities. In the first stage logits are compared with logits, and"
            " no softmax is taken.",
            (edit("return teacher_logits", "return teacher_logits.softmax(dim=-1)"),
             lambda teacher_logits, temperature, tau_max: (teacher_logits / temperature).softmax(dim=-1))),
        Mistake("one_degree_short", "The ramp has tau_max shares, from 1 / tau_max in steps of 1 / tau_max,"
            " so divide by tau_max. With tau_max - 1 the first share is 0.",
            edit("/ tau_max", "/ max(tau_max - 1, 1)")),
        Mistake("share_alone", "That is the share alone. The target is the teacher's logits times the share.",
            edit("teacher_logits * (", "0 * teacher_logits + (")),
    ],
    hints=("At the highest temperature the target is a small share of the teacher's logits, at temperature 1"
           " all of them. The share is a straight line between both.",
           "teacher_logits [B, C] times one number. With tau_max = 4 the numbers for the temperatures 4, 3,"
           " 2, 1 are 1/4, 2/4, 3/4, 4/4.",
           "return teacher_logits * (1 - (temperature - 1) / tau_max)"),
    why="One line, and the whole difference between this method and a regression on logits.",
)
# fmt: on
