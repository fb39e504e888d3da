"""What a student learns from its teacher's answers: soft or hard, on the same texts or on more of them.

A small student begins with random weights and reads the pocket BERT's pieces, since MiniLM's vocabulary would
be most of it; another is three layers cut from its teacher. Within each kind all learn for equally many
steps. Learning rates were chosen with seed 9, which no result is reported of.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.answers import TaughtBatches, row_answers, row_cls_states
from lib.compression.distillation.knowledge import HIDDEN_STATES, LABELS, LOGITS
from lib.compression.distillation.layer_maps import ANSWER, last_to_last, pkd_last, pkd_skip
from lib.compression.distillation.losses import SoftenedKL, cosine_distance, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import hinton, pkd
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student, new_student
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.counting import unique_parameters
from lib.compression.packed import save_packed
from lib.files import write_json
from lib.records.augmented import ROUNDS
from lib.records.cache import Entry
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.students import (
    MAX_LENGTH,
    PRECISION,
    TASKS,
    Texts,
    Unlabeled,
    judged,
    texts_for,
    train_steps,
)
from lib.records.teachers import Teacher, input_of, load_teacher
from lib.text.tasks import Row, TaskBatches, TextExample
from lib.training import baselines
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Task

SMALL: dict[str, Any] = {"num_hidden_layers": 2, "hidden_size": 128, "num_attention_heads": 2}
TEACHERS_PIECES, SMALL_PIECES = "minilm", "pocket"
CUT = (0, 2, 5)  # of the teacher's six layers, as DistilBERT chooses: the first, the last, one between
SMALL_STEPS, SMALL_BATCH, SMALL_RATE = 800, 32, 5e-4
CUT_STEPS, CUT_BATCH, CUT_RATE = 300, 16, 1e-4
TEMPERATURE = 2.0
#: students that the ledger measures as well
KEPT = ("labels", "answers on unlabeled", "cut, labels", "cut, answers")

#: what is asked of a teacher beforehand, by the name of the knowledge
ASKED: dict[str, Callable[[PreTrainedBert, Sequence[Row]], Tensor]] = {
    "logits": row_answers,
    "cls_states": row_cls_states,
}


def labels_alone() -> list[Match]:
    """Cross-entropy, as in fine-tuning."""
    return [Match(LABELS, ANSWER, cross_entropy)]


def answers_alone(temperature: float = TEMPERATURE) -> list[Match]:
    """The teacher's soft answers and nothing else."""
    return [Match(LOGITS, ANSWER, SoftenedKL(temperature))]


def answers_and_cosine() -> list[Match]:
    """DistilBERT's losses with its weights (Sanh et al., 2019), a task's labels in place of hidden pieces."""
    last = last_to_last(len(CUT), 6)
    return [
        Match(LOGITS, ANSWER, SoftenedKL(TEMPERATURE), 5 / 8),
        Match(LABELS, ANSWER, cross_entropy, 2 / 8),
        Match(HIDDEN_STATES, last, cosine_distance, 1 / 8),
    ]


@dataclass(frozen=True, kw_only=True)
class Arm:
    """What a student learns, and from which texts."""

    matches: Callable[[], list[Match]]
    texts: Texts = "labeled"
    taught: tuple[str, ...] = ("logits",)  # names in ASKED
    guessed: bool = False  # the labels are the teacher's first guesses
    is_cut: bool = False
    rate: float = SMALL_RATE
    steps: int = SMALL_STEPS

    @property
    def batch_size(self) -> int:
        return CUT_BATCH if self.is_cut else SMALL_BATCH

    @property
    def pieces(self) -> str:
        """Whose pieces the student reads."""
        return TEACHERS_PIECES if self.is_cut else SMALL_PIECES


