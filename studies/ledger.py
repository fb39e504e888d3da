"""The ledger: every model with its file, what it costs, and what it answers out of that file.

Reviews and SST-2 have all methods. Passages and SQuAD, questions on a paragraph, have what needs no training,
on the one question model that there is. What a model costs depends on no seed, so it is measured of seed 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.methods import answers_alone, labels_alone
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.costs import measure_costs, multiply_adds
from lib.compression.ledger.counting import unique_parameters
from lib.compression.ledger.memory import peak_memory
from lib.compression.ledger.onnx import OnnxModel, export_onnx, quantize_onnx
from lib.compression.ledger.timing import milliseconds
from lib.compression.ledger.word_counts import WordCounts, measure_word_counts
from lib.compression.packed import load_packed, save_packed
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.records.cache import cached
from lib.records.inputs import POCKET_VOCABULARY
from lib.records.question_model import question_model
from lib.records.results import PACKED, result_in
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.records.taught import CUT_RATE, Student, measure_student
from lib.training.known_tasks import spread
from lib.training.task_kinds import Task
from studies import bits, distilled_answers, distilled_inside

WHOLE, INT8 = "model.onnx", "model-int8.onnx"
LENGTHS = {"reviews": 128, "SST-2": 128, "passages": 256, "SQuAD 1.1": 256}
QUESTIONS = 300  # of SQuAD's dev set, evenly spread
SMALL_STEPS, CUT_STEPS = 2100, 1050  # of students on SST-2, of 32 and of 16 rows

#: a subject's model, and the processor's seconds that its own training took, None if nobody timed it
Source = Callable[[Subject], tuple[PreTrainedBert, float | None]]
Rounding = Callable[[PreTrainedBert], None]


def as_it_is(_model: PreTrainedBert) -> None:
    """No rounding."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A row of the ledger: whose model, how it is rounded, and whose pieces it reads."""

    family: str
    source: Source
    rounding: Rounding = as_it_is
    pieces: str = "minilm"


# --- whose model ----------------------------------------------------------------------------------


def teacher(subject: Subject) -> tuple[PreTrainedBert, float]:
    """MiniLM fine-tuned on the task."""
    return subject.teacher.model, subject.teacher.processor_seconds


def questions(_subject: Subject) -> tuple[PreTrainedBert, None]:
    """The question model that comes with the course."""
    return question_model(), None


def without_training(source: Source, subject: Subject) -> tuple[PreTrainedBert, float]:
    """The same model, to be altered without any training."""
    return source(subject)[0], 0.0


def taught(student: Student, subject: Subject) -> tuple[PreTrainedBert, float]:
    """A student, trained now."""
    measured = measure_student(student, subject)
    assert measured.model is not None
    return measured.model, measured.costs["processor_seconds"]


def kept(study: str, arm: str, how: str, subject: Subject) -> tuple[PreTrainedBert, float]:
    """What an arm of another study has left in the cache; `how` it is made there."""
    of: Study = import_module(f"studies.{study}").STUDY
    folder = cached(of.entry(subject.name, arm, subject.seed)).folder
    return load_packed(folder / PACKED), result_in(folder)[arm]["costs"]["processor_seconds"]


# --- what it answers and costs --------------------------------------------------------------------


def measure_packed(method: Method, subject: Subject) -> Measured:
    """A model written into its file, and what that answers and costs."""
    model, seconds = method.source(subject)
    method.rounding(model)
    with TemporaryDirectory() as folder:
        costs = measure_costs(model, folder) if subject.seed == 0 else {}
        if not costs:
            save_packed(model, Path(folder, PACKED))
        answers = answers_of(load_packed(Path(folder, PACKED)), method.pieces, subject)
    return _measured(answers, method.family, seconds, costs, subject)


def measure_onnx(source: Source, subject: Subject) -> Measured:
    """The model in eight bits as onnxruntime has it, with its own bytes, its one route and its memory."""
    model = source(subject)[0]
    with TemporaryDirectory() as folder:
        export_onnx(model, Path(folder, WHOLE))
        quantize_onnx(Path(folder, WHOLE), Path(folder, INT8))
        answers = answers_of(OnnxModel(Path(folder, INT8)), "minilm", subject)
        costs = costs_of_onnx(model, Path(folder, INT8)) if subject.seed == 0 else {}
    return _measured(answers, "quantization", 0.0, costs, subject)


def costs_of_onnx(model: PreTrainedBert, path: Path) -> dict[str, Any]:
    """What a file for onnxruntime costs, of which `model` is the original."""
    vocab_size = model.config.vocab_size
    return {
        "parameters": unique_parameters(model),
        "file_bytes": path.stat().st_size,
        "multiply_adds": multiply_adds(model),
        "milliseconds": milliseconds({"onnxruntime int8": OnnxModel(path)}, vocab_size),
        "peak_memory": peak_memory(partial(OnnxModel, path), vocab_size),
    }


def measure_words(subject: Subject) -> Measured:
    """TF-IDF, whose answers depend on no seed; how often it agrees with the teacher does."""
    task, began = subject.task, time.process_time()
    counts = WordCounts.fit([one.first for one in task.train], [one.label for one in task.train])
    seconds = round(time.process_time() - began, 1)
    with TemporaryDirectory() as folder:
        costs = measure_word_counts(counts, folder)
        answers = WordCounts.load(Path(folder, PACKED)).predict([one.first for one in task.test])
    return _measured(answers, "baseline", seconds, costs if subject.seed == 0 else {}, subject)


