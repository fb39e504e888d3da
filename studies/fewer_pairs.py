"""Small causal transformers guess the next point of series with a motif that returns: by the kernel's width.

Queries and keys are convolved over k points (Li et al., 2019); one layer, or two with k = 1, and one with
k = 1 whose keys are made one place earlier, so that each tells the point before its value.
"""

from __future__ import annotations

from functools import partial

from chapters.nb34.motifs import STEPS, attend_earlier, errors_of, learn
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread


def measure_forecasts(kernel: int, layers: int, steps: int, subject: Subject) -> Measured:
    """The mean squared error of all points, and of those where a motif returns; one thread."""
    with one_thread():
        model = learn(kernel, layers, subject.seed, subject.at_most(steps))
        everywhere, returning = errors_of(model)
    return Measured({"everywhere": everywhere, "returning": returning})


def measure_earlier_keys(steps: int, subject: Subject) -> Measured:
    """The same of one layer with k = 1 whose keys are made one place earlier."""
    with one_thread():
        model = learn(1, 1, subject.seed, subject.at_most(steps), attend_earlier)
        everywhere, returning = errors_of(model)
    return Measured({"everywhere": everywhere, "returning": returning})


NUMBERS = {1: "one layer", 2: "two layers"}
ARMS: dict[str, Arm] = {
    f"{NUMBERS[layers]}, k = {kernel}": partial(measure_forecasts, kernel, layers, STEPS)
    for kernel, layers in ((1, 1), (2, 1), (3, 1), (6, 1), (1, 2))
}
ARMS["one layer, k = 1, keys one place earlier"] = partial(measure_earlier_keys, STEPS)
STUDY = Study(
    "fewer_pairs",
    "A small causal transformer with convolved queries and keys guesses the next point of series with motifs",
    {"motifs": ARMS},
    inputs=(),
    examples_of={"motifs": ()},  # drawn from the seed
    version=3,
    minutes=5,
)
