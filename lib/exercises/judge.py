"""A process for each answer, so that no answer can hurt the notebook or the grader.

An answer may loop for ever, call sys.exit, crash in C, take all memory or print a million lines. It
runs in a fresh process, which sends back its verdict over a pipe that printing cannot reach; after
five seconds, or above 2 GB of resident memory, the process is killed with whatever it started.

Where the system can fork safely a fork server that has torch loaded makes such a process in some
20 ms; elsewhere (macOS, Windows) one is started ahead of time and waits for the next answer. This
protects from accidents. Someone determined to cheat the check can.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import io
import itertools
import json
import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import CodeType, FunctionType, ModuleType
from typing import Any, Protocol

from lib.exercises import traces
from lib.exercises.exercise import Exercise
from lib.exercises.report import Report

SECONDS = 5.0  # for the learner's code
MEMORY = 2 * 1024**3  # bytes, resident
STARTUP = 120.0  # seconds for Python, torch and the reference, on a cold disk
PRINTED = 2_000  # bytes of what was printed that are kept

METHOD = "forkserver" if sys.platform.startswith("linux") else "spawn"
_STARTED = b"started"
_context: Any = multiprocessing.get_context(METHOD)
_starting, _packing = threading.Lock(), threading.Lock()
_spare: list[tuple[Any, Connection]] = []


class Answer(Protocol):
    """Something that leads to a candidate, in the process where it is judged."""

    def prepare(self) -> None:
        """What need not be timed: imports, for one."""

    def judged(self, exercise: Exercise, trials: list[Any]) -> Report:
        """Load the candidate and judge it."""


@dataclass
class Carried:
    """A candidate that travels from a notebook: pickled, with the sources of the notebook's cells."""

    pickled: bytes
    cells: dict[str, list[str]]
    trouble: str = ""  # why it could not be pickled

    def prepare(self) -> None:
        """Nothing: the candidate brings what it needs."""

    def judged(self, exercise: Exercise, trials: list[Any]) -> Report:
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
    try:
        return Carried(_packed(candidate), traces.cell_lines())
    except Exception as error:  # pickling runs the __reduce__ of anything the candidate refers to
        return Carried(b"", {}, _cannot_travel(candidate, error))


def warm_up() -> None:
    """Get ready for the first answer, in the background."""
    if METHOD == "forkserver":
        from multiprocessing import forkserver

        _context.set_forkserver_preload(["torch", "cloudpickle", "lib.bert", "lib.exercises"])
        forkserver.ensure_running()
    elif not _spare:
        _spare.append(_start())


def run(exercise: Exercise, answer: Answer, seconds: float = SECONDS, memory: int = MEMORY) -> Report:
    """Judge an answer in a process of its own; the report says so if that process did not survive."""
    if isinstance(answer, Carried) and answer.trouble:
        return Report(False, answer.trouble, status="error")
    payload = _packed((exercise, answer, seconds))
    begin = time.perf_counter()
    try:
        with _worker() as (process, connection):
            report = _wait(process, connection, payload, seconds, memory)
    except OSError as error:  # no more processes, or no memory for one
        report = Report(False, f"No process could be started for your answer: {error}", status="died")
    return dataclasses.replace(report, seconds=round(time.perf_counter() - begin, 3))


# --- in the notebook or the grader ----------------------------------------------------------------


def _packed(value: Any) -> bytes:
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


def _start() -> tuple[Any, Connection]:
    """A process that waits for an answer."""
    try:
        return _launch()
    except (OSError, EOFError):  # an answer may have killed the fork server: it starts again
        return _launch()


def _launch() -> tuple[Any, Connection]:
    here, there = _context.Pipe()
    process = _context.Process(target=_serve, args=(there,), daemon=True)
    with _starting:
        # A new process imports the script that was started first. Ours needs nothing of it, and a
        # script without `if __name__ == "__main__"` would start all over again.
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            process.start()
        finally:
            sys.modules["__main__"] = main
    there.close()
    return process, here


@contextmanager
def _worker() -> Iterator[tuple[Any, Connection]]:
    warm_up()
    try:
        process, connection = _spare.pop()
    except IndexError:  # none waiting, or another thread was quicker
        process, connection = _start()
    try:
        yield process, connection
    finally:
        _end(process)
        connection.close()
        if METHOD != "forkserver":
            warm_up()


