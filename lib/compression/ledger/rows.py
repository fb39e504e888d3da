"""One row of the ledger: what a method reaches on a task, and what its model costs to keep and to run.

Rows that papers print stand in the same table, with the paper and its table as their source.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: what everything is measured on: texts in a batch, pieces in a text
SHAPES = {"32 x 32": (32, 32), "1 x 9": (1, 9)}
FAMILIES = ("baseline", "quantization", "distillation", "pruning", "sharing", "architecture", "combined")


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """The same columns for all methods.

    A row that was measured here (`source` is None) has them all, but for `agreement` where there is no
    teacher, and for the seconds of a training that was not timed. A published row has what its source
    prints: of scores at least one, and no seeds as a rule.
    """

    method: str
    family: str  # one of FAMILIES
    task: str
    metric: str  # what scores are: "accuracy", "f1", ...
    source: str | None = None  # such as "Jiao et al., 2020, table 1"
    seeds: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()  # from 0 to 1, one for each seed
    agreement: tuple[float, ...] = ()  # the share of rows answered as the teacher does, one for each seed
    parameters: int | None = None  # a tensor that is used twice counts once
    file_bytes: int | None = None  # of the file that holds the model, packed
    multiply_adds: dict[str, int] = field(default_factory=dict)  # by shape
    milliseconds: dict[str, dict[str, float]] = field(default_factory=dict)  # by route, then by shape
    peak_memory: int | None = None  # bytes, to load the model and answer one batch of 32 x 32
    processor_seconds: tuple[float, ...] = ()  # of all cores together, one for each seed

    def __post_init__(self) -> None:
        wrong = [name for name, is_right in self._checks().items() if not is_right]
        if wrong:
            raise ValueError(
                f"A row of {self.method or 'no method'} has no right {' and '.join(wrong)}: a row names its"
                f" method, family ({', '.join(FAMILIES)}), task and metric; scores and agreement are 0 to 1."
                " What was measured here also has seeds that differ, a score for each, the training's seconds"
                " for all or none, whole numbers of parameters, bytes and peak memory, and for"
                f" {' and '.join(SHAPES)} multiply-adds and, by route, milliseconds."
            )

    def _checks(self) -> dict[str, bool]:
        """Which columns hold what they should."""
        runs, is_measured = max(len(self.seeds), 1), self.source is None
        counts = {name: getattr(self, name) for name in ("parameters", "file_bytes", "peak_memory")}
        return {
            "method": bool(self.method),
            "family": self.family in FAMILIES,
            "task": bool(self.task),
            "metric": bool(self.metric),
            "source": self.source != "",
            "seeds": len(set(self.seeds)) == len(self.seeds) and bool(self.seeds or not is_measured),
            "scores": len(self.scores) == runs and _are_shares(self.scores),
            "agreement": len(self.agreement) in (0, runs) and _are_shares(self.agreement),
            **{
                name: _is_count(number) or (number is None and not is_measured)
                for name, number in counts.items()
            },
            "multiply_adds": all(map(_is_count, self.multiply_adds.values()))
            and (not is_measured or self.multiply_adds.keys() == SHAPES.keys()),
            "milliseconds": all(map(_are_times, self.milliseconds.values()))
            and bool(self.milliseconds or not is_measured),
            "processor_seconds": len(self.processor_seconds) in (0, runs)
            and all(0 <= seconds < math.inf for seconds in self.processor_seconds),
        }


def _is_count(number: object) -> bool:
    return type(number) is int and number > 0


def _are_shares(numbers: Iterable[float]) -> bool:
    return all(0 <= number <= 1 for number in numbers)


def _are_times(by_shape: Mapping[str, float]) -> bool:
    return by_shape.keys() == SHAPES.keys() and all(0 < time < math.inf for time in by_shape.values())
