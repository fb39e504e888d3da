"""The skeleton of a new exercise, and of its answers."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import lib
from lib import files

SPEC = '''"""TODO: what is asked, in a line."""

from collections.abc import Iterator

import torch
from torch import Tensor

from lib.TODO import TODO
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[Tensor]]:
    """TODO: the readable one first; what the statement promises, boundaries included."""
    generator = torch.Generator().manual_seed(seed)
    yield (torch.randn(2, 3, generator=generator),)


# fmt: off
EXERCISE = Exercise(
    name="{name}", minutes=5, difficulty=1, reference=TODO.{name}, cases=cases,
    mistakes=[
        Mistake("TODO", "TODO: what a good tutor says.", edit("TODO", "TODO")),
    ],
    hints=("TODO: the idea.",
           "TODO: the shapes.",
           "TODO: the line."),
    why="TODO: said when it is right.",
)
# fmt: on
'''
ANSWERS = """RIGHT = [
    # three or more, each written in another way
]
WRONG = [
    # ten or more, written from the notebook's statement alone
]
"""


def write(notebook: str, name: str) -> list[Path]:
    """Write the file of an exercise and of its answers, and enter its name in the notebook's folder.

    notebook: its number, `05`. Raises ValueError if there is no such notebook, or the exercise exists.
    """
    paths = sorted((lib.root / "notebooks").glob(f"{notebook}_*.ipynb"))
    if not re.fullmatch(r"\d\d", notebook) or not paths:
        raise ValueError(f"There is no notebook {notebook!r}: give its two digits, such as 05.")
    if not name.isidentifier():
        raise ValueError(f"{name!r} cannot be the name of a function, a class or a variable.")
    folder = lib.root / "chapters" / f"nb{notebook}"
    exercise = folder / f"{name}.py"
    answers = lib.root / "tests" / "chapters" / "answers" / folder.name / exercise.name
    if exercise.exists():
        raise ValueError(f"{exercise} exists.")
    start = folder / "__init__.py"
    names = _names(start) if start.exists() else ()
    files.write_whole(exercise, SPEC.replace("{name}", name))
    files.write_whole(answers, ANSWERS)
    exercises = "".join(f'    "{listed}",\n' for listed in (*names, name))
    title = paths[0].stem[3:].replace("_", " ")
    files.write_whole(
        start,
        f'"""What notebook {notebook}, {title}, alone needs."""\n\n'
        f'NOTEBOOK = "{paths[0].stem}"\nEXERCISES = (\n{exercises})\n',
    )
    return [exercise, answers]


def _names(start: Path) -> tuple[str, ...]:
    for statement in ast.parse(start.read_text("utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "EXERCISES":
            return tuple(ast.literal_eval(statement.value))
    return ()
