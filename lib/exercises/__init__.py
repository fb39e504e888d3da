"""Exercises: checks that recognize mistakes, hints, solutions, and your code in the real model.

In a notebook: `check(name, answer)`, `hint(name)`, `solution(name)`, `use(answer)`, and for what follows
`with using(answer, model):`, `install(answer, model)` or `mine = working(answer)`; notebook 09 has
`own_parts()`. In a program:
`get(name).check(answer)` returns a report, `all()` lists the exercises, as `python course.py list` does. Each
exercise is a file of `chapters/nbNN`, the folder of its notebook; CONTRIBUTING shows how to add one.
"""

import os
import sys

from lib.exercises import sandbox
from lib.exercises.notebook import (
    CheckFailed,
    check,
    hint,
    install,
    own_parts,
    progress,
    solution,
    uninstall,
    use,
    using,
    working,
)
from lib.exercises.registry import all as all  # not in __all__: a star would hide Python's own
from lib.exercises.registry import get, modules

__all__ = [
    "CheckFailed",
    "check",
    "get",
    "hint",
    "install",
    "own_parts",
    "progress",
    "solution",
    "uninstall",
    "use",
    "using",
    "working",
]

if "ipykernel" in sys.modules:
    # In the background, so that the first check is quick; Jupyter says which notebook this is. Whatever makes
    # an optimizer loads torch._dynamo, in a second.
    sandbox.warm_up(["torch._dynamo", *modules(os.environ.get("JPY_SESSION_NAME", ""))])