def answers_of(model: Any, pieces: str, subject: Subject) -> list[Any]:
    """What a model says to the test rows."""
    task = examined(subject)
    return task.kind.predict(
        model, task.test, WordPieceTokenizer.from_pretrained(pieces), LENGTHS[subject.name]
    )


def examined(subject: Subject) -> Task:
    """The task, with as many of its test rows as are asked."""
    task = subject.task
    return replace(task, test=spread(task.test, QUESTIONS)) if subject.name == "SQuAD 1.1" else task


def _measured(
    answers: list[Any], family: str, seconds: float | None, costs: dict[str, Any], subject: Subject
) -> Measured:
    """`family` stands with the costs, and so do the training's seconds where it was timed."""
    task = examined(subject)
    by_teacher = (
        subject.teacher.predictions
        if subject.name in TAUGHT
        else answers_of(question_model(), "minilm", subject)
    )
    metric = task.kind.metric
    scores = {
        metric: task.kind.score(answers, task.test)[metric],
        "agreement": agreement(answers, by_teacher),
    }
    timed = {} if seconds is None else {"processor_seconds": seconds}
    return Measured(scores, {"family": family, **timed, **costs})


# --- the arms -------------------------------------------------------------------------------------


def packed(family: str, source: Source, rounding: Rounding = as_it_is, pieces: str = "minilm") -> Arm:
    """An arm that packs what comes of a method."""
    return partial(measure_packed, Method(family=family, source=source, rounding=rounding, pieces=pieces))


def rounded(source: Source, *chosen: str) -> dict[str, Arm]:
    """The model of a source and what becomes of it without any training; of the roundings those chosen."""
    original = partial(without_training, source)
    arms: dict[str, Arm] = {
        "MiniLM": packed("baseline", source),
        "MiniLM, 16 bits": packed("quantization", original, halve_rest),
        "8 bits per tensor": packed("quantization", original, partial(quantize_weights, bits=8, groups=1)),
        **{
            f"{number} bits per row": packed("quantization", original, partial(quantize_weights, bits=number))
            for number in (8, 6, 4, 3)
        },
        "onnxruntime int8": partial(measure_onnx, source),
    }
    return {name: arms[name] for name in chosen or arms}


def from_study(
    study: Study, arm: str, family: str, rounding: Rounding = as_it_is, pieces: str = "minilm"
) -> Arm:
    """An arm that packs the model that an arm of another study keeps."""
    return packed(family, partial(kept, study.name, arm, study.how("reviews", arm)), rounding, pieces)


answered = partial(from_study, distilled_answers.STUDY)
inside = partial(from_study, distilled_inside.STUDY)
small = partial(Student, steps=SMALL_STEPS)
cut = partial(Student, is_cut=True, rate=CUT_RATE, steps=CUT_STEPS)
#: those that the literature has too
FEW = ("MiniLM", "MiniLM, 16 bits", "8 bits per row", "4 bits per row", "onnxruntime int8")
#: what was trained with its rounding comes out of its file as plain numbers, which the same rounding keeps
REVIEWS: dict[str, Arm] = {
    "TF-IDF": measure_words,
    **rounded(teacher),
    "4 bits per row, trained": from_study(
        bits.STUDY, "4 bits per row", "quantization", partial(quantize_weights, bits=4)
    ),
    "8 bits, Q8BERT": from_study(
        bits.STUDY, "8 bits, Q8BERT", "quantization", partial(quantize_weights, bits=8, groups=1)
    ),
    "3 layers cut, labels alone": answered("cut, labels", "baseline"),
    "3 layers cut, answers": answered("cut, answers", "distillation"),
    "2 x 128, labels alone": answered("labels", "baseline", pieces="pocket"),
    "2 x 128, answers on unlabeled": answered("answers on unlabeled", "distillation", pieces="pocket"),
    "2 x 128, answers, 8 bits": answered(
        "answers on unlabeled", "combined", partial(quantize_weights, bits=8), pieces="pocket"
    ),
    "2 x 192, labels alone": inside("labels", "baseline"),
    "2 x 192, TinyBERT": inside("TinyBERT", "distillation"),
    "2 x 192, MiniLM": inside("MiniLM", "distillation"),
}
SST2: dict[str, Arm] = {
    "TF-IDF": measure_words,
    **rounded(teacher, *FEW),
    "2 x 128, labels alone": packed(
        "baseline", partial(taught, small(matches=labels_alone, asked=())), pieces="pocket"
    ),
    "2 x 128, answers": packed(
        "distillation", partial(taught, small(matches=answers_alone)), pieces="pocket"
    ),
    "3 layers cut, labels alone": packed("baseline", partial(taught, cut(matches=labels_alone, asked=()))),
    "3 layers cut, answers": packed("distillation", partial(taught, cut(matches=answers_alone))),
}
TAUGHT = ("reviews", "SST-2")  # tasks with a teacher for each seed
STUDY = Study(
    "ledger",
    "What models of four tasks answer and cost, method by method; costs are those of seed 0",
    {
        "reviews": REVIEWS,
        "passages": rounded(questions),
        "SST-2": SST2,
        "SQuAD 1.1": rounded(questions, *FEW),
    },
    once=frozenset({"passages", "SQuAD 1.1"}),
    inputs_of=dict.fromkeys(("passages", "SQuAD 1.1"), ("data/minilm-squad",))
    | dict.fromkeys([name for name in REVIEWS | SST2 if name.startswith("2 x 128")], (POCKET_VOCABULARY,))
    | {"2 x 192, MiniLM": ("data/reader", "data/tasks/headlines")},
    minutes=150,
)
