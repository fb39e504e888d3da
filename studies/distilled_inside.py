"""What a student learns from the inside of its teacher: embeddings, states, attention scores, relations.

All runs of a task were given the same seconds of the processor, the teacher's among them: a step that looks
inside is dearer than one that learns from answers, so it gets fewer. How many was counted out beforehand from
the seconds of a step, so that a run does the same on every machine. Rates were chosen with seed 9, which no
result is reported of.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from lib.bert.model import PreTrainedBert
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.knowledge import ATTENTION_SCORES, HIDDEN_STATES
from lib.compression.distillation.layer_maps import LayerPairs, Projected, uniform_layer_map
from lib.compression.distillation.losses import score_error, squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import (
    labels_alone,
    minilm,
    tinybert_answers,
    tinybert_layers,
    tinybert_projection,
)
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_student
from lib.compression.ledger.counting import unique_parameters
from lib.records.augmented import augmented
from lib.records.baselines import measure_word_counts
from lib.records.students import MAX_LENGTH, PRECISION, TASKS, Texts, without_labels
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.text import reader
from lib.text.tasks import Row, TaskBatches, own
from lib.training.finetuning import fresh_model

Width = Literal["narrow", "wide"]
Learned = Literal[
    "labels", "answers", "embeddings", "states", "states, no map", "scores", "layers", "relations"
]
Stage = Literal["general", "inside", "answers"]

LAYERS, HEADS = 2, 12  # as many heads as the teacher's: TinyBERT and MiniLM compare them one by one
SIZES: dict[Width, dict[str, Any]] = {
    "narrow": {"num_hidden_layers": LAYERS, "hidden_size": 192, "num_attention_heads": HEADS},
    "wide": {"num_hidden_layers": LAYERS, "hidden_size": 384, "num_attention_heads": HEADS},
}
BATCH = 32
#: of the processor, for each run; reviews are longer than headlines
SECONDS: dict[str, float] = {"reviews": 150.0, "headlines": 90.0}
#: seconds of one step, by what is learned in it
STEP_SECONDS: dict[str, dict[Width, dict[Learned, float]]] = {
    "reviews": {
        "narrow": {"labels": 0.101, "answers": 0.075, "layers": 0.235, "relations": 0.212},
    },
    "headlines": {
        "narrow": {
            "labels": 0.055, "answers": 0.054, "embeddings": 0.117, "states": 0.139, "scores": 0.143,
            "layers": 0.151, "relations": 0.135,
        },
        "wide": {"answers": 0.146, "states": 0.228, "states, no map": 0.235},
    },
}  # fmt: skip
#: seconds to ask the teacher for its answers to all texts of a task, once
ASKING_SECONDS: dict[str, float] = {"reviews": 50.0, "headlines": 12.0}
#: at the end of the warm-up: on headlines the best of 5e-4, 1.5e-3, 3e-3, and 6e-3 for states and layers
RATES: dict[Learned, float] = {
    "labels": 5e-4,
    "answers": 5e-4,
    "embeddings": 3e-3,
    "states": 3e-3,
    "states, no map": 3e-3,
    "scores": 3e-3,
    "layers": 3e-3,
    "relations": 1.5e-3,
}


@dataclass(frozen=True)
class Phase:
    """A part of a run: what is learned, of which texts, and in which share of the seconds."""

    learned: Learned
    share: float = 1.0
    texts: Texts | Literal["general"] = "unlabeled"

    @property
    def stage(self) -> Stage:
        """What the record calls it; the teacher of the general stage is the pretrained model."""
        if self.texts == "general":
            return "general"
        return "answers" if self.learned in ("labels", "answers") else "inside"


@dataclass(frozen=True)
class Student:
    """How wide a student is, and what it learns phase after phase in so many seconds."""

    seconds: float
    width: Width
    phases: tuple[Phase, ...]


# --- what is matched ------------------------------------------------------------------------------


class Lessons:
    """The matches of each kind for one student; a dense layer goes from one phase to the next."""

    def __init__(self, student: PreTrainedBert, teacher: PreTrainedBert) -> None:
        self.sizes = student.config.hidden_size, teacher.config.hidden_size
        self.depths = student.config.num_hidden_layers, teacher.config.num_hidden_layers
        self.pairs = list(enumerate(uniform_layer_map(*self.depths)))
        self.projection = tinybert_projection(*self.depths, *self.sizes)

    def matches(self, learned: Learned) -> list[Match]:
        """What is matched where this is learned."""
        if learned == "labels":
            return labels_alone()
        if learned == "answers":
            return tinybert_answers()
        if learned == "layers":
            return tinybert_layers(*self.depths, self.projection)
        if learned == "relations":
            return minilm(*self.depths)
        if learned == "scores":
            return [Match(ATTENTION_SCORES, LayerPairs(tuple(self.pairs[1:])), score_error)]
        if learned == "states, no map":
            return [Match(HIDDEN_STATES, LayerPairs(tuple(self.pairs[1:])), squared_error)]
        chosen = self.pairs[:1] if learned == "embeddings" else self.pairs[1:]
        return [Match(HIDDEN_STATES, Projected(chosen, *self.sizes), squared_error)]


# --- one arm --------------------------------------------------------------------------------------


def measure_inside(student: Student, subject: Subject) -> Measured:
    """A student that has learned what is inside of its teacher, and then its answers."""
    task, teacher = subject.task, subject.teacher.model
    device = next(teacher.parameters()).device
    pretrained = fresh_model(task, "minilm", subject.seed).eval().to(device)  # its head is never asked
    model = new_student(teacher, subject.seed, **SIZES[student.width]).to(device)
    lessons, rows = Lessons(model, teacher), dict[str, list[Row]]()
    spent: dict[Stage, float] = {"general": 0.0, "inside": 0.0, "answers": 0.0}
    for number, phase in enumerate(student.phases):
        if phase.texts not in rows:
            rows[phase.texts] = _rows(phase.texts, subject)
        spent[phase.stage] += _learn(
            model,
            pretrained if phase.stage == "general" else teacher,
            lessons.matches(phase.learned),
            phase,
            subject.batches(rows[phase.texts], BATCH),
            steps_of(subject.name, student, phase),
            number,
            subject,
        )
    costs = {
        "seconds_given": student.seconds,
        "processor_seconds": round(sum(spent.values()), 1),
        **{f"{stage}_seconds": round(seconds, 1) for stage, seconds in spent.items()},
        "steps": sum(steps_of(subject.name, student, phase) for phase in student.phases),
        "rows": max(map(len, rows.values())),
        "parameters": unique_parameters(model),
    }
    return Measured(subject.judge(model), costs, model.eval())


def _rows(kind: Texts | Literal["general"], subject: Subject) -> list[Row]:
    if kind == "general":
        texts = without_labels(general_texts())
        return subject.task.kind.rows(texts, subject.tokenizer, MAX_LENGTH)
    return subject.rows(kind)


def general_texts() -> list[str]:
    """Sentences of the course's stories and articles, and the texts of both tasks that have no label."""
    paragraphs = [paragraph for document in reader() for paragraph in document[1:]]
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph.split(". ") if sentence]
    return sentences + [text for task in TASKS for text in own.unlabeled(task)]


