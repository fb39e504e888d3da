"""A script with the habits of 2020 and after each of its fixes (`chapters.nb16.habits_of_2020`)."""

from __future__ import annotations

from functools import partial

from chapters.nb16.habits_of_2020 import EPOCHS, ROWS_A_CLASS, Script, run, some_headlines, versions
from lib.records.study import Measured, Study
from lib.records.subject import Subject


def measure_version(script: Script, of_each: int, epochs: int, subject: Subject) -> Measured:
    """One version, on so many headlines of each category."""
    training, test = some_headlines(of_each)
    outcome = run(script, training, test, epochs, subject.seed)
    costs = {"processor_seconds": outcome.training + outcome.testing, "testing_seconds": outcome.testing}
    return Measured({"accuracy": outcome.accuracy}, {name: round(taken, 1) for name, taken in costs.items()})


STUDY = Study(
    "habits_of_2020",
    "A script with the habits of 2020, after each of its fixes",
    {
        "headlines": {
            fix: partial(measure_version, script, ROWS_A_CLASS, EPOCHS) for fix, script in versions().items()
        }
    },
    minutes=25,
)
