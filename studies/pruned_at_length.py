"""MiniLM pruned on all of SST-2 for thousands of steps, where a few hundred may have been too few.

The arms of `pruned_weights_public` read 4,000 phrases in 300 steps, which is what a processor does in two
minutes. These read all 67,349 phrases, in batches of four times as many, thousands of times: hours of a
processor and minutes of a graphics card, whose arms run side by side.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.files import write_json
from lib.records.cache import Entry, build
from lib.records.public_teachers import PLACES, public_task, public_teacher
from lib.records.results import RESULT, kept_result
from lib.records.students import MAX_LENGTH
from lib.training.devices import processes
from studies import pruning_runs
from studies.pruned_weights import ROUNDS, SHARE, curves, tickets
from studies.pruning_runs import Arm, Rule, Training

NAME = "SST-2"
#: scores learn at the paper's rate, and for a while before anything is pruned (Sanh et al., 2020)
TRAINING = Training(batch_size=64, rate=1e-4, score_rate=1e-2, first=0.1)
STEPS = 3000
INSIDE_STEPS = 2000  # about as many seconds
TICKET_STEPS = 600
LEVELS: dict[Rule, tuple[float, ...]] = {
    "magnitude": (0.5, 0.7, 0.9, 0.95, 0.97),
    "global": (0.5, 0.7, 0.9, 0.95, 0.97),
}
SPARSITIES: dict[Rule, tuple[float, ...]] = {
    "magnitude": (0.7, 0.9, 0.95, 0.97),
    "movement": (0.7, 0.9, 0.97),
    "random": (0.9,),
}
ARMS = {
    "dense": Arm(rule="magnitude", sparsity=0.0, steps=STEPS),
    **{
        f"{rule} {share}": Arm(rule=rule, sparsity=share, steps=STEPS)
        for rule, shares in SPARSITIES.items()
        for share in shares
    },
    "pretrained, labels": Arm(rule="magnitude", sparsity=0.95, steps=STEPS, start="pretrained"),
    **{
        f"{start}, inside": Arm(rule="magnitude", sparsity=0.95, steps=INSIDE_STEPS, start=start, inside=True)
        for start in ("fine-tuned", "pretrained")
    },
}
#: the soft form finds its own sparsity, by how heavily scores weigh; the paper has 400
STRENGTHS = {f"soft movement, {strength}": strength for strength in (25.0, 100.0, 400.0)}
SOFT = Arm(rule="soft movement", sparsity=0.9, steps=STEPS)
PARTS = ("tickets", *STRENGTHS, *reversed(ARMS), "curves")  # what takes longest comes first


def pruned_at_length(seed: int) -> dict[str, Any]:
    """All that the record holds for a seed, which draws teacher, head, order of the rows, and dropout."""
    for _ in build(run_of(part, seed) for part in PARTS):  # side by side
        pass
    return {
        "teacher": public_teacher(NAME, seed).scores,
        **{part: kept_result(run_of(part, seed)) for part in ("curves", "tickets")},
        "arms": {name: kept_result(run_of(name, seed)) for name in (*ARMS, *STRENGTHS)},
    }


def run_of(part: str, seed: int) -> Entry:
    """An arm, the tickets, or what needs no training, which the cache keeps."""
    return Entry(
        f"pruned_at_length_{seed}",
        f"Pruned weights, on all of {NAME}: {part}",
        run_part,
        {"part": part, "seed": seed},
        data=("minilm", f"public/{PLACES[NAME]}"),
    )


def run_part(folder: Path, part: str, seed: int) -> None:
    """One part of the record; it goes into the folder."""
    task, teacher = public_task(NAME), public_teacher(NAME, seed)
    teacher.model.to(processes().device)  # and all that is copied from it
    if part == "curves":
        write_json(folder / RESULT, curves(task, teacher, LEVELS))
        return
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    rows = task.kind.rows(task.train, tokenizer, MAX_LENGTH)
    if part == "tickets":
        write_json(folder / RESULT, tickets(task, rows, teacher, seed, TICKET_STEPS, TRAINING)[0])
        return
    arm = ARMS.get(part, SOFT)
    training = replace(TRAINING, strength=STRENGTHS.get(part, TRAINING.strength))
    pruning_runs.run_arm(folder, arm, task, rows, teacher, seed, False, training)


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        **pruning_runs.config(TRAINING),
        "first": TRAINING.first,
        "strengths": list(STRENGTHS.values()),
        "levels": {rule: list(shares) for rule, shares in LEVELS.items()},
        "arms": {name: asdict(arm) for name, arm in ARMS.items()} | {"soft movement": asdict(SOFT)},
        "tickets": {"steps": TICKET_STEPS, "rounds": ROUNDS, "share": SHARE},
    }
