"""The teacher with its heads and neurons sorted, the most important first: what several studies cut from."""

from __future__ import annotations

import copy

from torch import Tensor

from lib.bert.model import PreTrainedBert
from lib.compression.elastic.width import rewire
from lib.compression.pruning.importance import (
    gate_gradients,
    importance_of_heads,
    importance_of_neurons,
    per_example,
)
from lib.records.subject import Subject
from lib.training.known_tasks import spread

MOST_ROWS = 4000  # of SST-2
SCORED, BATCH = 400, 16  # texts that importance is computed of


def importance(subject: Subject) -> tuple[list[Tensor], list[Tensor]]:
    """Of the teacher's heads and neurons, on training texts: DynaBERT's script looks at the dev set.

    [H] and [F] for each layer. The absolute value is taken text by text, also of neurons: over all texts
    together gradients of a model that has learned them nearly cancel, and what is left is an order that keeps
    fewer answers.
    """
    batches = subject.batches(spread(subject.rows("labeled", MOST_ROWS), SCORED), BATCH)
    gradients = gate_gradients(subject.teacher.model, [batches(number) for number in range(batches.size)])
    return importance_of_heads(gradients, per_example), importance_of_neurons(gradients, per_example)


def rewired(subject: Subject) -> PreTrainedBert:
    """A copy of the teacher that answers as it does, its heads and neurons sorted; in eval()."""
    model = copy.deepcopy(subject.teacher.model)
    rewire(model, *importance(subject))
    return model.requires_grad_(True).eval()
