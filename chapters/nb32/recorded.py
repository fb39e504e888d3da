"""What notebook 32 reads of the record `small_designs`, and searches of the large space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chapters.nb32.corners import Design
from lib import records, stats

NAME = "small_designs"
HALVES = ("first_half", "second_half")
#: for each seed the accuracy of every design inside one network, on each half of the test rows
Networks = Sequence[tuple[dict[Design, float], ...]]

#: the best fitness after so many designs, and what the winner sorts of 720 headlines inside the network
PLACES = (10, 20, 30, 60, 90, 120)
#: by kind and network a row for each search (`large_space`)
SEARCHES: dict[tuple[str, int], tuple[tuple[tuple[float, ...], int], ...]] = {
    ("evolution", 0): (
        ((-0.5, -0.4, -0.35, -0.3, -0.28, -0.27), 540),
        ((-0.6, -0.5, -0.4, -0.3, -0.28, -0.27), 540),
    ),
    ("at random", 0): (
        ((-0.5, -0.45, -0.4, -0.37, -0.36, -0.35), 530),
        ((-0.6, -0.5, -0.4, -0.3, -0.28, -0.27), 540),
    ),
}


def scores(designs: Sequence[Design], task: str = "headlines") -> Networks:
    """For each seed the accuracy of every design inside one network, on each half of the test rows."""
    table = records.table(NAME)
    by_half = [table.values(task, "designs", half) for half in HALVES]
    return [
        tuple(dict(zip(designs, one, strict=True)) for one in seed) for seed in zip(*by_half, strict=True)
    ]


def winner(by_seed: Networks, designs: Sequence[Design]) -> tuple[float, float]:
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


def ghosts() -> Iterator[str]:
    """For each task a line: what ghosts bring at two widths, in points, and which gains are resolved."""
    for task in ("headlines", "SST-2"):
        gains = {
            f"{kind} at {width}": gain(f"{width}, {kind} ghosts", f"{width}, no ghosts", "accuracy", task)
            for width in ("a quarter", "a twelfth")
            for kind in ("raw", "softmax")
        }
        points = ", ".join(f"{name} {one.of_means:+.1f}" for name, one in gains.items())
        resolved = ", ".join(name for name, one in gains.items() if one.is_resolved) or "none"
        yield f"{task}: {points}; resolved: {resolved}"


def best_after(kind: str) -> list[tuple[float, ...]]:
    """For each recorded search of the large space its best fitness after `PLACES` designs."""
    return [best for (one, _), runs in SEARCHES.items() if one == kind for best, _ in runs]


def ahead() -> Iterator[str]:
    """In how many pairs of recorded searches evolution is ahead, and what both kinds' winners sort."""
    for place in (30, 120):
        at = PLACES.index(place)
        pairs = list(zip(best_after("evolution"), best_after("at random"), strict=True))
        count = sum(first[at] > second[at] for first, second in pairs)
        yield f"recorded, after {place}: evolution ahead in {count} of {len(pairs)}"
