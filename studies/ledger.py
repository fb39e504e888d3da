"""The ledger of this part: every model with its file, what it costs, and what it answers.

Reviews have all methods. Passages, questions on a paragraph, have what needs no training, on the one question
model that there is.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from lib.bert.model import PreTrainedBert
from lib.compression.ledger.rows import LedgerRow
from lib.compression.quantizers.model import quantize_weights
from lib.records.cache import Entry
from lib.records.question_model import question_model
from lib.records.students import Unlabeled
from lib.records.teachers import input_of, load_teacher
from lib.training.known_tasks import load_task
from studies import bits, distilled_answers, distilled_inside
from studies.ledger_runs import (
    TF_IDF,
    Method,
    Rounding,
    as_it_is,
    kept_arm,
    kept_model,
    roundings,
    rows_of_seed,
    run_method,
    run_word_counts,
)

TASK: Unlabeled = "reviews"
LENGTHS = {TASK: 128, "passages": 256}


def _teacher(seed: int) -> tuple[PreTrainedBert, float]:
    teacher = load_teacher(TASK, seed)
    return teacher.model, teacher.processor_seconds


def _questions(_seed: int) -> tuple[PreTrainedBert, None]:
    return question_model(), None


def _trained_bits(name: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(bits.run_of(name, seed))


def _of_student(family: str, arm: str, rounding: Rounding = as_it_is) -> Method:
    pieces = distilled_answers.STUDENTS[arm].pieces
    return Method(family, partial(kept_arm, distilled_answers.STUDY, TASK, arm), rounding, pieces=pieces)


def _of_inside(family: str, arm: str) -> Method:
    return Method(family, partial(kept_arm, distilled_inside.STUDY, TASK, arm))


#: what was trained with its rounding comes out of its file as plain numbers, which the same rounding keeps
METHODS: dict[str, dict[str, Method]] = {
    TASK: {
        **roundings(_teacher),
        "4 bits per row, trained": Method(
            "quantization", partial(_trained_bits, "4 bits per row"), partial(quantize_weights, bits=4)
        ),
        "8 bits, Q8BERT": Method(
            "quantization",
            partial(_trained_bits, "8 bits, Q8BERT"),
            partial(quantize_weights, bits=8, groups=1),
        ),
        "3 layers cut, labels alone": _of_student("baseline", "cut, labels"),
        "3 layers cut, answers": _of_student("distillation", "cut, answers"),
        "2 x 128, labels alone": _of_student("baseline", "labels"),
        "2 x 128, answers on unlabeled": _of_student("distillation", "answers on unlabeled"),
        "2 x 128, answers, 8 bits": _of_student(
            "combined", "answers on unlabeled", partial(quantize_weights, bits=8)
        ),
        "2 x 192, labels alone": _of_inside("baseline", "labels"),
        "2 x 192, TinyBERT": _of_inside("distillation", "TinyBERT"),
        "2 x 192, MiniLM": _of_inside("distillation", "MiniLM"),
    },
    "passages": roundings(_questions),
}
SEEDS_OF: dict[str, tuple[int, ...]] = {"passages": (0,)}  # there is one question model


def ledger(seed: int) -> list[LedgerRow]:
    """The rows of a seed. Each model is kept in the cache as soon as it is done, with its file."""
    rows: list[LedgerRow] = []
    for name, methods in METHODS.items():
        if seed not in SEEDS_OF.get(name, (seed,)):
            continue
        families = {method: made.family for method, made in methods.items()}
        if name == TASK:
            families = {TF_IDF: "baseline"} | families
        rows += rows_of_seed(load_task(name), families, partial(run_of, name), seed)
    return rows


def run_of(task: str, method: str, seed: int) -> Entry:
    """One model, which the cache keeps as the file that is counted; of TF-IDF there is one for all seeds."""
    return Entry(
        f"ledger_{task}_{0 if method == TF_IDF else seed}",
        f"A row of the ledger on the course's {task}: {method}",
        run_row,
        {"task": task, "method": method, "seed": 0 if method == TF_IDF else seed},
        data=(
            "minilm",
            "pocket",
            *map(input_of, ("reviews", "headlines", "passages")),
            "data/minilm-squad",
            "data/reader",
            "data/vectors",
        ),
        done="measured",
    )


def run_row(folder: Path, task: str, method: str, seed: int) -> None:
    """One model; its file, its answers and its costs go into the folder."""
    if method == TF_IDF:
        run_word_counts(folder, load_task(task))
    else:
        run_method(folder, METHODS[task][method], load_task(task), seed, LENGTHS[task])


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "methods": {task: list(methods) for task, methods in METHODS.items()},
        "lengths": LENGTHS,
        "bits": bits.config(),
        "students": {
            study.name: {arm: study.how(TASK, arm) for arm in sorted(study.keep)}
            for study in (distilled_answers.STUDY, distilled_inside.STUDY)
        },
    }
