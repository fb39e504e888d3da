"""What notebook 32 reads of the record `small_designs`, and searches of the large space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chapters.nb32.corners import Design
from lib import records, stats

NAME = "small_designs"
HALVES = ("first_half", "second_half")
#: for each seed the accuracy of every design inside one network, on each half of the test rows
Networks = Sequence[tuple[dict[Design, float], ...]]

#: after how many designs the recorded searches of the large space were looked at
PLACES = (10, 20, 30, 60, 90, 120)
#: of each search the best fitness so far, and what its winner sorts of 720 headlines (`large_space`)
SEARCHES: dict[str, tuple[tuple[tuple[float, ...], int], ...]] = {
    "evolution": (
        ((-0.217, -0.214, -0.208, -0.19, -0.19, -0.176), 546),
        ((-0.226, -0.214, -0.196, -0.173, -0.166, -0.161), 554),
        ((-0.243, -0.216, -0.216, -0.184, -0.168, -0.159), 556),
        ((-0.199, -0.183, -0.179, -0.16, -0.154, -0.15), 551),
        ((-0.236, -0.205, -0.198, -0.196, -0.193, -0.163), 548),
        ((-0.231, -0.231, -0.175, -0.172, -0.169, -0.163), 549),
    ),
    "at random": (
        ((-0.217, -0.217, -0.217, -0.217, -0.191, -0.191), 549),
        ((-0.226, -0.226, -0.2, -0.197, -0.197, -0.197), 528),
        ((-0.243, -0.221, -0.221, -0.212, -0.189, -0.189), 545),
        ((-0.199, -0.199, -0.184, -0.162, -0.162, -0.162), 550),
        ((-0.236, -0.236, -0.196, -0.196, -0.196, -0.191), 540),
        ((-0.231, -0.197, -0.197, -0.195, -0.195, -0.195), 535),
    ),
}
#: the same of the best design whose layers are all alike
ALIKE = (-0.220, 527)
TESTED = 720


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
    return [best for best, _ in SEARCHES[kind]]


def winners_sort(kind: str) -> float:
    """How many percent of the test headlines the winners of recorded searches sort, on average."""
    rights = [right for _, right in SEARCHES[kind]]
    return 100 * sum(rights) / len(rights) / TESTED


def ahead() -> Iterator[str]:
    """In how many pairs of recorded searches evolution is ahead, and what both kinds' winners sort."""
    pairs = list(zip(best_after("evolution"), best_after("at random"), strict=True))
    for place in (30, 120):
        at = PLACES.index(place)
        count = sum(first[at] > second[at] for first, second in pairs)
        yield f"recorded, after {place}: evolution ahead in {count} of {len(pairs)}"
    sorts = ", ".join(f"{kind} {winners_sort(kind):.1f}%" for kind in SEARCHES)
    yield f"recorded, what the winners sort of {TESTED} headlines: {sorts}"
    yield f"the best whose layers are all alike: {100 * ALIKE[1] / TESTED:.1f}%"
