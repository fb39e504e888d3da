"""The runs of a study as one table, a row for each task, arm and seed.

table = records.table("pruned_weights")
table.values("SST-2", "magnitude 0.9", "accuracy")  # one number for each seed
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Run:
    """One run. scores: what it reached; costs: seconds, steps, parameters, bytes, milliseconds.

    made_with: "how" the arm is made (`lib.names.stable_name`), commit, date, machine, torch, the study's
    version, digests of the inputs.
    """

    task: str
    arm: str
    seed: int
    scores: dict[str, Any] = field(default_factory=dict)
    costs: dict[str, Any] = field(default_factory=dict)
    made_with: dict[str, Any] = field(default_factory=dict)

    @property
    def identity(self) -> str:
        """What the arm is, by which its runs are known again."""
        return str(self.made_with["how"])


@dataclass(frozen=True)
class Table:
    """The rows of a record, in the order in which the study has them."""

    rows: Sequence[Run]

    def values(self, task: str, arm: str, metric: str = "accuracy") -> list[Any]:
        """One number for each seed; ValueError, with the nearest names, where there is none."""
        runs = self.runs(task, arm)
        known = runs[0].scores | runs[0].costs
        if metric not in known:
            raise ValueError(f"{arm!r} on {task} has no {metric!r}. {_nearest('metrics', metric, known)}")
        return [(run.scores | run.costs)[metric] for run in runs]

    def runs(self, task: str, arm: str) -> list[Run]:
        """The runs of an arm on a task, one for each seed."""
        rows = [row for row in self.rows if (row.task, row.arm) == (task, arm)]
        if not rows:
            near = _nearest("tasks", task, self.tasks())
            if task in self.tasks():
                near = _nearest("arms", arm, self.arms(task))
            raise ValueError(f"There is no run of {arm!r} on {task!r}. {near}")
        return rows

    def made(self, what: str) -> list[Any]:
        """The "date", "commit" or "machine" of the rows, each once."""
        return list(dict.fromkeys(row.made_with[what] for row in self.rows))

    def tasks(self) -> list[str]:
        """The names of the tasks, each once."""
        return list(dict.fromkeys(row.task for row in self.rows))

    def arms(self, task: str) -> list[str]:
        """The names of the arms on a task, each once."""
        return list(dict.fromkeys(row.arm for row in self.rows if row.task == task))

    def seeds(self) -> list[int]:
        """The seeds, each once."""
        return list(dict.fromkeys(row.seed for row in self.rows))


def _nearest(kind: str, name: str, known: Iterable[str]) -> str:
    """Which of the known names, three at most, are spelled most nearly as this one."""
    return f"The nearest {kind} are {', '.join(difflib.get_close_matches(name, list(known), cutoff=0.0))}."
