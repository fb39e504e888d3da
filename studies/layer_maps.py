"""Which layer of the teacher teaches which: all maps of a two-layer student, CKD's sets, ALP-KD's mixtures.

Every student has two new layers over the embeddings of its teacher, reads the same texts without labels in
the same batches for equally many steps, and learns from the teacher's answers. All that differs is what is
compared inside (`chapters.nb23.layer_lessons`). A map's fitness is its accuracy on labeled texts that no
student learns from; test rows are for the end alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch

from chapters.nb23.layer_lessons import ARMS, FAMILIES, GENES, LAYERS, looked_at, named
from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.kept_states import KeptStates
from lib.compression.distillation.knowledge import LABELS, LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import SoftenedKL, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_layers
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.results import RESULT, kept_result
from lib.records.students import (
    MAX_LENGTH,
    PRECISION,
    TASKS,
    Precision,
    judged,
    train_steps,
    without_labels,
)
from lib.records.teachers import Teacher, input_of, load_teacher, task_named
from lib.text.tasks import TaskBatches, TextExample, own
from lib.training.finetuning import evaluate
from lib.training.known_tasks import load_task, spread
from lib.training.task_kinds import Task

TaskName = Literal["reviews", "headlines", "SST-2"]

BATCH, RATE, TEMPERATURE = 16, 5e-4, 2.0
STEPS: dict[TaskName, int] = {"reviews": 60, "headlines": 100, "SST-2": 225}
HELD = 400  # labeled texts, evenly spread, that fitness is measured on
PUBLIC_ROWS = 4000  # of SST-2's training set, evenly spread, those held back among them
LABELS_ALONE = "labels"  # the same student without a teacher, on the other labeled texts
#: what tasks other than headlines have of CKD and ALP-KD
FEW = (
    LABELS_ALONE, "reverse 6,3", "another text 3,6", "CKD overlap, student widened",
    "CKD overlap, teacher fused", "ALP", "ALP, over root d", "mean of all layers",
)  # fmt: skip
MAPS = tuple(named(gene) for gene in GENES)


# --- what all students of a task share ------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """A teacher, what students read of it, and the texts that they are judged by."""

    task: Task
    teacher: Teacher
    kept: KeptStates
    labeled: TaskBatches  # for the student without a teacher
    held: Sequence[TextExample]
    asking_seconds: float
    steps: int
    seed: int
    precision: Precision | None = PRECISION  # None: the one that is fast here


def setting_of(name: TaskName, seed: int) -> Setting:
    """The teacher of this seed, asked about all that its students read."""
    task, teacher = _taught_task(name, seed)
    return asked(name, task, teacher, seed)


def asked(name: TaskName, task: Task, teacher: Teacher, seed: int) -> Setting:
    """The same of a teacher that is at hand."""
    if name == "SST-2":
        held, labeled = parted(spread(task.train, PUBLIC_ROWS), HELD)
        texts = without_labels([example.first for example in labeled])
    else:
        held, labeled = parted(task.train, HELD)
        texts = without_labels(own.unlabeled(name))
    read, with_labels = (_batches(task, examples, seed) for examples in (texts, labeled))
    began = time.process_time()
    kept = KeptStates.of(teacher.model, read, STEPS[name])
    asking = round(time.process_time() - began, 1)
    precision = None if name == "SST-2" else PRECISION
    return Setting(task, teacher, kept, with_labels, held, asking, STEPS[name], seed, precision)


def parted(examples: Sequence[TextExample], held: int) -> tuple[list[TextExample], list[TextExample]]:
    """So many examples, evenly spread, and the rest."""
    places = {number * len(examples) // held for number in range(held)}
    chosen = [example for place, example in enumerate(examples) if place in places]
    return chosen, [example for place, example in enumerate(examples) if place not in places]


def _taught_task(name: TaskName, seed: int) -> tuple[Task, Teacher]:
    if name == "SST-2":
        return task_named(name), load_teacher(name, seed)
    return load_task(name), load_teacher(name, seed)


def _batches(task: Task, examples: Sequence[TextExample], seed: int) -> TaskBatches:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    rows = task.kind.rows(examples, tokenizer, MAX_LENGTH)
    return TaskBatches(rows, tokenizer.pad_token_id, BATCH, seed, group_by_length=True)


# --- a student ------------------------------------------------------------------------------------


def student_of(setting: Setting, arm: str) -> tuple[PreTrainedBert, dict[str, Any]]:
    """One student, and what its training took and left."""
    student = new_layers(setting.teacher.model, LAYERS, setting.seed)
    torch.manual_seed(setting.seed)  # of CKD's dense layers
    lessons = [] if arm == LABELS_ALONE else ARMS[arm](student.config.hidden_size)
    if arm == LABELS_ALONE:
        objective = Distillation(student, None, [Match(LABELS, ANSWER, cross_entropy)])
    else:
        answers = Match(LOGITS, ANSWER, SoftenedKL(TEMPERATURE))
        objective = Distillation(student, None, [answers, *lessons])
    batches = setting.labeled if arm == LABELS_ALONE else setting.kept
    before = looked_at(student, setting.kept, lessons)
    seconds = train_steps(objective, batches, setting.steps, RATE, setting.seed, setting.precision)
    after = looked_at(student, setting.kept, lessons)
    spent = {"processor_seconds": round(seconds, 1), "asking_seconds": setting.asking_seconds}
    return student, spent | {name: {"before": before[name], "after": after[name]} for name in before}


def learned(setting: Setting, arm: str) -> dict[str, Any]:
    """How a student did: on the test rows, and as "fitness" on the texts held back."""
    student, spent = student_of(setting, arm)
    kind, tokenizer = setting.task.kind, WordPieceTokenizer.from_pretrained("minilm")
    return {
        **judged(student, setting.task, tokenizer, setting.teacher.predictions),
        "fitness": evaluate(student, tokenizer, kind, setting.held, MAX_LENGTH)[0][kind.metric],
        **spent,
    }


# --- runs -----------------------------------------------------------------------------------------


def runs_of(name: TaskName) -> list[tuple[str, ...]]:
    """The arms of a task, those of a family together: its run asks the teacher once for all of them."""
    wanted = {*ARMS} if name == "headlines" else {*FEW, *MAPS}
    families = [tuple(arm for arm in family if arm in wanted) for family in FAMILIES.values()]
    return [(LABELS_ALONE,), *(family for family in families if family)]


def layer_maps(seed: int) -> dict[str, Any]:
    """The arms on the course's tasks."""
    return {task: _on_task(task, seed) for task in TASKS}


