"""Small Transformer-XLs that read stories in segments: with and without a memory, with other positions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from statistics import mean

from chapters.nb35 import reading
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread

STORIES = "stories"  # what the record calls that on which all are tested
TRIED = (0, 16, 48, 64)  # rows of memory at the test, whatever was learned with
STEPS = 300


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How an arm reads. memory: rows that each layer keeps; relative: positions are distances, or restart."""

    memory: int = 0
    relative: bool = True
    segment: int = reading.SEGMENT
    steps: int = STEPS


def measure_reading(arm: Reading, subject: Subject) -> Measured:
    """Train and test one reader, on one thread, so that a machine repeats it."""
    with one_thread():
        reader = reading.new_reader(subject.seed, arm.relative)
        began = time.process_time()
        reading.train(reader, arm.memory, subject.at_most(arm.steps), arm.segment)
        seconds = round(time.process_time() - began, 1)
        scores: dict[str, object] = {}
        for rows in TRIED:
            by_place = reading.losses_by_place(reader, rows, arm.segment)
            scores[f"loss with {rows}"] = mean(by_place)
            if rows == arm.memory:
                scores |= {"loss": mean(by_place), "by place": by_place}
    return Measured(scores, {"processor_seconds": seconds, "steps": subject.at_most(arm.steps)})


ARMS = {
    "no memory": Reading(),
    "memory 16": Reading(memory=16),
    "memory 48": Reading(memory=48),
    "no memory, segments of 32": Reading(segment=32),
    "positions restart, no memory": Reading(relative=False),
    "positions restart, memory 16": Reading(relative=False, memory=16),
}

STUDY = Study(
    "memory",
    "Small Transformer-XLs on the grammar's stories, in segments of 16: with no memory, with 16 or 48"
    " rows of it in each layer, and with positions that restart in each segment; the seed draws the weights",
    {STORIES: {name: partial(measure_reading, arm) for name, arm in ARMS.items()}},
    inputs=(),
    examples_of={STORIES: ("data/grammar",)},
    minutes=10,
)
