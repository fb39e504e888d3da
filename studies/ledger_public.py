"""The ledger on public sets: SST-2, all of it, MRPC, and questions of SQuAD, with published rows beside.

Their teachers are those of `lib.records.teachers`.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from lib.bert.model import PreTrainedBert
from lib.compression.distillation.methods import answers_alone, labels_alone
from lib.compression.ledger.rows import LedgerRow
from lib.records.cache import Entry
from lib.records.question_model import question_model
from lib.records.students import PRECISION
from lib.records.subject import Subject
from lib.records.taught import CUT_RATE, Student, measure_student
from lib.records.teachers import RECIPES, input_of, load_teacher, task_named
from lib.training.known_tasks import spread
from lib.training.task_kinds import Task
from studies.ledger_runs import (
    TEACHER,
    TF_IDF,
    Method,
    roundings,
    rows_of_seed,
    run_method,
    run_word_counts,
)

QUESTIONS = 300  # of SQuAD's dev set, evenly spread
#: whose weights or pieces the rows of a set need
MODELS_OF = {
    "SST-2": ("minilm", "pocket"),
    "MRPC": ("minilm", "pocket"),
    "SQuAD 1.1": ("minilm", "data/minilm-squad"),
}
LENGTHS = {"SST-2": 128, "MRPC": 128, "SQuAD 1.1": 256}
#: of a set, the students' steps: small ones of 32 rows, cut ones of 16
SMALL_STEPS = {"SST-2": 2100, "MRPC": 700}
CUT_STEPS = {"SST-2": 1050, "MRPC": 350}
ROUNDINGS = (TEACHER, "MiniLM, 16 bits", "8 bits per row", "4 bits per row", "onnxruntime int8")
FAMILIES = {
    "2 x 128, labels alone": "baseline",
    "2 x 128, answers": "distillation",
    "3 layers cut, labels alone": "baseline",
    "3 layers cut, answers": "distillation",
}
PUBLISHED = (
    LedgerRow(
        method="BERT-base, 8 bits, Q8BERT", family="quantization", task="SST-2", metric="accuracy",
        source="Zafrir et al., 2019, table 1", scores=(0.9224,),
    ),
    LedgerRow(
        method="BERT-base, 8 bits, Q8BERT", family="quantization", task="SQuAD 1.1", metric="f1",
        source="Zafrir et al., 2019, table 1", scores=(0.8774,),
    ),
    LedgerRow(
        method="DistilBERT, distilled twice", family="distillation", task="SQuAD 1.1", metric="f1",
        source="Sanh et al., 2019, table 2", scores=(0.869,),
    ),
)  # fmt: skip


def arms(name: str) -> dict[str, Student]:
    """The students of a set: all read all of its rows."""
    small = SMALL_STEPS[name]
    cut_student = partial(Student, is_cut=True, rate=CUT_RATE, steps=CUT_STEPS[name])
    return {
        "2 x 128, labels alone": Student(matches=labels_alone, asked=(), steps=small),
        "2 x 128, answers": Student(matches=answers_alone, steps=small),
        "3 layers cut, labels alone": cut_student(matches=labels_alone, asked=()),
        "3 layers cut, answers": cut_student(matches=answers_alone),
    }


# --- teachers and students ------------------------------------------------------------------------


def _task(name: str) -> Task:
    task = task_named(name)
    return replace(task, test=spread(task.test, QUESTIONS)) if name == "SQuAD 1.1" else task


def _teacher(name: str, seed: int) -> tuple[PreTrainedBert, float | None]:
    if name == "SQuAD 1.1":
        return question_model(), None
    teacher = load_teacher(name, seed)
    return teacher.model, teacher.processor_seconds


def _student(name: str, arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    found = measure_student(arms(name)[arm], Subject(name, seed))
    assert found.model is not None
    return found.model, found.costs["processor_seconds"]


# --- rows -----------------------------------------------------------------------------------------


def methods_of(name: str) -> dict[str, Method]:
    """The rows of a set but TF-IDF's: of the roundings those that the literature has too."""
    rounded = roundings(partial(_teacher, name))
    found = {method: rounded[method] for method in ROUNDINGS}
    if name in RECIPES:
        for arm, family in FAMILIES.items():
            found[arm] = Method(family, partial(_student, name, arm), pieces=arms(name)[arm].pieces)
    return found


def on_sst2(seed: int) -> list[LedgerRow]:
    """The rows of a seed on SST-2, and with seed 0 the published ones."""
    return _rows("SST-2", seed)


def on_mrpc(seed: int) -> list[LedgerRow]:
    """The same on MRPC."""
    return _rows("MRPC", seed)


def on_squad(seed: int) -> list[LedgerRow]:
    """The same on questions of SQuAD 1.1: there is one question model, so there is one seed."""
    return _rows("SQuAD 1.1", seed)


def _rows(name: str, seed: int) -> list[LedgerRow]:
    families = {method: made.family for method, made in methods_of(name).items()}
    if name == "SST-2":  # a set of single texts
        families = {TF_IDF: "baseline"} | families
    rows = rows_of_seed(_task(name), families, partial(run_of, name), seed)
    return rows + [row for row in PUBLISHED if row.task == name and seed == 0]


def run_of(name: str, method: str, seed: int) -> Entry:
    """One model on one set, which the cache keeps as the file that the ledger counts."""
    return Entry(
        f"ledger_public_{0 if method == TF_IDF else seed}",
        f"A row of the ledger on {name}: {method}",
        run_row,
        {"name": name, "method": method, "seed": 0 if method == TF_IDF else seed},
        data=(*MODELS_OF[name], input_of(name)),
        done="measured",
    )


def run_row(folder: Path, name: str, method: str, seed: int) -> None:
    """One model; its file, its answers and its costs go into the folder."""
    if method == TF_IDF:
        run_word_counts(folder, _task(name))
    else:
        run_method(folder, methods_of(name)[method], _task(name), seed, LENGTHS[name])


def sst2_config() -> dict[str, Any]:
    """What the record on SST-2 depends on besides the data."""
    return _config("SST-2")


def mrpc_config() -> dict[str, Any]:
    """The same of MRPC."""
    return _config("MRPC")


def _config(name: str) -> dict[str, Any]:
    return {
        "recipe": asdict(RECIPES[name]),
        "steps": {"small": SMALL_STEPS[name], "cut": CUT_STEPS[name]},
        "precision": PRECISION,
    }


def squad_config() -> dict[str, Any]:
    """The same of SQuAD 1.1, where nothing is trained."""
    return {"questions": QUESTIONS}
