"""Answers judged here and now: the cases of each exercise are prepared once for all tests of a worker."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lib import exercises
from lib.exercises.report import Report
from lib.exercises.spec import Exercise
from lib.exercises.trials import Trials

ANSWERS = Path(__file__).parent / "chapters" / "answers"
FILES = {path.stem: path for path in sorted(ANSWERS.glob("nb*/*.py"))}  # by the exercise's name
EVERY = exercises.all()


def answers(exercise: Exercise) -> tuple[list[Any], list[Any]]:
    """The right answers that were written for an exercise, and the wrong ones."""
    written = runpy.run_path(str(FILES[exercise.name]))
    return written["RIGHT"], written["WRONG"]


@cache
def prepared(exercise: Exercise) -> Trials:
    """The cases of an exercise; its wrong versions, once made, stay with them."""
    return exercise.prepare()


def judged(exercise: Exercise, candidate: Any) -> Report:
    """The report on an answer, without a process of its own: quicker, and as good for one that behaves."""
    return exercise.judge(candidate, prepared(exercise))


def name_of(value: Any) -> str:
    """A name for a test's parameter that is the same in every worker."""
    named = getattr(value, "name", None) or getattr(value, "__name__", None)
    return named or (value if isinstance(value, str) else type(value).__name__)


# What is asked of every exercise is asked of one after the other: its cases are prepared in one worker.
each_exercise = pytest.mark.parametrize("exercise", EVERY, ids=name_of, scope="session")
