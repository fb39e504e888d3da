"""A teacher's answers, asked for once: a student's batches bring them, and no epoch pays for them again.

    rows = [*labeled, *unlabeled(further)]                   # the student's, perhaps of pieces of its own
    answers = {"logits": row_answers(teacher, teacher_rows)}  # of the same texts, in the same order
    batches = TaughtBatches(TaskBatches(rows), answers)

They lie at the numbers of the rows, so that rows may be shuffled. They are those of unchanged text: where a
batch is made anew each time, as for masked language models, the teacher has to run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from lib.bert.model import PreTrainedBert
from lib.bert.validation import validate_eval
from lib.text.masking import IGNORED
from lib.text.tasks import Row, TaskBatches
from lib.training.features import cls_states
from lib.training.loop import Batch
from lib.training.task_kinds import row_logits

#: how the classes end, here and in `transformers`, whose models answer of each token
OF_EACH_TOKEN = ("TokenClassification", "QuestionAnswering", "MaskedLM")


def row_answers(teacher: PreTrainedBert, rows: Sequence[Row], pad_id: int = 0) -> Tensor:
    """The teacher's logits of every row [rows, C], in their order; [C] is as long for each of them.

    ValueError for a model that answers of each token.
    """
    validate_eval(teacher)
    if any(kind.__name__.endswith(OF_EACH_TOKEN) for kind in type(teacher).__mro__):
        raise ValueError(
            f"A {type(teacher).__name__} has answers for each token, not one set of logits a row: give the "
            "objective the teacher itself."
        )
    return torch.stack(row_logits(teacher, rows, pad_id))


def row_cls_states(teacher: PreTrainedBert, rows: Sequence[Row]) -> Tensor:
    """The teacher's [CLS] state after every layer [rows, L + 1, D], which PKD matches."""
    return cls_states(teacher, rows)


def unlabeled(rows: Sequence[Row]) -> list[Row]:
    """Rows of one label each without it, to share batches with labeled ones; the teacher has to do."""
    return [{**row, "labels": IGNORED} for row in rows]


@dataclass(frozen=True)
class TaughtBatches:
    """The batches of `TaskBatches`, each with what a teacher says of its rows.

    answers: by the name of a `Knowledge`, such as "logits" or "cls_states", a tensor with a row for each row.
    """

    batches: TaskBatches
    answers: Mapping[str, Tensor]

    def __post_init__(self) -> None:
        for name, answer in self.answers.items():
            if len(answer) != len(self.batches.rows):
                raise ValueError(
                    f"{len(answer)} answers ({name}) for {len(self.batches.rows)} rows: give one for each."
                )

    @property
    def size(self) -> int:
        """Batches in an epoch."""
        return self.batches.size

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        digest = hashlib.sha256()
        for name, answer in self.answers.items():
            digest.update(f"{name} {answer.dtype} {list(answer.shape)}".encode())
            digest.update(answer.contiguous().numpy().tobytes())
        return {**self.batches.fingerprint, "kind": "taught", "answers": digest.hexdigest()}

    def __call__(self, number: int) -> Batch:
        places = self.batches.places(number)
        return {
            **self.batches(number),
            **{f"teacher_{name}": answer[places].float() for name, answer in self.answers.items()},
        }
