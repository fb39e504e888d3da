"""What a fine-tuned BERT and a count of words learn from few labeled reviews, half of them of each class."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training import baselines
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.task_kinds import Task

COUNTS = (20, 100, 500, 1200)
STEPS = 120  # at least, in every run: with few rows an epoch would be over in a step or two
BATCH = 16


def recipe_for(rows: int) -> Recipe:
    """As many epochs as give `STEPS` steps, three at least."""
    in_epoch = -(-rows // BATCH)
    return Recipe(
        epochs=max(3, -(-STEPS // in_epoch)), batch_size=BATCH, learning_rate=1e-4, precision="bf16"
    )


def with_few(count: int, subject: Subject) -> Task:
    """The task with so many rows, which the seed draws: fewer are part of the more."""
    task = subject.task
    order = random.Random(subject.seed).sample(task.train, len(task.train))
    train = [
        example for label in (0, 1) for example in [one for one in order if one.label == label][: count // 2]
    ]
    return replace(task, train=train)


def measure_minilm(count: int, recipe: Recipe, subject: Subject) -> Measured:
    """All weights of MiniLM, on so many rows."""
    task = with_few(count, subject)
    model = fresh_model(task, "minilm", subject.seed)
    return Measured(dict(fine_tune(model, subject.tokenizer, task, recipe, seed=subject.seed).scores))


def measure_counting(count: int, subject: Subject) -> Measured:
    """TF-IDF, on the same rows."""
    task = with_few(count, subject)
    said = baselines.classify_texts(task.train, task.test)
    return Measured(dict(task.kind.score(said, task.test)))


MINILM: dict[str, Arm] = {
    f"MiniLM, {count} rows": partial(measure_minilm, count, recipe_for(count)) for count in COUNTS
}
COUNTING: dict[str, Arm] = {f"TF-IDF, {count} rows": partial(measure_counting, count) for count in COUNTS}
STUDY = Study(
    "few_rows",
    "MiniLM and a count of words on the reviews, from 20 to 1,200 labeled ones",
    {"reviews": MINILM | COUNTING},
    inputs=(),
    inputs_of=dict.fromkeys(MINILM, ("minilm",)),
    minutes=25,
)