_cut = partial(Arm, is_cut=True, rate=CUT_RATE, steps=CUT_STEPS)
ARMS: dict[str, Arm] = {
    "labels": Arm(matches=labels_alone, taught=()),
    "answers": Arm(matches=answers_alone),
    "answers and labels": Arm(matches=partial(hinton, TEMPERATURE, 0.5)),
    "hard answers on unlabeled": Arm(matches=labels_alone, texts="unlabeled", taught=(), guessed=True),
    "answers on unlabeled": Arm(matches=answers_alone, texts="unlabeled"),
    "answers on augmented": Arm(matches=answers_alone, texts="augmented"),
    "temperature 1": Arm(matches=partial(answers_alone, 1.0), texts="unlabeled"),
    "temperature 4": Arm(matches=partial(answers_alone, 4.0), texts="unlabeled"),
    "temperature 8": Arm(matches=partial(answers_alone, 8.0), texts="unlabeled"),
    "cut, labels": _cut(matches=labels_alone, taught=()),
    "cut, answers": _cut(matches=partial(hinton, TEMPERATURE, 0.5)),
    "cut, answers and cosine": _cut(matches=answers_and_cosine),
    "cut, PKD skip": _cut(matches=partial(pkd, 3, 6, pkd_skip(3, 6)), taught=("logits", "cls_states")),
    "cut, PKD last": _cut(matches=partial(pkd, 3, 6, pkd_last(3, 6)), taught=("logits", "cls_states")),
    "cut, answers on unlabeled": _cut(matches=answers_alone, texts="unlabeled"),
}


#: what softness brings with nine classes, and which loss to take: asked of the shorter texts alone
HEADLINES_ALONE = (
    "temperature 1", "temperature 4", "cut, answers and cosine", "cut, PKD skip", "cut, PKD last",
    "cut, answers on unlabeled",
)  # fmt: skip


def arms_of(task: Unlabeled) -> list[str]:
    """The arms that are trained on a task."""
    return [name for name in ARMS if task == "headlines" or name not in HEADLINES_ALONE]


def answers_on_tasks(seed: int) -> dict[str, Any]:
    """The arms of both tasks, with what stands beside them."""
    return {task: _on_task(task, seed) for task in TASKS}


def _on_task(task: Unlabeled, seed: int) -> dict[str, Any]:
    beside = Entry(
        f"beside_{task}_{seed}",
        f"What stands beside students on the course's {task}",
        run_beside,
        {"task": task, "seed": seed},
        data=("minilm", input_of(task)),
    )
    return kept_result(beside) | {name: kept_result(run_of(task, name, seed)) for name in arms_of(task)}


def run_of(task: Unlabeled, arm: str, seed: int) -> Entry:
    """One arm on one task, which the cache keeps, with the student itself where the ledger asks for it."""
    return Entry(
        f"student_{task}_{seed}",
        f"A student of MiniLM on the course's {task}: {arm}",
        run_arm,
        {"task": task, "arm": arm, "seed": seed},
        data=("minilm", "pocket", input_of(task), "data/vectors"),
    )


def run_arm(folder: Path, task: Unlabeled, arm: str, seed: int) -> None:
    """One arm on one task; what is recorded of it goes into the folder."""
    found, student = trained(task, ARMS[arm], seed)
    write_json(folder / RESULT, found)
    if arm in KEPT:
        save_packed(student, folder / PACKED)


def trained(task_name: Unlabeled, arm: Arm, seed: int) -> tuple[dict[str, Any], PreTrainedBert]:
    """What is recorded of a student, and the student."""
    texts = texts_for(arm.texts, task_name, seed)
    return learned_from(load_teacher(task_name, seed), load_task(task_name), texts, arm, seed)


