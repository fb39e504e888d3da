"""Post-LN and pre-LN learn to write twelve letters backwards: by start, warm-up and learning rate."""

from __future__ import annotations

from functools import partial
from itertools import product

from chapters.nb08.residual import DRAWS, KINDS, RATES, STEPS, WARM_UP, Reverser, learn
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread


def measure_learning(
    start: str, order: str, warm_up: int, rate: float, steps: int, subject: Subject
) -> Measured:
    """The share of letters right, the mean of the last ten steps.

    One thread, so that a machine repeats it to the bit.
    """
    with one_thread():
        model = Reverser(KINDS[order], DRAWS[start], subject.seed)
        right = learn(model, subject.seed, rate, warm_up, subject.at_most(steps))[-10:]
    return Measured({"right": sum(right) / len(right)})


ARMS: dict[str, Arm] = {
    f"{start}, {order}, warm-up {warm_up}, rate {rate}": partial(
        measure_learning, start, order, warm_up, rate, STEPS
    )
    for start, order, warm_up, rate in product(DRAWS, KINDS, (0, WARM_UP), RATES)
}
STUDY = Study(
    "warm_up",
    "Post-LN and pre-LN learn to write twelve letters backwards, with and without warm-up",
    {"letters": ARMS},
    inputs=(),
    examples_of={"letters": ()},  # drawn from the seed
    minutes=5,
)
