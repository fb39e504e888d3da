"""MiniLM trained on each of the course's tasks in ten ways (`chapters.nb17.ways_of_training`).

What a run costs is told beside its scores: seconds, what a step holds in memory, and the weights that learn.
"""

from __future__ import annotations

from functools import partial

from chapters.nb17.ways_of_training import WAYS, Way, everything, recipe_of, train_by
from lib.records.baselines import measure_word_counts
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.training.finetuning import Recipe


def measure_way(way: Way, recipe: Recipe, subject: Subject) -> Measured:
    """MiniLM trained so, on all rows of the task."""
    result = train_by(way, subject.task, recipe, subject.seed)
    costs = {
        "processor_seconds": round(result.processor_seconds, 1),
        "trained_weights": result.trained_weights,
        "stored_bytes": 4 * result.trained_weights,
        "memory": result.memory.total,
    }
    held = {f"memory, {part}": size for part, size in result.memory._asdict().items()}
    return Measured(dict(result.scores), costs | held)


TASKS = ("reviews", "headlines", "pairs", "graded_pairs", "entities", "passages", "stories")


#: do lower layers gain by their lower rates, or would another rate for all do the same? The second is the
#: rate that "layer rates" and "gradual" have at the top
OTHER_RATES = {"all, half the rate": Way(everything, 0.5), "all, 1.5 times the rate": Way(everything, 1.5)}


def arms(task: str) -> dict[str, Arm]:
    """Every way, and what counting words reaches."""
    ways = WAYS | OTHER_RATES if task == "headlines" else WAYS
    trained = {name: partial(measure_way, way, recipe_of(task)) for name, way in ways.items()}
    return {**trained, "baseline": measure_word_counts}


STUDY = Study(
    "ways_of_training",
    "MiniLM on each of the course's tasks, trained in ten ways",
    {task: arms(task) for task in TASKS},
    seeds=(0, 1, 2, 3, 4),
    inputs=(),
    inputs_of=dict.fromkeys(WAYS | OTHER_RATES, ("minilm",)),
    minutes=350,
)
