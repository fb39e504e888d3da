"""The teacher with its heads and neurons sorted, the most important first: what several studies cut from."""

from __future__ import annotations

from torch import Tensor

from lib.bert.model import PreTrainedBert
from lib.compression.elastic import width
from lib.compression.pruning.importance import importance_by_text
from lib.records.subject import Subject
from lib.training.known_tasks import evenly
from lib.training.loop import Batch

MOST_ROWS = 4000  # of SST-2
SCORED, BATCH = 400, 16  # texts that importance is computed of


def importance(subject: Subject) -> tuple[list[Tensor], list[Tensor]]:
    """Of the teacher's heads [H] and neurons [F] in each layer, on training texts: DynaBERT's script looks at
    the dev set."""
    return importance_by_text(subject.teacher.model, _scored(subject))


def rewired(subject: Subject) -> PreTrainedBert:
    """A copy of the teacher that answers as it does, its heads and neurons sorted; in eval()."""
    return width.rewired(subject.teacher.model, _scored(subject)).requires_grad_(True).eval()


def _scored(subject: Subject) -> list[Batch]:
    batches = subject.batches(evenly(subject.rows("labeled", MOST_ROWS), SCORED), BATCH)
    return [batches(number) for number in range(batches.size)]
