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
from pathlib import Path
from typing import Any, Literal

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.knowledge import ATTENTION_SCORES, HIDDEN_STATES, LABELS
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs, Projected, uniform_layer_map
from lib.compression.distillation.losses import cross_entropy, score_error, squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import (
    minilm,
    tinybert_answers,
    tinybert_layers,
    tinybert_projection,
)
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_student
from lib.compression.ledger.counting import unique_parameters
from lib.compression.packed import save_packed
from lib.files import write_json
from lib.records.augmented import ROUNDS, augmented
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
    without_labels,
)
from lib.records.teachers import input_of, load_teacher
from lib.text import reader
from lib.text.tasks import Row, TaskBatches, own
from lib.training import baselines
from lib.training.finetuning import fresh_model
from lib.training.known_tasks import load_task

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
SECONDS: dict[Unlabeled, float] = {"reviews": 150.0, "headlines": 90.0}
#: seconds of one step, by what is learned in it
STEP_SECONDS: dict[Unlabeled, dict[Width, dict[Learned, float]]] = {
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
ASKING_SECONDS: dict[Unlabeled, float] = {"reviews": 50.0, "headlines": 12.0}
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
#: students that the ledger measures as well
KEPT = ("labels", "TinyBERT", "MiniLM")
#: reviews cost twice as much, so they have what the ledger needs and what that is compared with
ON_REVIEWS = (*KEPT, "answers")
EQUAL = (
    "Every run of an arm was given the same processor seconds, the teacher's within them; steps were counted "
    "out beforehand from the seconds of a step"
)


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
class Arm:
    """One student: phase after phase."""

    phases: tuple[Phase, ...]
    width: Width = "narrow"


def _then_answers(learned: Learned, width: Width = "narrow") -> Arm:
    return Arm((Phase(learned, 1 / 2), Phase("answers", 1 / 2)), width)


ARMS: dict[str, Arm] = {
    "labels": Arm((Phase("labels", texts="labeled"),)),
    "answers": Arm((Phase("answers"),)),
    "embeddings": _then_answers("embeddings"),
    "states": _then_answers("states"),
    "scores": _then_answers("scores"),
    "TinyBERT": _then_answers("layers"),
    "TinyBERT, augmented": Arm((Phase("layers", 1 / 2, "augmented"), Phase("answers", 1 / 2, "augmented"))),
    "TinyBERT, both stages": Arm(
        (Phase("layers", 1 / 3, "general"), Phase("layers", 1 / 3), Phase("answers", 1 / 3))
    ),
    "MiniLM": Arm((Phase("relations", 1 / 2, "general"), Phase("answers", 1 / 2))),
    "wide, answers": Arm((Phase("answers"),), "wide"),
    "wide, states": _then_answers("states", "wide"),
    "wide, states, no map": _then_answers("states, no map", "wide"),
}


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
            return [Match(LABELS, ANSWER, cross_entropy)]
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


# --- runs -----------------------------------------------------------------------------------------


def arms_of(task: Unlabeled) -> list[str]:
    """The arms that are trained on a task."""
    return [name for name in ARMS if task == "headlines" or name in ON_REVIEWS]


def distilled_inside(seed: int) -> dict[str, Any]:
    """The arms of both tasks, and what stands beside them."""
    return {task: _on_task(task, seed) for task in TASKS}


def _on_task(task_name: Unlabeled, seed: int) -> dict[str, Any]:
    task, teacher, made = load_task(task_name), load_teacher(task_name, seed), augmented(task_name, seed)
    counted = baselines.classify_texts(task.train, task.test)
    return {
        "teacher": {"scores": teacher.scores, "parameters": unique_parameters(teacher.model)},
        "baseline": {"scores": task.kind.score(counted, task.test)},
        "augmenting": {
            "processor_seconds": made["processor_seconds"],
            "rows": len(made["texts"]),
        },
        **{name: kept_result(run_of(task_name, name, seed)) for name in arms_of(task_name)},
    }


def run_of(task: Unlabeled, arm: str, seed: int) -> Entry:
    """One arm on one task, which the cache keeps, with the student itself where the ledger asks for it."""
    return Entry(
        f"inside_{task}_{seed}",
        f"A student of what is inside MiniLM, on the course's {task}: {arm}",
        run_arm,
        {"task": task, "arm": arm, "seed": seed},
        data=("minilm", "pocket", *(input_of(one) for one in TASKS), "data/reader", "data/vectors"),
    )


def run_arm(folder: Path, task: Unlabeled, arm: str, seed: int) -> None:
    """One arm on one task; what is recorded of it goes into the folder."""
    found, student = trained(task, ARMS[arm], seed)
    write_json(folder / RESULT, found)
    if arm in KEPT:
        save_packed(student, folder / PACKED)


def trained(task_name: Unlabeled, arm: Arm, seed: int) -> tuple[dict[str, Any], PreTrainedBert]:
    """What is recorded of a student, and the student."""
    task, tokenizer = load_task(task_name), WordPieceTokenizer.from_pretrained("minilm")
    teacher = load_teacher(task_name, seed)
    pretrained = fresh_model(task, "minilm", seed).eval()  # its head is never asked
    student = new_student(teacher.model, seed, **SIZES[arm.width])
    lessons, rows = Lessons(student, teacher.model), dict[str, list[Row]]()
    seconds: dict[Stage, float] = {"general": 0.0, "inside": 0.0, "answers": 0.0}
    for number, phase in enumerate(arm.phases):
        if phase.texts not in rows:
            rows[phase.texts] = _rows(phase.texts, task_name, tokenizer, seed)
        seconds[phase.stage] += _learn(
            student,
            pretrained if phase.stage == "general" else teacher.model,
            lessons.matches(phase.learned),
            phase,
            TaskBatches(rows[phase.texts], tokenizer.pad_token_id, BATCH, seed, group_by_length=True),
            steps_of(task_name, arm, phase),
            seed + 1000 * number,  # another draw of dropout
        )
    return {
        **judged(student, task, tokenizer, teacher.predictions),
        "processor_seconds": round(sum(seconds.values()), 1),
        "seconds_of": {stage: round(spent, 1) for stage, spent in seconds.items()},
        "steps": sum(steps_of(task_name, arm, phase) for phase in arm.phases),
        "rows": max(map(len, rows.values())),
        "parameters": unique_parameters(student),
    }, student


def _rows(
    kind: Texts | Literal["general"], task: Unlabeled, tokenizer: WordPieceTokenizer, seed: int
) -> list[Row]:
    if kind == "general":
        examples = without_labels(general_texts())
    else:
        examples = texts_for(kind, task, seed)
    return load_task(task).kind.rows(examples, tokenizer, MAX_LENGTH)


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
    seed: int,
) -> float:
    """One phase; the processor's seconds. Answers are asked for once, what is inside in every step."""
    began = time.process_time()
    asked = {"logits": row_answers(teacher, batches.rows)} if phase.learned == "answers" else {}
    asking = time.process_time() - began
    taught, objective = TaughtBatches(batches, asked), Distillation(student, teacher, matches)
    return asking + train_steps(objective, taught, steps, RATES[phase.learned], seed, PRECISION)


def steps_of(task: Unlabeled, arm: Arm, phase: Phase) -> int:
    """How many steps a phase's share of the seconds pays for."""
    seconds = phase.share * SECONDS[task] - (ASKING_SECONDS[task] if phase.learned == "answers" else 0)
    return max(1, round(seconds / STEP_SECONDS[task][arm.width][phase.learned]))


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "equal": EQUAL,
        "seconds": SECONDS,
        "students": SIZES,
        "batch_size": BATCH,
        "precision": PRECISION,
        "rates": RATES,
        "rounds": ROUNDS,
        "steps": {
            task: {
                name: {phase.stage: steps_of(task, ARMS[name], phase) for phase in ARMS[name].phases}
                for name in arms_of(task)
            }
            for task in TASKS
        },
    }
