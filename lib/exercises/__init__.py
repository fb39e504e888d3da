"""Exercises: checks that recognize mistakes, hints, solutions, and your code in the real model.

In a notebook: `check(name, answer)`, `hint(name)`, `solution(name)`, `use(answer)`. In a program:
`get(name).check(answer)` returns a report, `all()` lists the exercises. On the command line:
`python -m lib.exercises --help`. A notebook's exercises are defined in the module nbNN; CONTRIBUTING
shows how to add one.
"""

import sys

from lib.exercises import sandbox
from lib.exercises.notebook import CheckFailed, check, hint, progress, solution, use
from lib.exercises.registry import all as all  # not in __all__: a star would hide Python's own
from lib.exercises.registry import get

__all__ = ["CheckFailed", "check", "get", "hint", "progress", "solution", "use"]

if "ipykernel" in sys.modules:
    sandbox.warm_up(
        ["lib.exercises.notebook"]
    )  # in the background, so that the first check of a notebook is quick
