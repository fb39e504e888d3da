"""What notebook 33 reads of the record `floppy`: a BERT and its rivals on three disks, three seeds each.

Beside that: what the page's own stack sorts by when it is rounded, and what headlines that chose nothing say
of the course's own files.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from lib import records, stats
from lib.records.table import Run

RIVAL, BASELINES = "rival, ", ("teacher", "counts of words")
BESIDE = ", bags beside"
BOTH, ALONE_IN_IT, WITHOUT = "a BERT and bags", "a BERT alone", "bags alone"
ALONE = "3 x 1/4, 2 bits, words 3"
STACKS = {"3 layers": ALONE, "4 layers": "4 x 1/4, 3 bits, words of rank 128"}  # the two of 1.44 MB
ON_SST2 = "3 x 1/4, 3 bits, words of rank 176"
#: a disk, the arm of a file with a BERT, and that of the best bags that fit
LEADS = {
    "headlines": (("1.44 MB", ALONE, "360 kB"), ("1.44 MB", ALONE + BESIDE, "360 kB"),
                  ("360 kB", "360 kB", "360 kB"), ("100 kB", "100 kB", "100 kB")),
    "SST-2": (("1.44 MB", ON_SST2, "1.44 MB"), ("1.44 MB", ON_SST2 + BESIDE, "1.44 MB")),
}  # fmt: skip
#: headlines right of 720 in three orders of the batches, by steps before the rounding (`when_to_round`)
ROUNDED_AFTER = {
    0: (527, 515, 530),
    75: (511, 504, 521),
    150: (511, 510, 512),
    225: (494, 433, 451),
}
TESTED = 720
#: of the course's files the headlines right of 720, of 360 new ones, and of these with their words in five
#: drawn orders (`judged_apart`)
JUDGED = {
    "MiniLM, all pieces": (580, 285, (260, 268, 269, 265, 266)),
    "MiniLM, the disk's pieces": (576, 276, (253, 255, 262, 254, 261)),
    "the course's disk": (574, 265, (263, 265, 267, 271, 267)),
    "its BERT alone": (568, 264, (253, 259, 260, 258, 261)),
    "bags in 360 kB": (554, 251, (251, 251, 251, 251, 251)),
    "bags in 100 kB": (553, 234, (234, 234, 234, 234, 234)),
}
NEW = 360
#: the new headlines that only the first of two sorts right, and only the second (`judged_apart`)
ONLY_ONE = {
    ("the course's disk", "bags in 360 kB"): (31, 17),
    ("its BERT alone", "bags in 360 kB"): (43, 30),
    ("MiniLM, the disk's pieces", "bags in 360 kB"): (51, 26),
    ("the course's disk", "bags in 100 kB"): (40, 9),
    ("its BERT alone", "bags in 100 kB"): (54, 24),
}


def whole(task: str) -> float:
    """What MiniLM itself sorts, in percent: the mean of the three that taught these files."""
    return 100 * mean(records.table("floppy").values(task, "teacher"))


def files(task: str) -> dict[str, dict[int, list[float]]]:
    """By kind the bytes of each file, means over seeds, and what it sorts by each seed, in percent."""
    table = records.table("floppy")
    kinds: dict[str, dict[int, list[float]]] = {BOTH: {}, ALONE_IN_IT: {}, WITHOUT: {}}
    for arm in table.arms(task):
        if arm not in BASELINES and not arm.endswith("s alone"):  # labels or labeled texts alone
            runs = table.runs(task, arm)
            kind = WITHOUT if arm.startswith(RIVAL) else BOTH if arm.endswith(BESIDE) else ALONE_IN_IT
            kinds[kind][_bytes(runs)] = [100 * run.scores["accuracy"] for run in runs]
    return kinds


def stacks() -> dict[str, list[tuple[int, float]]]:
    """The two stacks of the large disk on headlines: bytes and percent alone, and with bags beside."""
    table = records.table("floppy")
    places = {}
    for name, arm in STACKS.items():
        arms = (arm, arm + BESIDE)
        places[name] = [
            (_bytes(table.runs("headlines", one)), 100 * mean(table.values("headlines", one))) for one in arms
        ]
    return places


def leads(task: str) -> list[str]:
    """A line for each disk: by how many points a file with a BERT leads the best bags that fit, and the
    seconds that training took. Leads are rounded after the subtraction."""
    table = records.table("floppy")
    lines = []
    for disk, arm, rival in LEADS[task]:
        against = f"{RIVAL}{rival}"
        gain = stats.paired_difference(table.values(task, against), table.values(task, arm))
        told = f"{100 * gain.of_means:+.1f} points, {'' if gain.is_resolved else 'not '}resolved"
        kind = BOTH if arm.endswith(BESIDE) else ALONE_IN_IT
        own = "training and its bags'" if arm == ON_SST2 + BESIDE else "training"
        spent = f"{_seconds(task, arm):.0f} s of {own}, bags {_seconds(task, against):.0f} s"
        lines.append(f"{disk:7}  {kind:15}  {told}; {spent}")
    return lines


def judged() -> tuple[dict[str, list[str]], str]:
    """What the course's files sort of headlines that were written apart, and of those with their words in
    drawn orders: a table's columns, and its caption."""
    columns = {
        "": [*JUDGED],
        "test headlines, %": [f"{100 * known / TESTED:.1f}" for known, _, _ in JUDGED.values()],
        "new headlines, %": [f"{100 * new / NEW:.1f}" for _, new, _ in JUDGED.values()],
        "new, words shuffled, %": [f"{100 * mean(mixed) / NEW:.1f}" for _, _, mixed in JUDGED.values()],
    }
    return columns, "Right of 720 test headlines, of 360 new ones, and of these in five shuffles; recorded"


def new_leads() -> list[str]:
    """A line for each lead over bags on the new headlines, with how much of it may be luck."""
    lines = []
    for (name, rival), (ours, theirs) in ONLY_ONE.items():
        lead, luck = ours - theirs, 2 * (ours + theirs) ** 0.5
        verdict = "survives" if lead > luck else "may be luck"
        lines.append(f"{name:18}  over {rival}  {ours} to {theirs:2}: {lead:+}, luck {luck:.1f}: {verdict}")
    return lines


def rounded_after() -> dict[int, tuple[float, float, float]]:
    """What the page's stack sorts out of its file by when it is rounded: mean, lowest and highest percent."""
    told = {}
    for steps, right in ROUNDED_AFTER.items():
        percent = [100 * one / TESTED for one in right]
        told[steps] = mean(percent), min(percent), max(percent)
    return told


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


def _seconds(task: str, arm: str) -> float:
    """The processor's seconds that training took, the bags' among them where some lie beside."""
    table = records.table("floppy")
    seconds = mean(run.costs["processor_seconds"] for run in table.runs(task, arm))
    if arm == ALONE + BESIDE:  # beside it lie the bags of 100 kB, which its seconds leave out
        seconds += _seconds(task, f"{RIVAL}100 kB")
    return seconds


def _percent(values: Sequence[float]) -> str:
    return f"{100 * mean(values):.1f}"
