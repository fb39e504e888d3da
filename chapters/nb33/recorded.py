"""What notebook 33 reads of the record `floppy`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean

from lib import records, stats
from lib.records.table import Run

RIVAL, BASELINES = "rival, ", ("teacher", "counts of words")
#: for each disk the files with a BERT and without attention that stand beside each other
DISKS = {
    "headlines": {
        "1.44 MB": "3 x 1/4, 2 bits, words 3, bags beside",
        "1.44 MB, no bags": "3 x 1/4, 2 bits, words 3",
        "360 kB": "360 kB",
        "100 kB": "100 kB",
    },
    "SST-2": {"1.44 MB": "3 x 1/4, 3 bits, words of rank 176, bags beside"},
}
LESSONS = {
    "labels, 1,080 texts": ", labels alone",
    "a teacher, the same texts": ", labeled texts alone",
    "a teacher, 3,080 texts": "",
}


def files(task: str) -> dict[str, dict[int, list[float]]]:
    """By kind the bytes of each file, means over seeds, and what it sorts by each seed, in percent."""
    table = records.table("floppy")
    kinds: dict[str, dict[int, list[float]]] = {"with a BERT": {}, "no attention": {}}
    for arm in table.arms(task):
        if arm not in BASELINES and "alone" not in arm:
            runs = table.runs(task, arm)
            kind = "no attention" if arm.startswith(RIVAL) else "with a BERT"
            kinds[kind][_bytes(runs)] = [100 * run.scores["accuracy"] for run in runs]
    return kinds


def disks() -> dict[str, list[str]]:
    """For each task and disk a file with a BERT, its rival, and how far it is ahead, as a table's columns."""
    columns: dict[str, list[str]] = {
        name: [] for name in ("task", "disk", "with a BERT, %", "bytes", "no attention, %", "the BERT's lead")
    }
    table = records.table("floppy")
    for task, by_disk in DISKS.items():
        for disk, file in by_disk.items():
            mine, rival = (table.values(task, arm) for arm in (file, f"{RIVAL}{disk.split(',')[0]}"))
            size = f"{_bytes(table.runs(task, file)):,}"
            cells = (task, disk, _percent(mine), size, _percent(rival), _points(rival, mine))
            for column, cell in zip(columns.values(), cells, strict=True):
                column.append(cell)
    return columns


def lessons() -> dict[str, list[str]]:
    """The rival of 100 kB on headlines by what taught it, as a table's columns."""
    table = records.table("floppy")
    right = [table.values("headlines", f"{RIVAL}100 kB{ending}") for ending in LESSONS.values()]
    gains = [_points(*pair) for pair in pairwise(right)]
    return {
        "learned from": [*LESSONS],
        "right, %": [_percent(one) for one in right],
        "more than above": ["", *gains],
    }


def _bytes(runs: Sequence[Run]) -> int:
    return round(mean(run.costs["bytes"] for run in runs))


def _percent(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f}"


def _points(base: Sequence[float], better: Sequence[float]) -> str:
    gain = stats.paired_difference(base, better)
    return f"{100 * gain.of_means:+.1f}{'' if gain.is_resolved else ' (open)'}"