def _learn(
    student: PreTrainedBert,
    teacher: PreTrainedBert,
    matches: Sequence[Match],
    phase: Phase,
    batches: TaskBatches,
    steps: int,
    number: int,
    subject: Subject,
) -> float:
    """One phase; the processor's seconds. Answers are asked for once, what is inside in every step."""
    began = time.process_time()
    answers = {"logits": row_answers(teacher, batches.rows)} if phase.learned == "answers" else {}
    asking = time.process_time() - began
    objective, taught = Distillation(student, teacher, matches), TaughtBatches(batches, answers)
    rate = RATES[phase.learned]
    return asking + subject.train(objective, taught, steps, rate, precision=PRECISION, draw=number)


def steps_of(task: str, student: Student, phase: Phase) -> int:
    """How many steps a phase's share of the seconds pays for."""
    asking = ASKING_SECONDS[task] if phase.learned == "answers" else 0
    seconds = phase.share * student.seconds - asking
    return max(1, round(seconds / STEP_SECONDS[task][student.width][phase.learned]))


def measure_teacher(subject: Subject) -> Measured:
    """The teacher."""
    teacher = subject.teacher
    return Measured(dict(teacher.scores), {"parameters": unique_parameters(teacher.model)})


def measure_augmenting(subject: Subject) -> Measured:
    """What it takes to make the augmented sentences, which no student's seconds hold."""
    made = augmented(subject.name, subject.seed)
    costs = {"processor_seconds": made["processor_seconds"], "rows": len(made["texts"])}
    return Measured({}, costs)