def _wait(process: Any, connection: Connection, payload: bytes, seconds: float, memory: int) -> Report:
    """Send the answer, then wait for the verdict, the clock or the memory limit."""
    started = False
    deadline = time.monotonic() + STARTUP
    before = now = _Memory(0, 0)
    try:
        connection.send_bytes(payload)
        while time.monotonic() < deadline:
            if connection.poll(0.05):
                message = connection.recv_bytes()
                if started:
                    return Report(**json.loads(message))
                started = message == _STARTED
                deadline = time.monotonic() + seconds
                before = now = _memory(process.pid)
                continue
            now = _memory(process.pid)
            # Some machines take seconds to hand over the memory that was asked for.
            if now.resident > memory or (started and now.asked - before.asked > 3 * memory):
                return _too_much(f"took or asked for more than {memory / 1024**3:.0f} GB of memory")
    except (EOFError, OSError, ValueError, TypeError):  # the pipe broke, or what came was no report
        if started:
            return _died(process)
    if not started:
        return Report(
            False,
            "Your answer could not be tried: the process that judges it, or the exercise itself, did"
            " not get started. Run the check again.",
            status="died",
        )
    if (grown := now.resident - before.resident) > memory / 4:
        return _too_much(f"had taken {grown / 1024**3:.1f} GB of memory after {seconds:g} seconds")
    return Report(
        False,
        f"Your code was still running after {seconds:g} seconds, so it was stopped."
        " Look for a loop that never ends, or for work that grows too fast with the length.",
        status="timeout",
    )


def _too_much(what: str) -> Report:
    return Report(
        False,
        f"Your code {what}, so it was stopped. Which list or tensor grows? Look at shapes on a small"
        " input first.",
        status="memory",
    )


def _died(process: Any) -> Report:
    process.join(2)
    code = process.exitcode
    if code == -9:
        how = "was killed, as the system does where memory runs out"
    elif code is not None and code < 0:
        how = f"crashed Python itself (signal {-code})"
    else:
        how = "ended Python (os._exit, or a crash in C)"
    return Report(False, f"Your code {how}, so there is no result to look at.", status="died")


@dataclass(frozen=True)
class _Memory:
    """Bytes: in memory, with those of every process that was started; asked for (virtual size)."""

    resident: int
    asked: int


def _memory(pid: int) -> _Memory:
    import psutil

    resident = asked = 0
    with suppress(psutil.Error):  # it may end while we look
        process = psutil.Process(pid)
        asked = process.memory_info().vms
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                resident += one.memory_info().rss
    return _Memory(resident, asked)


def _end(process: Any) -> None:
    """Kill a process and all it started."""
    import psutil

    with suppress(psutil.Error):
        for child in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.Error):
                child.kill()
    process.kill()
    process.join(5)


def _cannot_travel(candidate: Any, error: Exception) -> str:
    """Why a candidate could not be pickled, naming what in it is to blame."""
    references = _references(candidate).items()
    # A function fails with what it refers to: look at the other things first.
    for name, value in sorted(references, key=lambda item: isinstance(item[1], FunctionType)):
        try:
            _packed(value)
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


# --- in the process of the answer -----------------------------------------------------------------


class _Beginning(io.RawIOBase):
    """Keeps the beginning of what is written to it, and counts the rest."""

    def __init__(self) -> None:
        self.kept = b""
        self.lost = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        room = PRINTED - len(self.kept)
        self.kept += bytes(data[:room])
        self.lost += max(0, len(data) - room)
        return len(data)

    def in_words(self) -> str:
        """What is there to show, or ""."""
        text = self.kept.decode("utf-8", "replace").strip()
        more = f"\n... and {self.lost:,} bytes more" if self.lost else ""
        return f"In the first case your code printed:\n{text}{more}" if text else ""


def _serve(connection: Connection) -> None:
    """Judge one answer, send the report, end."""
    if hasattr(os, "setsid"):
        os.setsid()  # a signal to "my whole group" stays in here
    printed = _silence()
    import torch

    torch.set_num_threads(1)
    try:
        exercise, answer, seconds = pickle.loads(connection.recv_bytes())
    except EOFError:  # the notebook closed before it needed this process
        os._exit(0)
    trials = exercise.prepare()
    answer.prepare()
    # Whoever started us kills us in time; should they be killed first, this ends an endless loop.
    faulthandler.dump_traceback_later(seconds + 30, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115
    connection.send_bytes(_STARTED)
    try:
        report = answer.judged(exercise, trials)
    except BaseException as error:  # the learner's code, as it was loaded
        report = Report(False, traces.in_words(error)[0], status="error")
    with suppress(ValueError):  # the learner may have closed it
        sys.stdout.flush()
    if not report.passed:
        parts = filter(None, (report.details, printed.in_words()))
        report = dataclasses.replace(report, details="\n\n".join(parts))
    connection.send_bytes(json.dumps(dataclasses.asdict(report)).encode())
    os._exit(0)


def _silence() -> _Beginning:
    """Let nothing out but the report: not by print, not by C, not to stderr."""
    hole = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(hole, descriptor)
    printed = _Beginning()
    sys.stdin, sys.stderr = open(os.devnull), open(os.devnull, "w")  # noqa: SIM115
    # These layers are C, so that a million lines cost a fifth of a second.
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(printed, 1 << 16), "utf-8", "replace")
    return printed
