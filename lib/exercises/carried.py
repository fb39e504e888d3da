"""An answer on its way from a notebook to the process where it is judged."""

from __future__ import annotations

import itertools
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

from lib.exercises import traces
from lib.exercises.report import Report
from lib.exercises.worker import Judge

_packing = threading.Lock()


@dataclass
class Carried:
    """A candidate that travels from a notebook: pickled, with the sources of the notebook's cells."""

    pickled: bytes
    cells: dict[str, list[str]]
    trouble: str = ""  # why it could not be pickled

    def prepare(self) -> None:
        """Nothing: the candidate brings what it needs."""

    def judged(self, exercise: Judge, trials: Any) -> Report:
        """Unpickle the candidate and judge it; what it prints in the first case is kept."""
        traces.remember(self.cells)
        loud, quiet = sys.stdout, open(os.devnull, "w")  # noqa: SIM115
        cases = itertools.count()

        @contextmanager
        def one_case() -> Iterator[None]:
            sys.stdout = quiet if next(cases) else loud
            try:
                yield
            finally:
                sys.stdout = loud

        return exercise.judge(pickle.loads(self.pickled), trials, one_case)


def carried(candidate: Any) -> Carried:
    """Pack a candidate, of a notebook or a module, for the journey."""
    candidate = getattr(candidate, "_torchdynamo_orig_callable", candidate)  # what is compiled stays at home
    try:
        return Carried(packed(candidate), traces.cell_lines())
    except Exception as error:  # pickling runs the __reduce__ of anything the candidate refers to
        return Carried(b"", {}, _cannot_travel(candidate, error))


def packed(value: Any) -> bytes:
    """Pickle what a notebook or a learner's file defines whole: it may not be importable elsewhere."""
    import cloudpickle

    with _packing:
        known = cloudpickle.list_registry_pickle_by_value()
        own = [
            module
            for name, module in list(sys.modules.items())
            if isinstance(module, ModuleType)
            and module.__name__ == name  # an alias, or __main__ under its true name, is not its own
            and name not in known
            and traces.is_theirs(getattr(module, "__file__", None))
        ]
        for module in own:
            cloudpickle.register_pickle_by_value(module)
        try:
            return cloudpickle.dumps(value)
        finally:
            for module in own:
                cloudpickle.unregister_pickle_by_value(module)


def _cannot_travel(candidate: Any, error: Exception) -> str:
    """Why a candidate could not be pickled, naming what in it is to blame."""
    references = _references(candidate).items()
    # A function fails with what it refers to: look at the other things first.
    for name, value in sorted(references, key=lambda item: isinstance(item[1], FunctionType)):
        try:
            packed(value)
        except Exception:  # whatever it is, this is the one
            return (
                f"Your code uses `{name}` ({type(value).__name__}) of this notebook, which cannot be"
                " copied to the process where answers are tried. Pass it as an argument, or make it"
                " inside."
            )
    return f"Your answer cannot be copied to the process where answers are tried: {error}"


def _references(candidate: Any) -> dict[str, Any]:
    """The notebook's own objects that a function or class refers to, and those that these do."""
    found: dict[str, Any] = {}
    waiting = [candidate]
    while waiting:
        value = waiting.pop()
        if isinstance(value, type) and value.__module__ == "__main__":
            waiting.extend(vars(value).values())
        if not isinstance(value, FunctionType):
            continue
        space = dict(value.__globals__)
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            with suppress(ValueError):  # nothing in it yet
                space[name] = cell.cell_contents
        for name in _names(value.__code__) & space.keys() - found.keys():
            found[name] = space[name]
            waiting.append(space[name])
    return found


def _names(code: CodeType) -> set[str]:
    inner = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return {*code.co_names, *code.co_freevars}.union(*inner)
