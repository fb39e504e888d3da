"""On reviews, what `how_to_teach` and `pruned_weights` hold of headlines and SST-2 alone: an assistant,
neighbors, written texts, each beside its controls, and lottery tickets."""

from __future__ import annotations

from typing import Any

from lib.experiments import how_to_teach, pruned_weights, pruning_runs
from lib.experiments.kept import kept_result
from lib.experiments.students import Unlabeled

TASK: Unlabeled = "reviews"
FAMILIES = ("assistant", "neighbors", "written")
ARMS = [
    name for name in how_to_teach.arms_of(how_to_teach.PUBLIC) if how_to_teach.ARMS[name].family in FAMILIES
]


def more_on_reviews(seed: int) -> dict[str, Any]:
    """The record of a seed, which draws teacher and student, order of the rows, dropout, and the texts."""
    return {
        "taught": how_to_teach.on_task(TASK, seed, ARMS),
        "tickets": kept_result(pruned_weights.run_of(TASK, "tickets", seed)),
    }


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "arms": ARMS,
        "teaching": how_to_teach.config(),
        "pruning": pruning_runs.config(),
        "tickets": pruned_weights.TICKETS,
    }
