"""What notebook 33 reads of the record `floppy`: a BERT and its rivals on three disks, three seeds each."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from lib import records, stats
from lib.records.table import Run

RIVAL, BASELINES = "rival, ", ("teacher", "counts of words")
WITH, WITHOUT = "with a BERT", "no attention"
#: the files of headlines by disk: what each is called in the table, and its arm
DISKS = {
    "1.44 MB": {
        "BERT and bags": "3 x 1/4, 2 bits, words 3, bags beside",
        "BERT alone": "3 x 1/4, 2 bits, words 3",
    },
    "360 kB": {"BERT alone": "360 kB"},
    "100 kB": {"BERT alone": "100 kB"},
}
#: the rival that is best of those that fit on a disk
BEST_RIVALS = {"1.44 MB": "360 kB", "360 kB": "360 kB", "100 kB": "100 kB"}
ALONE = "3 x 1/4, 2 bits, words 3"


def whole(task: str) -> float:
    """What MiniLM itself sorts, in percent: the mean of the three that taught these files."""
    return 100 * mean(records.table("floppy").values(task, "teacher"))


def files(task: str) -> dict[str, dict[int, list[float]]]:
    """By kind the bytes of each file, means over seeds, and what it sorts by each seed, in percent."""
    table = records.table("floppy")
    kinds: dict[str, dict[int, list[float]]] = {WITH: {}, WITHOUT: {}}
    for arm in table.arms(task):
        if arm not in BASELINES and not arm.endswith(" alone"):
            runs = table.runs(task, arm)
            kind = WITHOUT if arm.startswith(RIVAL) else WITH
            kinds[kind][_bytes(runs)] = [100 * run.scores["accuracy"] for run in runs]
    return kinds


def disks() -> tuple[dict[str, list[str]], str]:
    """For each disk a file with a BERT beside the best rival that fits: columns, and the caption."""
    table = records.table("floppy")
    columns: dict[str, list[str]] = {
        name: [] for name in ("disk", "file", "bytes", "training, s", "right, %", "lead over bags")
    }
    rows: list[tuple[str, str, str]] = []
    for disk, by_name in DISKS.items():
        rows += [(disk, name, arm) for name, arm in by_name.items()]
        if disk != "360 kB":  # its best rival is the one above
            rows.append((disk, "bags alone", f"{RIVAL}{BEST_RIVALS[disk]}"))
    for disk, name, arm in rows:
        mine = table.values("headlines", arm)
        rival = table.values("headlines", f"{RIVAL}{BEST_RIVALS[disk]}")
        runs = table.runs("headlines", arm)
        seconds = mean(run.costs["processor_seconds"] for run in runs)
        if arm.endswith("bags beside"):  # which are those of 100 kB, and not counted there
            beside = table.runs("headlines", f"{RIVAL}100 kB")
            seconds += mean(run.costs["processor_seconds"] for run in beside)
        lead = "" if name == "bags alone" else _points(rival, mine)
        cells = (disk, name, f"{_bytes(runs):,}", f"{seconds:.0f}", _percent(mine), lead)
        for column, cell in zip(columns.values(), cells, strict=True):
            column.append(cell)
    return columns, "Headlines on three disks, means of three seeds, each beside the best bags that fit"


def lessons() -> tuple[dict[str, list[str]], str]:
    """The bags of 100 kB and the BERT alone by what taught them: a table's columns, and its caption."""
    table = records.table("floppy")
    bags = [f"{RIVAL}100 kB{ending}" for ending in (", labels alone", ", labeled texts alone", "")]
    berts = [f"{ALONE}, labels alone", "", ALONE]
    columns = {
        "learned from": ["labels, 1,080 texts", "a teacher, the same texts", "a teacher, 3,080 texts"],
        "bags of 100 kB, %": [_percent(table.values("headlines", arm)) for arm in bags],
        "BERT alone, %": [_percent(table.values("headlines", arm)) if arm else "not run" for arm in berts],
    }
    return columns, "Headlines by what a file has learned from, means of three seeds"


def _bytes(runs: Sequence[Run]) -> int:
    return round(mean(run.costs["bytes"] for run in runs))


def _percent(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f}"


def _points(base: Sequence[float], better: Sequence[float]) -> str:
    gain = stats.paired_difference(base, better)
    return f"{100 * gain.of_means:+.1f}{'' if gain.is_resolved else ' (not resolved)'}"
