"""MiniLM in fewer and fewer bits: how fine a range, and trained or not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial

from lib.bert.model import PreTrainedBert
from lib.compression.quantizers.model import quantize_weights, quantized
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.training.finetuning import FineTuning

BITS = (8, 6, 4, 3, 2)
GROUPS = {"tensor": 1, "row": None}  # ranges: one for each matrix, one for each of its rows


# --- without training -----------------------------------------------------------------------------


def measure_rounded(groups: int | None, bits: int, subject: Subject) -> Measured:
    """The model with all weights rounded, with a range for each row or each matrix."""
    model = subject.teacher.model
    with quantized(model, bits, groups=groups):
        return Measured(subject.judge(model))


# --- with training --------------------------------------------------------------------------------


def measure_trained(
    prepare: Callable[[PreTrainedBert], None], steps: int, rate: float, subject: Subject
) -> Measured:
    """The fine-tuned model prepared, then trained further with the rounding in it."""
    model, rows = copy.deepcopy(subject.teacher.model), subject.rows()
    prepare(model)
    before = {f"{name}_before": score for name, score in subject.judge(model).items()}
    seconds = subject.train(FineTuning(model), rows, steps, rate, precision="no")
    return Measured(subject.judge(model.eval()) | before, {"processor_seconds": seconds}, model)


def leave(_model: PreTrainedBert) -> None:
    """No rounding."""


# --- the arms -------------------------------------------------------------------------------------

PREPARED: dict[str, Callable[[PreTrainedBert], None]] = {
    "float32": leave,
    "3 bits per row": partial(quantize_weights, bits=3),
    "3 bits per tensor": partial(quantize_weights, bits=3, groups=1),
    "2 bits per row": partial(quantize_weights, bits=2),
}


def rounded() -> dict[str, Arm]:
    """The model in each number of bits, by matrix and by row."""
    return {
        f"all, {per}, {bits} bits": partial(measure_rounded, groups, bits)
        for per, groups in GROUPS.items()
        for bits in BITS
    }


def trained(steps: int, rate: float, *ways: str) -> dict[str, Arm]:
    """Models that learn on with their rounding, and one that learns on without any."""
    return {name: partial(measure_trained, PREPARED[name], steps, rate) for name in ways or PREPARED}


STUDY = Study(
    "bits",
    "MiniLM with weights in 8 to 2 bits, rounded or trained so",
    {
        "headlines": {"teacher": measure_teacher, **rounded(), **trained(200, 1e-4)},
        "SST-2": {"teacher": measure_teacher, **rounded(), **trained(300, 5e-5, "3 bits per row")},
    },
    minutes=90,
)
