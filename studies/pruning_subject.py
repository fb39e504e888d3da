"""A fine-tuned MiniLM of which heads, neurons, width or layers are taken: what matters in it, what goes.

What matters is judged on rows to learn from, what is left on test rows.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.students import cut_student
from lib.compression.pruning import importance, layers
from lib.compression.pruning.choosing import (
    least_important,
    least_important_of_each,
    random_scores,
    reversed_scores,
)
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.neurons import neuron_magnitudes, remove_neurons
from lib.compression.pruning.width import remove_width, settle, width_importance
from lib.records.students import MAX_LENGTH
from lib.records.teachers import Teacher, load_teacher, task_named
from lib.text.tasks import Row, TaskBatches
from lib.training.known_tasks import spread
from lib.training.loop import Batch
from studies.bits import Exam

MOST_ROWS = 4000  # to tune on
JUDGING = 200  # rows that say what matters
BATCH = 16


@dataclass(frozen=True)
class Subject:
    """A fine-tuned model, the test that it sits, and rows to tune on and to judge by."""

    teacher: Teacher
    exam: Exam
    rows: list[Row]
    seed: int

    @property
    def model(self) -> PreTrainedBert:
        return self.teacher.model

    @cached_property
    def batches(self) -> list[Batch]:
        """The rows that say what matters, with their labels."""
        chosen = spread(self.rows, JUDGING)
        made = TaskBatches(chosen, self.exam.tokenizer.pad_token_id, BATCH, seed=None, group_by_length=True)
        return [made(number) for number in range(made.size)]

    @cached_property
    def gates(self) -> list[importance.GateGradients]:
        return importance.gate_gradients(self.model, self.batches)

    @cached_property
    def cosines(self) -> list[float]:
        return layers.layer_cosines(self.model, self.batches)


def subject(name: str, seed: int) -> Subject:
    """The model of a task and seed."""
    task = task_named(name)
    teacher = load_teacher(name, seed)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    test = task.kind.rows(task.test, tokenizer, MAX_LENGTH)
    rows = task.kind.rows(spread(task.train, MOST_ROWS), tokenizer, MAX_LENGTH)
    return Subject(teacher, Exam(task, tokenizer, test, teacher.predictions), rows, seed)


# --- what matters ---------------------------------------------------------------------------------

Scores = Callable[[Subject], list[Tensor]]


def _head_importance(given: Subject) -> list[Tensor]:
    """By text: per token the last layers, where the classifier reads [CLS] alone, would lose nearly all."""
    return importance.importance_of_heads(given.gates, importance.per_example)


def _per_token(given: Subject) -> list[Tensor]:
    return importance.importance_of_heads(given.gates, importance.per_token)


def _neuron_importance(given: Subject) -> list[Tensor]:
    return importance.importance_of_neurons(given.gates)


def _dynabert(given: Subject) -> list[Tensor]:
    """DynaBERT's importance, with gradients added up over all batches."""
    model: Any = copy.deepcopy(given.model)
    for batch in given.batches:
        (model(**batch).loss * len(batch["input_ids"])).backward()
    return [importance.neuron_importance_by_weights(layer) for layer in model.bert.encoder.layer]


HEAD_SCORES: dict[str, Scores] = {
    "importance": _head_importance,
    "per token": _per_token,
    "per token, layers alike": lambda given: importance.layer_normalized(_per_token(given)),
    "random": lambda given: random_scores(_head_importance(given), given.seed),
    "reversed": lambda given: reversed_scores(_head_importance(given)),
}
NEURON_SCORES: dict[str, Scores] = {
    "importance": _neuron_importance,
    "DynaBERT's": _dynabert,
    "weights": lambda given: neuron_magnitudes(given.model),
    "random": lambda given: random_scores(_neuron_importance(given), given.seed),
    "reversed": lambda given: reversed_scores(_neuron_importance(given)),
}
WIDTH_SCORES: dict[str, Callable[[Subject], Tensor]] = {
    "importance": lambda given: width_importance(given.model, given.batches),
    "random": lambda given: random_scores([torch.zeros(given.model.config.hidden_size)], given.seed)[0],
    "reversed": lambda given: -width_importance(given.model, given.batches),
}


# --- what goes ------------------------------------------------------------------------------------


def without_heads(given: Subject, scores: Sequence[Tensor], count: int) -> PreTrainedBert:
    """A copy of the model without `count` heads."""
    model = copy.deepcopy(given.model)
    remove_heads(model, least_important(scores, count))
    return model


def without_neurons(given: Subject, scores: Sequence[Tensor], share: float) -> PreTrainedBert:
    """A copy of the model without this share of the neurons of each layer."""
    model = copy.deepcopy(given.model)
    remove_neurons(model, least_important_of_each(scores, round(share * len(scores[0]))))
    return model


def of_width(given: Subject, scores: Tensor, width: int) -> PreTrainedBert:
    """A copy of the model with so many features."""
    model = copy.deepcopy(given.model)
    remove_width(model, scores.argsort(stable=True)[: len(scores) - width].tolist())
    return model


def without_layers(given: Subject, rule: str, dropped: int) -> PreTrainedBert:
    """The layers that a rule keeps."""
    count = given.model.config.num_hidden_layers
    return cut_student(given.model, layers.rules(given.cosines)[rule](count, dropped))


def halved(given: Subject, which: str) -> PreTrainedBert:
    """Half of all heads, and half of the neurons of each layer, by scores of this name."""
    heads, neurons = HEAD_SCORES[which](given), NEURON_SCORES[which](given)
    model = without_heads(given, heads, sum(map(len, heads)) // 2)
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))
    settle(model)
    return model


def small_bert(given: Subject, which: str) -> PreTrainedBert:
    """Half of the heads and neurons of each layer and half of the width: a plain BERT, only smaller."""
    model = of_width(given, WIDTH_SCORES[which](given), given.model.config.hidden_size // 2)
    heads, neurons = HEAD_SCORES[which](given), NEURON_SCORES[which](given)
    remove_heads(model, least_important_of_each(heads, len(heads[0]) // 2))
    remove_neurons(model, least_important_of_each(neurons, len(neurons[0]) // 2))
    settle(model)
    return model


def with_new_weights(given: Subject) -> PreTrainedBert:
    """The same shape as `halved`, every number drawn anew: what the removed model is worth as a start."""
    model = halved(given, "importance")
    torch.manual_seed(given.seed)
    model.init_weights()
    return model
