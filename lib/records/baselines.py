"""What stands beside every compressed model and needs none."""

from __future__ import annotations

from lib.records.study import Measured
from lib.records.subject import Subject
from lib.training import baselines


def measure_word_counts(subject: Subject) -> Measured:
    """What a count of words answers."""
    task = subject.task
    predictions = baselines.OF_TASK[subject.name](task.train, task.test)
    return Measured(dict(task.kind.score(predictions, task.test)))