def layer_maps_public(seed: int) -> dict[str, Any]:
    """All maps and a few of the others on SST-2."""
    return {"SST-2": _on_task("SST-2", seed)}


def _on_task(name: TaskName, seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {"teacher": {"scores": _taught_task(name, seed)[1].scores}}
    for arms in runs_of(name):
        found |= kept_result(run_of(name, arms, seed))
    return found


def run_of(name: TaskName, arms: Sequence[str], seed: int) -> Entry:
    """Some arms on one task, which the cache keeps."""
    data = input_of(name)
    return Entry(
        f"maps_{'public' if name == 'SST-2' else name}_{seed}",
        f"Students of MiniLM's layers on {name}: {'; '.join(arms)}",
        run_arms,
        {"task": name, "arms": list(arms), "seed": seed},
        data=("minilm", data),
    )


def run_arms(folder: Path, task: TaskName, arms: Sequence[str], seed: int) -> None:
    """Some arms on one task; what is recorded of them goes into the folder."""
    setting = setting_of(task, seed)
    write_json(folder / RESULT, {arm: learned(setting, arm) for arm in arms})


def config() -> dict[str, Any]:
    """What the record of the course's tasks depends on besides the data."""
    return public_config() | {"precision": PRECISION}


def public_config() -> dict[str, Any]:
    """The same of SST-2, whose students learn in the precision that is fast where they do."""
    return {
        "arms": [LABELS_ALONE, *ARMS],
        "few": list(FEW),
        "steps": STEPS,
        "batch_size": BATCH,
        "rate": RATE,
        "temperature": TEMPERATURE,
        "held": HELD,
        "public_rows": PUBLIC_ROWS,
    }
