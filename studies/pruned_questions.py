"""The question-answering model without half of its heads and half of its neurons: size, milliseconds, F1.

Each arm is judged as it is and again after a few steps, the dense model too. On the course's passages it is
tuned on their training part; on SQuAD, of which 300 questions of the dev set are asked, on what the model
once learned from.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import nn

from lib.analysis.cost.timing import spread
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, in_turns
from lib.compression.pruning import importance
from lib.compression.pruning.choosing import (
    least_important,
    least_important_of_each,
    random_scores,
    reversed_scores,
)
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.neurons import remove_neurons
from lib.records.question_model import question_model
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.text.tasks import Row, TaskBatches, own
from lib.training.finetuning import FineTuning
from lib.training.freezing import freeze
from lib.training.known_tasks import evenly

QUESTIONS = 300  # of SQuAD's dev set, evenly spread
JUDGING = 128  # windows that say what matters
BATCH, RATE, MAX_LENGTH = 16, 1e-4, 256
TIMED = SHAPES | {"8 x 256": (8, 256)}  # a paragraph with its question is long


def measure_halved(order: str, steps: int, subject: Subject) -> Measured:
    """The model without half of all heads and of each layer's neurons by an order; "dense" has all.

    Judged before and after it was tuned, and measured beside the whole one.
    """
    model, rows = question_model(), rows_of(subject, steps)
    if order != "dense":
        halve(model, rows, order, subject)
    before = answered(model, subject)
    freeze(model, "embeddings")  # as when it was trained
    pad_id = subject.tokenizer.pad_token_id
    seconds = subject.train(FineTuning(model), rows, steps, RATE, batch_size=BATCH, pad_id=pad_id)
    scores = answered(model, subject) | {f"{name}_before": score for name, score in before.items()}
    costs = {} if order == "dense" else measure_beside(model, question_model())
    return Measured(scores, {"processor_seconds": seconds} | costs, model)


def rows_of(subject: Subject, steps: int) -> list[Row]:
    """The windows to tune on, no more than steps read; those of SQuAD and the passages, as it was trained."""
    learned = list(subject.task.train)
    if subject.name != "passages":
        learned += own.passages("train")
    return subject.task.kind.rows(evenly(learned, BATCH * steps), subject.tokenizer, MAX_LENGTH)


def halve(model: PreTrainedBert, rows: list[Row], order: str, subject: Subject) -> None:
    """Take the least half of all heads and of each layer's neurons out of a model, in place."""
    chosen, pad_id = evenly(rows, JUDGING), subject.tokenizer.pad_token_id
    made = TaskBatches(chosen, pad_id, BATCH, seed=None, group_by_length=True)
    gates = importance.gate_gradients(model, [made(number) for number in range(made.size)])
    heads = importance.importance_of_heads(gates, importance.per_example)
    neurons = importance.importance_of_neurons(gates)
    if order == "random":
        heads, neurons = random_scores(heads, subject.seed), random_scores(neurons, subject.seed)
    elif order == "reversed":
        heads, neurons = reversed_scores(heads), reversed_scores(neurons)
    remove_heads(model, least_important(heads, sum(map(len, heads)) // 2))
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))


def answered(model: PreTrainedBert, subject: Subject) -> dict[str, Any]:
    """The scores on the test questions; of SQuAD those that the ledger asks."""
    questions = subject.task.test if subject.name == "passages" else evenly(subject.task.test, QUESTIONS)
    predictions = subject.task.kind.predict(model.eval(), questions, subject.tokenizer, MAX_LENGTH)
    return dict(subject.task.kind.score(predictions, questions))


def measure_beside(model: nn.Module, dense: nn.Module) -> dict[str, Any]:
    """What a model holds, multiplies and takes, beside the dense one, the two in turns in one process."""
    models = {"dense": dense.eval(), "pruned": model.eval()}
    costs: dict[str, Any] = {
        f"parameters, {name}": unique_parameters(network) for name, network in models.items()
    }
    with torch.inference_mode():
        for shape, sizes in TIMED.items():
            batch = example_batch(30522, sizes)
            calls = {name: partial(network, **batch) for name, network in models.items()}
            for name, seconds in in_turns(calls).items():
                costs[f"milliseconds at {shape}, {name}"] = 1e3 * spread(seconds).median
                counted = count_multiply_adds(models[name], calls[name])
                costs[f"multiply_adds at {shape}, {name}"] = counted.total
    return costs


ORDERS = ("dense", "importance", "random", "reversed")
STUDY = Study(
    "pruned_questions",
    "The question-answering model without half of its heads and neurons",
    {
        task: {order: partial(measure_halved, order, steps) for order in ORDERS}
        for task, steps in {"passages": 60, "SQuAD 1.1": 120}.items()
    },
    inputs=("minilm", "data/minilm-squad", "data/tasks/passages"),
    minutes=60,
)
