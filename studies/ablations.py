"""One choice of pretraining changed at a time at equal compute, in small BERTs."""

from __future__ import annotations

from functools import partial

from chapters.nb12 import pretraining_choices as choices
from lib.records.small_bert import grammar_texts
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread


def measure_choice(arm: choices.PretrainingChoice, budget: float, subject: Subject) -> Measured:
    """See `pretrain_and_measure`; on one thread, so that a machine repeats it."""
    with one_thread():
        scores = choices.pretrain_and_measure(arm, subject.seed, grammar_texts(), budget, subject.most_steps)
    return Measured(scores, {name: scores.pop(name) for name in ("steps", "targets")})


STUDY = Study(
    "ablations",
    "One choice of pretraining changed at a time at equal compute, in small BERTs on the grammar's text and"
    " the course's own; the seed draws weights, order, masks",
    {
        choices.HELD_OUT: {
            name: partial(measure_choice, arm, choices.BUDGET) for name, arm in choices.ARMS.items()
        }
    },
    seeds=choices.SEEDS,
    inputs=(),
    examples_of={choices.HELD_OUT: ("data/reader/town.txt", "data/reader/valley.txt")},
    minutes=15,
)
