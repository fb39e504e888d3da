"""Two-layer students of one teacher: each learns its answers, and a lesson about its inside beside them.

All have two new layers over the embeddings of their teacher and read the same texts without labels in the
same batches for equally many steps: only the lesson differs. Their fitness is their accuracy on labeled texts
that no student learns from; test rows are for the end alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from chapters.nb23.kept_states import KeptStates
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.combined_layers import LayerMixtures, all_layers
from lib.compression.distillation.fused_layers import FusedTeacher, WidenedStudent, normalized_sum
from lib.compression.distillation.knowledge import HIDDEN, LABELS, LOGITS, observe
from lib.compression.distillation.layer_maps import ANSWER, Read
from lib.compression.distillation.layer_search import Gene, elm
from lib.compression.distillation.losses import SoftenedKL, cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import new_layers
from lib.records.students import MAX_LENGTH, PRECISION, without_labels
from lib.records.study import Measured
from lib.records.subject import Subject
from lib.records.teachers import PUBLIC_SETS
from lib.text.tasks import Row, TextExample, own
from lib.training.devices import Precision
from lib.training.finetuning import evaluate
from lib.training.known_tasks import evenly
from lib.training.loop import Batches

LAYERS, TEACHERS_LAYERS = 2, 6
EVERY = all_layers(LAYERS, TEACHERS_LAYERS)
LOOKED_AT = 10  # batches in which weights and spreads are measured

#: what is compared inside, by how wide both models are
Lesson = Callable[[int], list[Match]]
#: one batch: the student's side, the teacher's, and which tokens are no padding
Run = tuple[Read, Read, Tensor]


@dataclass(frozen=True, kw_only=True)
class Teaching:
    """How students learn.

    held: labeled texts, evenly spread, that fitness is measured on. most: so many labeled texts, those held
    back among them. precision: None for the one that is fast here.
    """

    steps: int
    batch_size: int = 16
    rate: float = 5e-4
    temperature: float = 2.0
    held: int = 400
    most: int | None = None
    precision: Precision | None = PRECISION


def mapped(gene: Gene, _size: int) -> list[Match]:
    """The gene's layers of the teacher for those of the student, as in ELM."""
    return elm(gene, normalized_sum)


# --- students -------------------------------------------------------------------------------------


def teach(lessons: Mapping[str, Lesson], teaching: Teaching, subject: Subject) -> dict[str, Measured]:
    """A student for each lesson, all of one teacher, who is asked only once."""
    held, labeled = _held_and_labeled(teaching, subject)
    batches = subject.batches(_rows(_unlabeled(labeled, subject), subject), teaching.batch_size)
    began = time.process_time()
    states = KeptStates.of(subject.teacher.model, batches, teaching.steps)
    asking = {"asking_seconds": round(time.process_time() - began, 1)}
    measured = {}
    for name, lesson in lessons.items():
        student = new_layers(subject.teacher.model, LAYERS, subject.seed)
        torch.manual_seed(subject.seed)  # of CKD's dense layers
        inside = lesson(student.config.hidden_size)
        answers = Match(LOGITS, ANSWER, SoftenedKL(teaching.temperature))
        before = looked_at(student, states, inside)
        seconds = _fit(Distillation(student, None, [answers, *inside]), states, teaching, subject)
        looks = {"before": before, "after": looked_at(student, states, inside)}
        scores = _scores(student, held, subject) | {
            f"{what} {when}": one for when, seen in looks.items() for what, one in seen.items()
        }
        measured[name] = Measured(scores, {"processor_seconds": seconds} | asking, student)
    return measured


def teach_labels(teaching: Teaching, subject: Subject) -> Measured:
    """The same student without a teacher: it learns the labels of the texts that are not held back."""
    held, labeled = _held_and_labeled(teaching, subject)
    student = new_layers(subject.teacher.model, LAYERS, subject.seed)
    objective = Distillation(student, None, [Match(LABELS, ANSWER, cross_entropy)])
    batches = subject.batches(_rows(labeled, subject), teaching.batch_size)
    seconds = _fit(objective, batches, teaching, subject)
    return Measured(_scores(student, held, subject), {"processor_seconds": seconds}, student)