def learned_from(
    teacher: Teacher, task: Task, texts: Sequence[TextExample], arm: Arm, seed: int
) -> tuple[dict[str, Any], PreTrainedBert]:
    """The same of any task: its student learns from a teacher's answers to these texts."""
    theirs, own = (WordPieceTokenizer.from_pretrained(name) for name in (TEACHERS_PIECES, arm.pieces))
    if arm.is_cut:
        student = cut_student(teacher.model, CUT)
    else:
        student = new_student(teacher.model, seed, vocab_size=len(own.vocab), **SMALL)
    rows = task.kind.rows(texts, own, MAX_LENGTH)
    began = time.process_time()
    asked, guesses = answers_to(teacher.model, task.kind.rows(texts, theirs, MAX_LENGTH), arm)
    asking = time.process_time() - began
    if arm.guessed:
        rows = [{**row, "labels": guess} for row, guess in zip(rows, guesses, strict=True)]
    ordered = TaskBatches(rows, own.pad_token_id, arm.batch_size, seed, group_by_length=True)
    objective = Distillation(student, teacher.model, arm.matches())
    seconds = train_steps(objective, TaughtBatches(ordered, asked), arm.steps, arm.rate, seed, PRECISION)
    return {
        **judged(student, task, own, teacher.predictions),
        "processor_seconds": round(asking + seconds, 1),
        "rows": len(rows),
        "steps": arm.steps,
        "parameters": unique_parameters(student),
    }, student


def answers_to(teacher: PreTrainedBert, rows: Sequence[Row], arm: Arm) -> tuple[dict[str, Tensor], list[int]]:
    """What an arm asks of the teacher beforehand, in the teacher's own pieces, and its first guesses."""
    asked = {name: ASKED[name](teacher, rows) for name in arm.taught}
    guesses: list[int] = row_answers(teacher, rows).argmax(dim=-1).tolist() if arm.guessed else []
    return asked, guesses


def run_beside(folder: Path, task: Unlabeled, seed: int) -> None:
    """What no student's training gives; it goes into the folder."""
    write_json(folder / RESULT, beside_students(task, seed))


def beside_students(task_name: Unlabeled, seed: int) -> dict[str, Any]:
    """The teacher and how soft its answers are, the cut student before it learns, and counts of words."""
    task, tokenizer = load_task(task_name), WordPieceTokenizer.from_pretrained("minilm")
    teacher = load_teacher(task_name, seed)
    texts = texts_for("unlabeled", task_name, seed)
    labeled, examples = len(task.train), {"unlabeled": texts, "test": task.test}
    logits = {
        name: row_answers(teacher.model, task.kind.rows(some, tokenizer, MAX_LENGTH))
        for name, some in examples.items()
    }
    guesses = [int(guess) for guess in logits["unlabeled"].argmax(dim=-1)]
    counted = baselines.classify_texts(task.train, task.test)
    counted_more = baselines.classify_texts(
        [text._replace(label=guess) for text, guess in zip(texts, guesses, strict=True)], task.test
    )
    student = cut_student(teacher.model, CUT)
    return {
        "teacher": {
            "scores": teacher.scores,
            "parameters": unique_parameters(teacher.model),
            "processor_seconds": teacher.processor_seconds,
            "entropy": {
                "labeled": entropy(logits["unlabeled"][:labeled]),
                "unlabeled": entropy(logits["unlabeled"][labeled:]),
                "test": entropy(logits["test"]),
            },
        },
        "cut": {
            **judged(student, task, tokenizer, teacher.predictions),
            "parameters": unique_parameters(student),
        },
        "baseline": {"scores": task.kind.score(counted, task.test)},
        "baseline on unlabeled": {
            "scores": task.kind.score(counted_more, task.test),
            "agreement": agreement(counted_more, teacher.predictions),
        },
    }


def entropy(logits: Tensor) -> float:
    """How soft answers are: the mean entropy, in nats, of the distributions that logits [N, C] stand for."""
    return float(torch.distributions.Categorical(logits=logits).entropy().mean())


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "student": {**SMALL, "pieces": SMALL_PIECES},
        "cut": list(CUT),
        "batch_size": {"small": SMALL_BATCH, "cut": CUT_BATCH},
        "steps": {name: arm.steps for name, arm in ARMS.items()},
        "rates": {name: arm.rate for name, arm in ARMS.items()},
        "temperature": TEMPERATURE,
        "precision": PRECISION,
        "rounds": ROUNDS,
    }
