"""Which peak of the learning rate suits the short run of notebook 14: chosen on development rows.

Every sixth training headline is kept out of the training and judges the peaks; the test headlines are not
read at all.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.task_kinds import Task

PEAKS = (2e-5, 1e-4, 4e-4, 1.6e-3)
EVERY = 6  # one row in so many is a development row
RECIPE = Recipe(batch_size=16, epochs=2, precision="bf16")


def with_development_rows(task: Task) -> Task:
    """The task without its test rows: the development rows stand in their place."""
    learned = [row for place, row in enumerate(task.train) if place % EVERY]
    return replace(task, train=learned, test=task.train[::EVERY])


def measure_peak(peak: float, subject: Subject) -> Measured:
    """MiniLM after two passes with this peak, judged on the development rows."""
    task = with_development_rows(subject.task)
    model = fresh_model(task, "minilm", subject.seed)
    recipe = replace(RECIPE, learning_rate=peak)
    result = fine_tune(model, subject.tokenizer, task, recipe, seed=subject.seed)
    return Measured(dict(result.scores), {"processor_seconds": round(result.processor_seconds, 1)})


STUDY = Study(
    "learning_rates",
    "MiniLM on headlines in two passes, with four peaks of the learning rate, judged on development rows",
    {"headlines": {f"peak {peak:g}": partial(measure_peak, peak) for peak in PEAKS}},
    minutes=15,
)
