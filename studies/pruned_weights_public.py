"""MiniLM on SST-2 with more and more of its weights at 0, as in `pruned_weights`: fewer arms, and some of its
rows, evenly spread."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.public_teachers import PLACES, public_task, public_teacher
from lib.records.results import RESULT, kept_result
from lib.records.students import MAX_LENGTH
from lib.training.known_tasks import spread
from studies import pruning_runs
from studies.pruned_weights import TICKET_STEPS, TICKETS, curves, tickets
from studies.pruning_runs import Arm, Rule

NAME, ROWS = "SST-2", 4000
LEVELS: dict[Rule, tuple[float, ...]] = {"magnitude": (0.3, 0.5, 0.7, 0.9), "random": (0.3, 0.5)}
STEPS = 300
INSIDE_STEPS = 220  # about as many seconds
ARMS = {
    "dense": Arm(rule="magnitude", sparsity=0.0, steps=STEPS),
    "magnitude 0.9": Arm(rule="magnitude", sparsity=0.9, steps=STEPS),
    "random 0.9": Arm(rule="random", sparsity=0.9, steps=STEPS),
    "movement 0.9": Arm(rule="movement", sparsity=0.9, steps=STEPS),
    "soft movement": Arm(rule="soft movement", sparsity=0.9, steps=STEPS),
    "pretrained, inside": Arm(
        rule="magnitude", sparsity=0.95, steps=INSIDE_STEPS, start="pretrained", inside=True
    ),
}
#: in a record of their own
FURTHER = {
    "magnitude 0.7": Arm(rule="magnitude", sparsity=0.7, steps=STEPS),
    "magnitude 0.95": Arm(rule="magnitude", sparsity=0.95, steps=STEPS),
    "global 0.9": Arm(rule="global", sparsity=0.9, steps=STEPS),
}
#: models that the ledger measures as well
KEPT = ("magnitude 0.9", "movement 0.9", "pretrained, inside")


def pruned_weights_public(seed: int) -> dict[str, Any]:
    """All that the record holds for a seed, which draws teacher, head, order of the rows, and dropout."""
    return {
        "teacher": public_teacher(NAME, seed).scores,
        "curves": kept_result(run_of("curves", seed)),
        "tickets": kept_result(run_of("tickets", seed)),
        "arms": {name: kept_result(run_of(name, seed)) for name in ARMS},
    }


def run_of(part: str, seed: int) -> Entry:
    """An arm, the tickets, or what needs no training, which the cache keeps."""
    return Entry(
        f"pruned_public_{seed}",
        f"Pruned weights, on {NAME}: {part}",
        run_part,
        {"part": part, "seed": seed},
        data=("minilm", f"public/{PLACES[NAME]}"),
    )


def run_part(folder: Path, part: str, seed: int) -> None:
    """One part of the record; it goes into the folder."""
    task, teacher = public_task(NAME), public_teacher(NAME, seed)
    if part == "curves":
        write_json(folder / RESULT, curves(task, teacher, LEVELS))
        return
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    rows = task.kind.rows(spread(task.train, ROWS), tokenizer, MAX_LENGTH)
    if part == "tickets":
        write_json(folder / RESULT, tickets(task, rows, teacher, seed, TICKET_STEPS)[0])
        return
    pruning_runs.run_arm(folder, (ARMS | FURTHER)[part], task, rows, teacher, seed, part in KEPT)


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        **pruning_runs.config(),
        "rows": ROWS,
        "levels": {rule: list(shares) for rule, shares in LEVELS.items()},
        "arms": {name: asdict(arm) for name, arm in ARMS.items()},
        "tickets": TICKETS,
    }