def parted(examples: Sequence[TextExample], held: int) -> tuple[list[TextExample], list[TextExample]]:
    """So many examples, evenly spread, and the rest."""
    places = {number * len(examples) // held for number in range(held)}
    chosen = [example for place, example in enumerate(examples) if place in places]
    return chosen, [example for place, example in enumerate(examples) if place not in places]


def _held_and_labeled(teaching: Teaching, subject: Subject) -> tuple[list[TextExample], list[TextExample]]:
    """What fitness is measured on, and the other labeled texts."""
    return parted(evenly(subject.task.train, teaching.most), teaching.held)


def _unlabeled(labeled: Sequence[TextExample], subject: Subject) -> list[TextExample]:
    """What students of a teacher read: of a public set, which has no further texts, the labeled ones."""
    if subject.name in PUBLIC_SETS:
        return without_labels([example.first for example in labeled])
    return without_labels(own.unlabeled(subject.name))


def _rows(examples: Sequence[TextExample], subject: Subject) -> list[Row]:
    return subject.task.kind.rows(examples, subject.tokenizer, MAX_LENGTH)


def _fit(objective: Distillation, batches: Batches, teaching: Teaching, subject: Subject) -> float:
    return subject.train(objective, batches, teaching.steps, teaching.rate, precision=teaching.precision)


def _scores(student: PreTrainedBert, held: Sequence[TextExample], subject: Subject) -> dict[str, Any]:
    """On the test rows, and as "fitness" on the texts held back."""
    kind = subject.task.kind
    fitness = evaluate(student, subject.tokenizer, kind, held, MAX_LENGTH)[0][kind.metric]
    return subject.judge(student) | {"fitness": fitness}


# --- what it looks like inside --------------------------------------------------------------------


@torch.no_grad()
def looked_at(student: nn.Module, states: KeptStates, lessons: Sequence[Match]) -> dict[str, Any]:
    """What lessons on fused or mixed layers look like, over the first batches.

    "weights": of ALP-KD, the mean over texts for each of the student's layers. "spread": of CKD, how far its
    targets are from being one and the same, from 0 to 1, for each of the student's layers.
    """
    looks: dict[str, Any] = {}
    for match in lessons:
        runs: list[Run] = []
        for number in range(min(LOOKED_AT, states.size)):
            batch = states(number)
            seen, taught = observe(student.eval(), batch, {HIDDEN}), batch[match.knowledge.given]
            runs.append((match.knowledge.of_run(seen), match.knowledge.of_batch(taught), seen.real))
        if isinstance(match.map, LayerMixtures):
            looks["weights"] = [weights.mean(0).tolist() for weights in weights_in(match.map, runs)]
        elif isinstance(match.map, WidenedStudent | FusedTeacher):
            looks["spread"] = [spread_of(targets) for targets in _targets(match.map, runs)]
    return looks


def weights_in(mixtures: LayerMixtures, runs: Sequence[Run]) -> list[Tensor]:
    """For each of the student's layers its weights of the teacher's, [texts, N]."""
    return [
        torch.cat(
            [
                mixtures.combine(student(number), torch.stack([teacher(n) for n in layers], dim=-2))[0]
                for student, teacher, _ in runs
            ]
        )
        for number, layers in enumerate(mixtures.sets, start=1)
    ]


def _targets(fusion: WidenedStudent | FusedTeacher, runs: Sequence[Run]) -> list[Tensor]:
    """For each of the student's layers its targets, [tokens, X]."""
    pairs = [[target[real] for _, target in fusion(student, teacher)] for student, teacher, real in runs]
    return [torch.cat(layer) for layer in zip(*pairs, strict=True)]


def spread_of(vectors: Tensor) -> float:
    """How far vectors [N, X] are from pointing all the same way: 0 where they do, and at most 1.

    1 less the squared length of the mean of what they are when brought to length 1.
    """
    units = nn.functional.normalize(vectors, dim=-1)
    return float(1 - units.mean(dim=0).square().sum())
