"""An answer on its way from a notebook to the process where it is judged."""

from __future__ import annotations

import io
import itertools
import os
import pickle
import sys
import threading
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import cloudpickle

from lib.exercises import traces
from lib.exercises.report import Report

_packing = threading.Lock()


@dataclass
class Carried:
    """A candidate that travels from a notebook: pickled, with the sources of the notebook's cells."""

    pickled: bytes
    cells: dict[str, list[str]]
    trouble: str = ""  # why it could not be pickled

    def prepare(self) -> None:
        """Nothing: the candidate brings what it needs."""

    def judged(self, exercise: Any, trials: Any) -> Report:
        """Unpickle the candidate and judge it; what it prints in the first case is kept."""
        traces.remember(self.cells)
        quiet = open(os.devnull, "w")  # noqa: SIM115
        cases = itertools.count()

        def one_case() -> AbstractContextManager[Any]:
            return redirect_stdout(quiet) if next(cases) else nullcontext()

        return exercise.judge(pickle.loads(self.pickled), trials, one_case)


def carried(candidate: Any) -> Carried:
    """Pack a candidate, of a notebook or a module, for the journey."""
    candidate = getattr(candidate, "_torchdynamo_orig_callable", candidate)  # what is compiled stays at home
    seen: list[Any] = []
    try:
        return Carried(packed(candidate, seen), traces.cell_lines())
    except Exception as error:  # pickling runs the __reduce__ of anything the candidate refers to
        return Carried(b"", {}, _cannot_travel(seen, error))


def packed(value: Any, seen: list[Any] | None = None) -> bytes:
    """Pickle what a notebook or a learner's file defines whole: it may not be importable elsewhere.

    All that is being pickled is added to `seen`.
    """
    file = io.BytesIO()
    pickler = _Pickler(file, [] if seen is None else seen)
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
            pickler.dump(value)
        finally:
            for module in own:
                cloudpickle.unregister_pickle_by_value(module)
    return file.getvalue()


class _Pickler(cloudpickle.Pickler):
    """Notes all that it pickles."""

    def __init__(self, file: io.BytesIO, seen: list[Any]) -> None:
        super().__init__(file)
        self._seen = seen

    def persistent_id(self, value: Any) -> None:
        self._seen.append(value)


def _cannot_travel(seen: list[Any], error: Exception) -> str:
    """Why a candidate could not be pickled: of all that was seen, the last that has a name and cannot be."""
    spaces = [value.__globals__ for value in seen if isinstance(value, FunctionType)]
    for value in reversed([value for value in seen if not isinstance(value, FunctionType)]):
        for name in [name for space in spaces for name in space if space[name] is value]:
            with suppress(Exception):  # whatever it raises, this is the one
                packed(value)
                continue
            return (
                f"Your code uses `{name}` ({type(value).__name__}) of this notebook, which cannot be copied"
                " to the process where answers are tried. Pass it as an argument, or make it inside."
            )
    return f"Your answer cannot be copied to the process where answers are tried: {error}"
