"""What runs of one network at many sizes share: a task with its teacher, and orders of heads."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.elastic.width import rewire
from lib.compression.pruning.importance import (
    gate_gradients,
    importance_of_heads,
    importance_of_neurons,
    per_example,
)
from lib.records.students import MAX_LENGTH, judged, texts_for, train_steps
from lib.records.teachers import Teacher, load_teacher, task_named
from lib.text.tasks import TaskBatches, TextExample
from lib.training.known_tasks import load_task, spread
from lib.training.loop import Objective
from lib.training.task_kinds import Task

Name = Literal["reviews", "headlines", "SST-2"]
Orders = tuple[list[Tensor], list[Tensor]]

BATCH, RATE = 16, 1e-4
ROWS = 4000  # of SST-2, at most
SCORED = 400  # texts that importance is computed of
ORDERS = ("important first", "as they were", "at random", "least important first")


@dataclass(frozen=True)
class Exam:
    """A task, the teacher of a seed, and what both stages of DynaBERT read."""

    name: Name
    seed: int
    task: Task
    teacher: Teacher
    texts: list[TextExample]
    tokenizer: WordPieceTokenizer

    def batches(self, texts: Iterable[TextExample]) -> TaskBatches:
        rows = self.task.kind.rows(list(texts), self.tokenizer, MAX_LENGTH)
        return TaskBatches(rows, self.tokenizer.pad_token_id, BATCH, self.seed, group_by_length=True)

    def judge(self, model: PreTrainedBert) -> dict[str, float]:
        found = judged(model, self.task, self.tokenizer, self.teacher.predictions)
        return {"accuracy": found["scores"]["accuracy"], "agreement": found["agreement"]}

    def learn(self, objective: Objective, texts: Iterable[TextExample], steps: int) -> float:
        seconds = train_steps(objective, self.batches(texts), steps, RATE, self.seed)
        objective.eval()
        return round(seconds, 1)


def prepared(name: Name, seed: int) -> Exam:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    if name != "SST-2":
        return Exam(
            name,
            seed,
            load_task(name),
            load_teacher(name, seed),
            texts_for("unlabeled", name, seed),
            tokenizer,
        )
    task = task_named(name)
    few = Task(task.name, task.kind, spread(task.train, ROWS), task.test)
    return Exam(name, seed, few, load_teacher(name, seed), list(few.train), tokenizer)


def importance(exam: Exam) -> Orders:
    """Of the teacher's heads and neurons, on training texts: DynaBERT's script looks at the dev set.

    The absolute value is taken text by text, also of neurons: over all texts together gradients of a model
    that has learned them nearly cancel, and what is left is an order that keeps fewer answers.
    """
    batches = exam.batches(spread(exam.task.train, SCORED))
    found = gate_gradients(exam.teacher.model, [batches(number) for number in range(batches.size)])
    return importance_of_heads(found, per_example), importance_of_neurons(found, per_example)


def ordered(exam: Exam, order: str, scores: Orders) -> PreTrainedBert:
    """A copy of the teacher with its heads and neurons in this order."""
    model = copy.deepcopy(exam.teacher.model)
    if order == "as they were":
        return model
    if order == "at random":
        generator = torch.Generator().manual_seed(exam.seed)
        heads, neurons = ([torch.rand(len(one), generator=generator) for one in kind] for kind in scores)
    else:
        sign = 1 if order == "important first" else -1
        heads, neurons = ([sign * one for one in kind] for kind in scores)
    rewire(model, heads, neurons)
    return model
