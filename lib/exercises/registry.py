"""Where exercises are found: a file for each in the folders `chapters/nbNN`, and a lecturer's own."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path

from lib import root
from lib.exercises import traces
from lib.exercises.spec import Exercise

CHAPTERS = root / "chapters"  # of lib, this module alone knows them, and by name


@cache
def names() -> dict[str, str]:
    """The module of every exercise by the exercise's name, in the order of the notebooks."""
    module_of: dict[str, str] = {}
    for path in sorted(CHAPTERS.glob("nb[0-9][0-9]")):
        module = f"chapters.{path.name}"
        here = {name: f"{module}.{name}" for name in importlib.import_module(module).EXERCISES}
        if twice := module_of.keys() & here.keys():
            raise ValueError(f"{path.name}: an exercise called {min(twice)} exists; rename one.")
        module_of |= here
    return module_of


@cache
def load(name: str) -> Exercise:
    """The exercise of that name, its file alone being imported. KeyError if there is none."""
    module = names()[name]
    exercise: Exercise = importlib.import_module(module).EXERCISE
    if exercise.name != name:
        raise ValueError(f"{module} holds the exercise {exercise.name}: give file and exercise one name.")
    package = importlib.import_module(module.rpartition(".")[0])
    return dataclasses.replace(exercise, notebook=package.NOTEBOOK)


def modules(notebook: str) -> list[str]:
    """The modules that hold the exercises of a notebook, `05_attention` or its path."""
    number = re.match(r"\d\d", Path(notebook).name)
    start = f"chapters.nb{number[0]}." if number else "none"
    return [module for module in dict.fromkeys(names().values()) if module.startswith(start)]


def course() -> dict[str, Exercise]:
    """The exercises of the course by name, in the order of the notebooks."""
    return {name: load(name) for name in names()}


def with_extra(folder: Path | None) -> dict[str, Exercise]:
    """The course's exercises and those in the Python files of `folder` (each an EXERCISES list)."""
    exercises = course()
    if folder is None:
        return exercises
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. --extra takes the folder that holds your exercises.")
    for path in sorted(folder.glob("*.py")):
        for exercise in getattr(_load(path), "EXERCISES", []):
            if exercise.name in exercises:
                raise ValueError(f"{path.name}: an exercise called {exercise.name} exists; rename one.")
            exercises[exercise.name] = exercise
    return exercises


def get(name: str) -> Exercise:
    """The exercise of that name; ValueError with the nearest names where there is none."""
    if name in names():
        return load(name)
    near = difflib.get_close_matches(str(name), names(), n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise ValueError(f"There is no exercise called {name!r}.{hint}")


def all() -> list[Exercise]:
    """Every exercise of the course, in the order of the notebooks."""
    return list(course().values())


def _load(path: Path) -> object:
    """Import a lecturer's file by its path. ValueError, with the line, if it raises."""
    import cloudpickle

    spec = importlib.util.spec_from_file_location(f"extra_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever it is, the lecturer has to fix it
        raise ValueError(f"{path} could not be imported. {traces.in_words(error)[0]}") from None
    cloudpickle.register_pickle_by_value(module)  # the judging process cannot import it by name
    return module