# --- the arms -------------------------------------------------------------------------------------


def _then_answers(learned: Learned) -> tuple[Phase, ...]:
    return Phase(learned, 1 / 2), Phase("answers", 1 / 2)


NARROW: dict[str, tuple[Phase, ...]] = {
    "labels": (Phase("labels", texts="labeled"),),
    "answers": (Phase("answers"),),
    "embeddings": _then_answers("embeddings"),
    "states": _then_answers("states"),
    "scores": _then_answers("scores"),
    "TinyBERT": _then_answers("layers"),
    "TinyBERT, augmented": (Phase("layers", 1 / 2, "augmented"), Phase("answers", 1 / 2, "augmented")),
    "TinyBERT, both stages": (
        Phase("layers", 1 / 3, "general"),
        Phase("layers", 1 / 3),
        Phase("answers", 1 / 3),
    ),
    "MiniLM": (Phase("relations", 1 / 2, "general"), Phase("answers", 1 / 2)),
}
WIDE: dict[str, tuple[Phase, ...]] = {
    "wide, answers": (Phase("answers"),),
    "wide, states": _then_answers("states"),
    "wide, states, no map": _then_answers("states, no map"),
}
#: reviews cost twice as much, so they have what the ledger needs and what that is compared with
ON_REVIEWS = ("labels", "answers", "TinyBERT", "MiniLM")
STUDENTS: dict[str, dict[str, Student]] = {
    "headlines": {name: Student(SECONDS["headlines"], "narrow", phases) for name, phases in NARROW.items()}
    | {name: Student(SECONDS["headlines"], "wide", phases) for name, phases in WIDE.items()},
    "reviews": {name: Student(SECONDS["reviews"], "narrow", NARROW[name]) for name in ON_REVIEWS},
}
BESIDE: dict[str, Arm] = {
    "teacher": measure_teacher,
    "baseline": measure_word_counts,
    "augmenting": measure_augmenting,
}
ARMS: dict[str, dict[str, Arm]] = {
    task: {name: partial(measure_inside, student) for name, student in students.items()}
    for task, students in STUDENTS.items()
}
_ALL_TEXTS = ("minilm", "data/reader", "data/tasks/reviews", "data/tasks/headlines")
STUDY = Study(
    "distilled_inside",
    "Students of what is inside MiniLM, in equal seconds: embeddings, states, attention scores, relations",
    ARMS | {"headlines": BESIDE | ARMS["headlines"]},
    keep=frozenset({"labels", "TinyBERT", "MiniLM"}),
    inputs=(),
    inputs_of=dict.fromkeys(("teacher", *NARROW, *WIDE), ("minilm",))
    | dict.fromkeys(("TinyBERT, both stages", "MiniLM"), _ALL_TEXTS)
    | {"augmenting": ("pocket", "data/vectors"), "TinyBERT, augmented": ("minilm", "pocket", "data/vectors")},
    minutes=120,
)
