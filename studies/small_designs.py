"""Small from birth: 150 designs inside one network, what a search finds among them, and ghosts.

The network is the teacher, its heads and neurons sorted by importance; in each step it runs as one design,
drawn at random. Every design is then judged on each half of the test rows, so that the best on one half can
be looked at on the other. The best of those with at most LIMIT of the whole's multiplications is trained on,
beside the middle and the last of them, and beside the same design cut from the teacher. Ghosts are tried at
two widths.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from chapters.nb32.space import KEEP, space_of
from lib.bert.added import added_parameters
from lib.bert.model import PreTrainedBert
from lib.compression.designs.ghosts import add_ghosts
from lib.compression.designs.super_network import (
    OneDesignAStep,
    at_design,
    design_of,
    extracted_design,
    last_lesson,
)
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.ledger.counting import unique_parameters
from lib.records.rewired import rewired
from lib.records.students import MAX_LENGTH
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.text.tasks import TaskBatches
from lib.training.optim import adamw

BATCH, RATE = 16, 2e-4
MOST_ROWS = 4000  # of SST-2
LIMIT, LENGTH = 0.35, 32  # the share of the whole's multiplications, for texts of so many tokens
QUICK = 50.0  # how much faster than matrices kernels learn, which are few and begin at 0


def lesson(teacher_layers: int, layers: int) -> list[Match]:
    """What a design of so many layers learns."""
    return last_lesson(layers, teacher_layers)


# --- the network of all designs -------------------------------------------------------------------


def measure_designs(steps: int, further: int, subject: Subject) -> dict[str, Measured]:
    """One network at 150 designs, and three of them trained on by themselves.

    steps: of the network. further: of a design alone; the one cut from the teacher takes both.
    """
    teacher = subject.teacher.model
    whole, designs = design_of(teacher), space_of(teacher).designs()
    cut = rewired(subject)
    student = copy.deepcopy(cut)
    objective = OneDesignAStep(student, teacher, designs, partial(lesson, whole.layers), KEEP)
    costs = {"steps": steps, "processor_seconds": _train(objective, steps, subject)}
    objective.eval()
    began = time.process_time()
    by_half, batches = [], _test_batches(subject)
    for design in designs:
        with at_design(student, design, KEEP):
            by_half.append(_halves(student, batches))
    costs["judging_seconds"] = round(time.process_time() - began, 1)
    measured = {"designs": Measured(subject.judge(student) | _columns(by_half), costs, student)}
    most = LIMIT * whole.multiply_adds(LENGTH)
    fits = [place for place, design in enumerate(designs) if design.multiply_adds(LENGTH) <= most]
    ranked = sorted(fits, key=lambda place: by_half[place]["first_half"], reverse=True)
    for name, place in {"best": ranked[0], "middle": ranked[len(ranked) // 2], "last": ranked[-1]}.items():
        model = extracted_design(student, designs[place], KEEP)
        measured[f"{name}, inherited"] = _judged(model, {"design": place}, subject)
        measured[f"{name}, trained on"] = _taught(model, further, {"design": place}, subject)
    model = extracted_design(cut, designs[ranked[0]], KEEP)
    measured["best, cut from the teacher"] = _taught(model, steps + further, {"design": ranked[0]}, subject)
    return measured


def _test_batches(subject: Subject) -> TaskBatches:
    """All test rows, encoded once for the many models that are judged on them."""
    rows = subject.task.kind.rows(subject.task.test, subject.tokenizer, MAX_LENGTH)
    return TaskBatches(rows, batch_size=64, seed=None, group_by_length=True)


@torch.no_grad()
def _halves(model: PreTrainedBert, batches: TaskBatches) -> dict[str, float]:
    """The accuracy on every second test row from the first on, and on the others."""
    device = next(model.parameters()).device
    right = torch.zeros(len(batches.rows), dtype=torch.bool)
    for number in range(batches.size):
        batch = batches(number)
        labels = batch.pop("labels")
        logits: Tensor = model(**{name: one.to(device) for name, one in batch.items()}).logits
        right[batches.places(number)] = logits.argmax(dim=-1).cpu() == labels
    first, second = (right[half::2].float().mean().item() for half in (0, 1))
    return {"first_half": round(first, 4), "second_half": round(second, 4)}


def _columns(rows: Sequence[dict[str, float]]) -> dict[str, list[float]]:
    """A list for each half, in the order of the designs."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def _judged(model: PreTrainedBert, costs: dict[str, Any], subject: Subject) -> Measured:
    parameters = {"parameters": unique_parameters(model)}
    model.eval()
    return Measured(subject.judge(model) | _halves(model, _test_batches(subject)), costs | parameters, model)


def _taught(model: PreTrainedBert, steps: int, costs: dict[str, Any], subject: Subject) -> Measured:
    """A model alone, which the teacher teaches as it taught all designs. `costs` is what else is noted."""
    layers = design_of(model).layers
    teacher = subject.teacher.model
    objective = Distillation(model, teacher, last_lesson(layers, design_of(teacher).layers))
    costs = costs | {"steps": steps, "processor_seconds": _train(objective, steps, subject)}
    return _judged(model, costs, subject)


def _train(objective: Distillation, steps: int, subject: Subject) -> float:
    """Kernels of ghosts, where there are some, learn faster."""
    kernels = {id(kernel) for kernel in added_parameters(objective.student).values()}
    optimizer = adamw(objective, rate_of=lambda _, one: QUICK if id(one) in kernels else 1.0)
    rows = subject.rows("unlabeled", MOST_ROWS)
    return subject.train(objective, rows, steps, RATE, batch_size=BATCH, optimizer=optimizer)


# --- ghosts ---------------------------------------------------------------------------------------


def measure_ghosts(heads: int, normalized: bool | None, steps: int, subject: Subject) -> Measured:
    """So many of twelve heads and twelfths of the neurons in all layers, with ghosts or (None) without."""
    whole = design_of(subject.teacher.model)
    narrow = replace(whole, heads=heads, neurons=whole.neurons * heads // whole.heads)
    model = extracted_design(rewired(subject), narrow)
    if normalized is not None:
        for number in range(whole.layers):
            add_ghosts(model, f"bert.encoder.layer.{number}", normalized=normalized)
    return _taught(model, steps, {}, subject)


# --- the arms -------------------------------------------------------------------------------------

QUARTER, TWELFTH = 3, 1  # heads


def with_and_without(steps: int) -> dict[str, Arm]:
    """Two widths without ghosts, with softmax kernels, and with kernels as they are."""
    return {
        f"{width}, {name}": partial(measure_ghosts, heads, normalized, steps)
        for width, heads in {"a quarter": QUARTER, "a twelfth": TWELFTH}.items()
        for name, normalized in {"no ghosts": None, "softmax ghosts": True, "raw ghosts": False}.items()
    }


STUDY = Study(
    "small_designs",
    "Designs inside one network, and ghosts",
    {
        task: {
            "teacher": measure_teacher,
            "search": partial(measure_designs, 600, 300),
            **with_and_without(300),
        }
        for task in ("headlines", "SST-2")
    },
    keep=frozenset({"best, trained on", "a quarter, no ghosts", "a quarter, softmax ghosts"}),
    minutes=150,
)
