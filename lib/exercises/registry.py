"""Where exercises are found: the modules nbNN of this package, and a lecturer's own folder."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path

from lib.exercises.exercise import Exercise


@cache
def course() -> dict[str, Exercise]:
    """The exercises of the course by name, in the order of the notebooks."""
    package = importlib.import_module("lib.exercises")
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    found: dict[str, Exercise] = {}
    for name in names:
        if re.fullmatch(r"nb\d\d", name):
            _add(found, importlib.import_module(f"lib.exercises.{name}").EXERCISES, name)
    return found


def with_extra(folder: Path | None) -> dict[str, Exercise]:
    """The course's exercises and those in the Python files of `folder` (each an EXERCISES list)."""
    found = dict(course())
    if folder is None:
        return found
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. --extra takes the folder that holds your exercises.")
    for path in sorted(folder.glob("*.py")):
        module = _load(path)
        if hasattr(module, "EXERCISES"):
            _add(found, module.EXERCISES, path.name)
    return found


def get(name: str) -> Exercise:
    """The exercise of that name; ValueError with the nearest names where there is none."""
    exercises = course()
    if name in exercises:
        return exercises[name]
    near = difflib.get_close_matches(str(name), exercises, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise ValueError(f"There is no exercise called {name!r}.{hint}")


def all() -> list[Exercise]:
    """Every exercise of the course, in the order of the notebooks."""
    return list(course().values())


def _add(found: dict[str, Exercise], exercises: list[Exercise], where: str) -> None:
    for exercise in exercises:
        if exercise.name in found:
            raise ValueError(f"{where}: an exercise called {exercise.name} exists; rename one.")
        found[exercise.name] = exercise


def _load(path: Path) -> object:
    """Import a lecturer's file by its path."""
    import cloudpickle

    spec = importlib.util.spec_from_file_location(f"extra_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    cloudpickle.register_pickle_by_value(module)  # the judging process cannot import it by name
    return module
