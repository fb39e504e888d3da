"""The question-answering model without half of its heads and half of its neurons: size, milliseconds, F1.

Each arm is judged as it is and again after a few steps, the dense model too. On the course's passages it is
tuned on their training part; on SQuAD, of which 300 questions of the dev set are asked, on what the model
once learned from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from lib.analysis.cost.timing import spread as spread_of
from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, in_turns
from lib.compression.packed import save_packed
from lib.compression.pruning import importance
from lib.compression.pruning.choosing import (
    least_important,
    least_important_of_each,
    random_scores,
    reversed_scores,
)
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.neurons import remove_neurons
from lib.files import write_json
from lib.records.cache import Entry
from lib.records.question_model import question_model, squad_in_part
from lib.records.results import PACKED, RESULT, kept_result
from lib.records.students import train_steps
from lib.text.tasks import Row, TaskBatches, own
from lib.training.finetuning import FineTuning
from lib.training.freezing import freeze
from lib.training.known_tasks import load_task, spread
from lib.training.task_kinds import Task

TASKS = ("passages", "SQuAD 1.1")
QUESTIONS = 300  # of SQuAD's dev set, evenly spread
JUDGING = 128  # windows that say what matters
BATCH, RATE, MAX_LENGTH = 16, 1e-4, 256
STEPS = {"passages": 60, "SQuAD 1.1": 120}
TIMED = SHAPES | {"8 x 256": (8, 256)}  # a paragraph with its question is long
ORDERS: dict[str, Callable[[list[torch.Tensor], int], list[torch.Tensor]]] = {
    "importance": lambda scores, _seed: scores,
    "random": random_scores,
    "reversed": lambda scores, _seed: reversed_scores(scores),
}
ARMS = ("dense", *ORDERS)


def halved_by(model: PreTrainedBert, gates: list[importance.GateGradients], order: str, seed: int) -> None:
    """Take half of all heads, and half of each layer's neurons, out of a model, in place."""
    heads = ORDERS[order](importance.importance_of_heads(gates, importance.per_example), seed)
    neurons = ORDERS[order](importance.importance_of_neurons(gates), seed)
    remove_heads(model, least_important(heads, sum(map(len, heads)) // 2))
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))


@cache
def task_of(name: str) -> Task:
    """What is learned and asked; of SQuAD the questions that the ledger asks."""
    if name == "passages":
        return load_task(name)
    squad = squad_in_part()
    return replace(squad, train=[*squad.train, *own.passages("train")], test=spread(squad.test, QUESTIONS))


def rows_of(name: str, tokenizer: WordPieceTokenizer) -> list[Row]:
    """The windows to tune on."""
    task = task_of(name)
    needed = BATCH * STEPS[name]  # no more windows than steps read
    return task.kind.rows(spread(task.train, needed), tokenizer, MAX_LENGTH)


def trained(name: str, arm: str, seed: int) -> tuple[dict[str, Any], PreTrainedBert]:
    """One arm on one task: judged before and after it was tuned."""
    task, tokenizer = task_of(name), WordPieceTokenizer.from_pretrained("minilm")
    model, rows = question_model(), rows_of(name, tokenizer)
    pad_id = tokenizer.pad_token_id
    if arm != "dense":
        made = TaskBatches(spread(rows, JUDGING), pad_id, BATCH, seed=None, group_by_length=True)
        gates = importance.gate_gradients(model, [made(number) for number in range(made.size)])
        halved_by(model, gates, arm, seed)

    def asked() -> dict[str, float]:
        said = task.kind.predict(model.eval(), task.test, tokenizer, MAX_LENGTH)
        return task.kind.score(said, task.test)

    before = asked()
    freeze(model, "embeddings")  # as when it was trained
    batches = TaskBatches(rows, pad_id, BATCH, seed, group_by_length=True)
    seconds = train_steps(FineTuning(model), batches, STEPS[name], RATE, seed)
    return {"before": before, "after": asked(), "processor_seconds": round(seconds, 1)}, model


# --- size and time --------------------------------------------------------------------------------


def costs(model: nn.Module, whole: nn.Module) -> dict[str, Any]:
    """What a model holds, multiplies and takes, beside the whole one, the two in turns in one process."""
    models = {"dense": whole.eval(), "pruned": model.eval()}
    found: dict[str, Any] = {
        name: {"parameters": unique_parameters(one), "multiply_adds": {}, "milliseconds": {}}
        for name, one in models.items()
    }
    with torch.inference_mode():
        for shape, sizes in TIMED.items():
            batch = example_batch(30522, sizes)
            calls = {name: partial(one, **batch) for name, one in models.items()}
            for name, seconds in in_turns(calls).items():
                found[name]["milliseconds"][shape] = 1e3 * spread_of(seconds).median
                counted = count_multiply_adds(models[name], calls[name])
                found[name]["multiply_adds"][shape] = counted.total
    return found


# --- runs -----------------------------------------------------------------------------------------


def pruned_questions(seed: int) -> dict[str, Any]:
    """All that the record holds of a seed, which draws what goes at random, the batches, and dropout."""
    return {name: {arm: kept_result(run_of(name, arm, seed)) for arm in ARMS} for name in TASKS}


def run_of(name: str, arm: str, seed: int) -> Entry:
    """One arm on one task, which the cache keeps, the model that was pruned by importance with it."""
    data = ("data/tasks/passages", *(("public/squad_v1.1",) if name == "SQuAD 1.1" else ()))
    return Entry(
        f"pruned_questions_{seed}",
        f"The question model without half of its heads and neurons, on {name}: {arm}",
        run_arm,
        {"name": name, "arm": arm, "seed": seed},
        data=("minilm", "data/minilm-squad", *data),
    )


def run_arm(folder: Path, name: str, arm: str, seed: int) -> None:
    """One arm on one task; what is recorded of it goes into the folder."""
    found, model = trained(name, arm, seed)
    if arm != "dense":
        found["costs"] = costs(model, question_model())
    write_json(folder / RESULT, found)
    if arm == "importance":
        save_packed(model, folder / PACKED)


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        "questions": QUESTIONS,
        "judging": JUDGING,
        "steps": STEPS,
        "rate": RATE,
        "batch_size": BATCH,
        "length": MAX_LENGTH,
        "arms": list(ARMS),
    }
