"""What every study of compression begins with: a task, and MiniLM fine-tuned on it from one seed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from torch.optim import Optimizer

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.agreement import agreement
from lib.records.students import MAX_LENGTH, WARMUP, Texts, texts_for
from lib.records.teachers import PUBLIC_SETS, Teacher, load_teacher, task_named
from lib.text.tasks import Row, TaskBatches
from lib.training.devices import Precision, precision_here, processes
from lib.training.finetuning import evaluate
from lib.training.known_tasks import evenly
from lib.training.loop import Batches, Callback, Objective, Trainer
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay
from lib.training.task_kinds import Task


@dataclass(frozen=True)
class Subject:
    """A task by its name, and the seed that draws the teacher and all that follows.

    most_steps: no arm trains longer than that, for a test of all arms.
    """

    name: str
    seed: int
    most_steps: int | None = None

    @cached_property
    def task(self) -> Task:
        """The task, with all of its rows."""
        return task_named(self.name)

    @cached_property
    def teacher(self) -> Teacher:
        """MiniLM fine-tuned on the task from this seed, on what computes here."""
        teacher = load_teacher(self.name, self.seed)
        teacher.model.to(processes().device)
        return teacher

    @cached_property
    def tokenizer(self) -> WordPieceTokenizer:
        """MiniLM's."""
        return WordPieceTokenizer.from_pretrained("minilm")

    def rows(
        self, texts: Texts = "labeled", most: int | None = None, tokenizer: WordPieceTokenizer | None = None
    ) -> list[Row]:
        """Rows to learn from, at most so many, evenly spread; "unlabeled" and "augmented" are of the course's
        own tasks, and have no labels: of a public set all texts are labeled. tokenizer: MiniLM's unless
        given."""
        own = self.task.train if self.name in PUBLIC_SETS else texts_for(texts, self.name, self.seed)
        return self.task.kind.rows(evenly(own, most), tokenizer or self.tokenizer, MAX_LENGTH)

    def batches(self, rows: Sequence[Row], batch_size: int = 16, pad_id: int = 0) -> TaskBatches:
        """Batches of rows of like length, in an order that the seed draws."""
        return TaskBatches(rows, pad_id, batch_size, self.seed, group_by_length=True)

    def at_most(self, steps: int) -> int:
        """So many steps, or as many as a test of all arms allows."""
        return steps if self.most_steps is None else min(steps, self.most_steps)

    def judge(self, model: PreTrainedBert, tokenizer: WordPieceTokenizer | None = None) -> dict[str, Any]:
        """Its scores on the test rows by name, and `agreement`: how often it answers as the teacher does."""
        pieces = tokenizer or self.tokenizer
        scores, predictions = evaluate(model, pieces, self.task.kind, self.task.test, MAX_LENGTH)
        return scores | {"agreement": agreement(predictions, self.teacher.predictions)}

    def train(
        self,
        objective: Objective,
        rows: Sequence[Row] | Batches,
        steps: int,
        rate: float,
        *,
        batch_size: int = 16,
        callbacks: Sequence[Callback] = (),
        optimizer: Optimizer | None = None,
        precision: Precision | None = None,
        pad_id: int = 0,
        draw: int = 0,
        gradient_accumulation: int = 1,
    ) -> float:
        """The one way in which an arm is trained; returns the processor's seconds that it took.

        So many steps at a rate that rises for a tenth of them and falls to zero. rows: what `batches` makes
        batches of, or such as are made already. optimizer: AdamW unless given. precision: the one that is
        fast here unless given. draw: of dropout, another number for each training of a run.
        gradient_accumulation: batches a step.
        """
        batches = self.batches(rows, batch_size, pad_id) if isinstance(rows, Sequence) else rows
        trainer = Trainer(
            objective,
            batches,
            optimizer or adamw(objective),
            LinearDecay(self.at_most(steps), rate, WARMUP),
            callbacks,
            gradient_accumulation=gradient_accumulation,
            precision=precision or precision_here(),
            seed=self.seed + 1000 * draw,
        )
        began = time.process_time()
        trainer.train()
        return round(time.process_time() - began, 1)
