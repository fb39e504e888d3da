"""What notebook 32 reads of the record `small_designs`."""

from __future__ import annotations

from collections.abc import Sequence

from lib import records, stats
from lib.compression.designs.super_network import Design

NAME = "small_designs"
HALVES = ("first_half", "second_half")


def scores(designs: Sequence[Design], task: str = "headlines") -> list[tuple[dict[Design, float], ...]]:
    """For each seed the accuracy of every design inside one network, on each half of the test rows."""
    table = records.table(NAME)
    by_half = [table.values(task, "designs", half) for half in HALVES]
    return [
        tuple(dict(zip(designs, one, strict=True)) for one in seed) for seed in zip(*by_half, strict=True)
    ]


def runs(arm: str, metric: str = "second_half", task: str = "headlines") -> list[float]:
    """One number for each seed, in percent."""
    return [100 * value for value in records.table(NAME).values(task, arm, metric)]


def gain(arm: str, base: str, metric: str = "second_half", task: str = "headlines") -> str:
    """By how many points an arm lies above another, seed by seed."""
    gap = stats.paired_difference(runs(base, metric, task), runs(arm, metric, task))
    return f"{gap.of_means:+.1f} points, {'resolved' if gap.is_resolved else 'not resolved'}"
