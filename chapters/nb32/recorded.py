"""What notebook 32 reads of the record `small_designs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def winner(
    by_seed: Sequence[tuple[dict[Design, float], ...]], designs: Sequence[Design]
) -> tuple[float, float]:
    """In percent: what the best of these has where it was chosen, and what on the other half.

    Means over seeds, chosen on the first half and on the second, so that it doesn't matter which is harder.
    """
    ways = [way for first, second in by_seed for way in ((first, second), (second, first))]
    found = [
        (here[best], there[best]) for here, there in ways for best in [max(designs, key=here.__getitem__)]
    ]
    here, there = (100 * sum(one) / len(found) for one in zip(*found, strict=True))
    return here, there


def runs(arm: str, metric: str = "second_half", task: str = "headlines") -> list[float]:
    """One number for each seed, in percent."""
    return [100 * value for value in records.table(NAME).values(task, arm, metric)]


def gain(arm: str, base: str, metric: str = "second_half", task: str = "headlines") -> stats.Difference:
    """By how many points an arm lies above another, seed by seed."""
    return stats.paired_difference(runs(base, metric, task), runs(arm, metric, task))


def told(gains: Mapping[str, stats.Difference]) -> str:
    """Differences in points by name, and which of them are resolved."""
    points = ", ".join(f"{name} {one.of_means:+.1f}" for name, one in gains.items())
    return (
        f"{points}; resolved: {', '.join(name for name, one in gains.items() if one.is_resolved) or 'none'}"
    )
