"""The ledger's rows of pruned models, beside the dense model on the same machine.

A pruned model comes out of the file that its own experiment kept. Zeros among its weights have to be put
under masks again, so that its file leaves them out once more.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from lib.bert.model import PreTrainedBert
from lib.compression.ledger.rows import LedgerRow
from lib.compression.pruning.masks import add_masks, prune
from lib.experiments import pruned_questions, pruned_structure, pruned_weights
from lib.experiments.cache import Entry
from lib.experiments.ledger_runs import TEACHER, Method, kept_model, rows_of_seed, run_method
from lib.experiments.question_model import question_model
from lib.experiments.seeded_teachers import teacher_of
from lib.experiments.students import Unlabeled
from lib.experiments.teachers import DATA_OF
from lib.training.known_tasks import load_task

DATA = {
    "weights": ("pocket", DATA_OF["reviews"], DATA_OF["headlines"], "data/reader"),
    "structure": (DATA_OF["reviews"], DATA_OF["passages"], "data/minilm-squad"),
}
LENGTHS = {"reviews": 128, "headlines": 64, "passages": 256}


def _teacher(task: str, seed: int) -> tuple[PreTrainedBert, float | None]:
    if task == "passages":
        return question_model(), None
    teacher = teacher_of(task, seed)
    return teacher.model, teacher.processor_seconds


def _untrained(task: str, seed: int) -> tuple[PreTrainedBert, float]:
    return _teacher(task, seed)[0], 0.0


def _weights(task: Unlabeled, arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_weights.run_of(task, arm, seed))


def _structure(arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_structure.run_of(pruned_structure.TASK, arm, seed))


def _questions(seed: int) -> tuple[PreTrainedBert, float]:
    return kept_model(pruned_questions.run_of("passages", "importance", seed))


def smallest_to_zero(model: PreTrainedBert, share: float) -> None:
    """Magnitude pruning of the encoder's matrices, without any training."""
    add_masks(model)
    prune(model, share)


def _dense(task: str) -> dict[str, Method]:
    return {TEACHER: Method("baseline", partial(_teacher, task))}


def _untrained_zeros(task: str, share: float) -> Method:
    return Method("pruning", partial(_untrained, task), partial(smallest_to_zero, share=share))


def _masked(task: Unlabeled, arm: str) -> Method:
    return Method("pruning", partial(_weights, task, arm), add_masks)


#: by record and task
METHODS: dict[str, dict[str, dict[str, Method]]] = {
    "weights": {
        "reviews": {
            **_dense("reviews"),
            "50% zeros by size, untrained": _untrained_zeros("reviews", 0.5),
            "90% zeros by size, trained": _masked("reviews", "magnitude 0.9"),
            "soft movement": _masked("reviews", "long, soft movement"),
            "95% zeros, SparseBERT": _masked("reviews", "pretrained, inside"),
        },
        "headlines": {
            **_dense("headlines"),
            **{
                f"{share:.0%} zeros by size, untrained": _untrained_zeros("headlines", share)
                for share in (0.3, 0.5, 0.7)
            },
            "90% zeros by size, trained": _masked("headlines", "long, magnitude 0.9"),
            "soft movement": _masked("headlines", "long, soft movement"),
            "95% zeros, SparseBERT": _masked("headlines", "pretrained, inside"),
        },
    },
    "structure": {
        "reviews": {
            **_dense("reviews"),
            "half of heads and neurons": Method("pruning", partial(_structure, pruned_structure.HALVED)),
            "half of heads and neurons, new weights": Method(
                "baseline", partial(_structure, pruned_structure.NEW_WEIGHTS)
            ),
            "half of heads, neurons and width": Method(
                "pruning", partial(_structure, pruned_structure.SMALL)
            ),
            "3 layers kept, top gone": Method("pruning", partial(_structure, "3 layers gone, top")),
        },
        "passages": {**_dense("passages"), "half of heads and neurons": Method("pruning", _questions)},
    },
}


def weights(seed: int) -> list[LedgerRow]:
    """The rows of a seed with weights at zero."""
    return _rows("weights", seed)


def structure(seed: int) -> list[LedgerRow]:
    """The rows of a seed with heads, neurons, width and layers removed."""
    return _rows("structure", seed)


def _rows(record: str, seed: int) -> list[LedgerRow]:
    rows: list[LedgerRow] = []
    for task, methods in METHODS[record].items():
        families = {method: made.family for method, made in methods.items()}
        rows += rows_of_seed(load_task(task), families, partial(run_of, record, task), seed)
    return rows


def run_of(record: str, task: str, method: str, seed: int) -> Entry:
    """One model, which the cache keeps as the file that is counted."""
    return Entry(
        f"ledger_{record}_{seed}",
        f"A row of the ledger on the course's {task}: {method}",
        run_row,
        {"record": record, "task": task, "method": method, "seed": seed},
        data=("minilm", *DATA[record]),
        done="measured",
    )


def run_row(folder: Path, record: str, task: str, method: str, seed: int) -> None:
    """One model; its file, its answers and its costs go into the folder."""
    run_method(folder, METHODS[record][task][method], load_task(task), seed, LENGTHS[task])


def weights_config() -> dict[str, Any]:
    """What the record of weights at zero depends on besides the data."""
    return {"methods": _names("weights"), "trained": pruned_weights.config()}


def structure_config() -> dict[str, Any]:
    """What the record of removed parts depends on besides the data."""
    return {
        "methods": _names("structure"),
        "trained": pruned_structure.config(),
        "questions": pruned_questions.config(),
    }


def _names(record: str) -> dict[str, list[str]]:
    return {task: list(methods) for task, methods in METHODS[record].items()}
