"""How much of MiniLM to train where labels are few: ten headlines of each category (notebook 16)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from chapters.nb17.ways_of_training import Way, everything
from lib.bert import WordPieceTokenizer
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import train_top
from lib.training.task_kinds import Task

OF_EACH = 10
RECIPE = Recipe(batch_size=16, epochs=12, precision="bf16")
#: the rates of `chapters.nb17.ways_of_training`, times the recipe's
WAYS = {
    "head": Way(partial(train_top, k=0), 15),
    "top 1": Way(partial(train_top, k=1), 2.5),
    "top 2": Way(partial(train_top, k=2), 2.5),
    "all": Way(everything, 1),
    "top 4": Way(partial(train_top, k=4), 2.5),
}


def first_of_each(task: Task, of_each: int) -> Task:
    """The task with the first so many training rows of each class."""
    seen: Counter[object] = Counter()
    kept = []
    for row in task.train:
        if seen[row.label] < of_each:
            kept.append(row)
        seen[row.label] += 1
    return replace(task, train=kept)


def measure_few(way: Way, of_each: int, subject: Subject) -> Measured:
    """MiniLM trained so on few rows, and tested on all test rows."""
    task = first_of_each(subject.task, of_each)
    model = fresh_model(task, "minilm", subject.seed)
    way.prepare(model)
    recipe = replace(RECIPE, learning_rate=way.rate * RECIPE.learning_rate)
    result = fine_tune(model, WordPieceTokenizer.from_pretrained("minilm"), task, recipe, seed=subject.seed)
    costs = {
        "processor_seconds": round(result.processor_seconds, 1),
        "trained_weights": result.trained_weights,
    }
    return Measured(dict(result.scores), costs)


STUDY = Study(
    "few_labels",
    "MiniLM on ten headlines of each category: the head, some layers, or all of it",
    {"headlines": {name: partial(measure_few, way, OF_EACH) for name, way in WAYS.items()}},
    minutes=15,
)
