"""Batches with a teacher's answers, whose draft hands each row the answer to another one."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lib.compression.distillation import answers
from lib.exercises.spec import Exercise, Mistake, Unfit, edit
from lib.text.tasks import TaskBatches

PLACES = "self.batches.places(number)"
IN_ORDER = "list(range(number % self.size * self.batches.batch_size, 8))[: self.batches.batch_size]"


def cases(seed: int) -> Iterator[tuple[int, int, int, bool, list[int]]]:
    """Rows, rows in a batch, the seed of their order, whether grouped by length, and batches to make."""
    yield 6, 2, seed, False, [0, 2]
    yield 6, 2, seed, False, [4]
    yield 8, 4, seed + 1, True, [0, 1, 3]


def run(
    candidate: Any, rows: int, batch_size: int, seed: int, grouped: bool, numbers: list[int]
) -> dict[str, Tensor]:
    """Row r holds piece r, and the teacher's logits of row r are r and -r: both are to agree in a batch."""
    texts = [{"input_ids": [row] * (2 + row % 3), "labels": row % 2} for row in range(rows)]
    batches = TaskBatches(texts, pad_id=0, batch_size=batch_size, seed=seed, group_by_length=grouped)
    logits = torch.arange(float(rows))[:, None] * torch.tensor([1.0, -1.0])  # [rows, C]
    taught = candidate(batches, {"logits": logits})
    tensors = {}
    for number in numbers:
        batch = taught(number)
        if not isinstance(batch, dict) or not {"input_ids", "labels", "teacher_logits"} <= batch.keys():
            raise Unfit(
                "A batch is a dict of all that self.batches(number) holds, and teacher_logits [B, C]."
            )
        tensors[f"batch {number}, rows"] = batch["input_ids"][:, 0]
        tensors[f"batch {number}, teacher_logits"] = batch["teacher_logits"]
    return tensors


# fmt: off
EXERCISE = Exercise(
    name="TaughtBatches", kind="bug", minutes=5, difficulty=2, reference=answers.TaughtBatches, cases=cases,
    run=run, gradients=False,
    mistakes=[
        Mistake("in_order", "As in the draft, batch 0 gets the answers to rows 0, 1, ..., but these are not"
            " its rows: the batches shuffle. self.batches.places(number) says which rows stand in a batch.",
            edit(PLACES, IN_ORDER)),
        Mistake("first_epoch", "Right in the first epoch. From the second on the rows come in another order,"
            " and your answers still in the first: give places the number as it is, not its remainder.",
            edit(PLACES, "self.batches.places(number % self.batches.size)")),
        Mistake("sorted", "The right answers, sorted by row, while the rows of the batch are not sorted. Keep"
            " the order of places.", edit(PLACES, f"sorted({PLACES})")),
        Mistake("another_batch", "These are the answers to another batch's rows. Rows and answers take the"
            " same number.",
            (edit(PLACES, "self.batches.places(number + 1)"), edit(PLACES, "self.batches.places(0)"))),
    ],
    hints=("Print batch 0's input_ids and its teacher_logits. In the check, row r holds the piece r and its"
           " logits are r and -r. Do they belong together?",
           "self.batches.places(number) is a list of B places in the rows, in the order of the batch; answers"
           " [rows, C] indexed with it is [B, C].",
           'self.answers["logits"][self.batches.places(number)]'),
    why="Nothing crashes with the draft, and the loss even falls: the student learns how often each class"
        " comes.",
)
# fmt: on
