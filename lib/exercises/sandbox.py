"""A process for each answer, so that no answer can hurt the notebook or the grader.

An answer may loop for ever, call sys.exit, crash in C, take all memory or print a million lines. It
runs in a fresh process, which sends back its verdict over a channel that printing cannot reach; after
five seconds of computing, or above 2 GB of memory, the process is killed with whatever it started.

On Linux a server that has torch loaded forks such a process in some 20 ms, and puts a stranger's answer
behind the walls of `confinement`; elsewhere (macOS, Windows) one is started ahead of time and waits for
the next answer. This protects from accidents and from most mischief, but the judge works in the answer's
own process: someone determined to cheat the check can.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import hmac
import io
import itertools
import json
import os
import pickle
import sys
import tempfile
import threading
import time
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, Protocol

from lib.exercises import traces
from lib.exercises.processes import Use, end_children, shared_out, use
from lib.exercises.report import Report
from lib.exercises.room import Room

SECONDS = 5.0  # of computing, for the learner's code
PATIENCE = 6  # times as long may it wait, or be kept waiting
MEMORY = 2 * 1024**3  # bytes, resident
PROCESSES = 100  # that an answer may have at once
STARTUP = 120.0  # seconds for Python, torch and the reference, on a cold disk
PRINTED = 2_000  # bytes of what was printed that are kept
SAID = 20_000  # characters of a message, or of its details, that are kept
SENT = 1 << 20  # bytes, at most, of a report

FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)

_READY, _STARTED = b"ready", b"started"
_STATUSES = {"passed", "failed", "blank", "missing", "copied", "error", "memory"}  # that a judge may give
_packing = threading.Lock()


class Judge(Protocol):
    """What judges a candidate: an exercise."""

    def prepare(self) -> Any:
        """The cases with what is expected, made before any of the learner's code has run."""

    def judge(self, candidate: Any, trials: Any, around: Callable[[], AbstractContextManager[Any]]) -> Report:
        """The verdict; `around()` is entered whenever the candidate's code runs."""


class Answer(Protocol):
    """What leads to a candidate, in the process where it is judged."""

    def prepare(self) -> None:
        """What need not be timed: imports, for one."""

    def judged(self, exercise: Any, trials: Any) -> Report:
        """Load the candidate and judge it."""


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
        return Carried(_packed(candidate), traces.cell_lines())
    except Exception as error:  # pickling runs the __reduce__ of anything the candidate refers to
        return Carried(b"", {}, _cannot_travel(candidate, error))


def warm_up(modules: Iterable[str] = ()) -> None:
    """Get ready for the first answer, in the background: import modules, or call a `module:function`."""
    _source.warm_up(modules)


def run(
    exercise: Judge,
    answer: Answer,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    room: Room | None = None,
) -> Report:
    """Judge an answer in a process of its own; the report says so if that process did not survive.

    seconds: of computing, over all that the answer starts; it may take PATIENCE times as long on a clock.
    memory: in bytes, beyond what Python, torch and the exercise take. room: where a stranger's answer runs;
    without one it runs in this process's folder, with its rights.
    """
    if isinstance(answer, Carried) and answer.trouble:
        return Report(False, answer.trouble, status="error")
    begin = time.perf_counter()
    try:
        payload = _packed((exercise, answer, seconds, room))
        with _worker(room, seconds) as (process, connection):
            report = _wait(process, connection, payload, seconds, memory)
    except OSError as error:  # no more processes, or no memory for one
        report = Report(False, f"No process could be started for your answer: {error}.", status="untried")
    return dataclasses.replace(report, seconds=round(time.perf_counter() - begin, 3))


def wall(room: Room) -> str:
    """Which of `room.WALLS` stands around what runs in a room on this machine. OSError if nothing can."""
    process, connection = _source.start(room, SECONDS)
    process.kill()
    connection.close()
    return str(process.wall)


# --- in the notebook or the grader ----------------------------------------------------------------


@contextmanager
def _worker(room: Room | None, seconds: float) -> Iterator[tuple[Any, Connection]]:
    process, connection = _source.start(room, seconds)
    try:
        yield process, connection
    finally:
        _end(process)
        connection.close()


def _wait(process: Any, connection: Connection, payload: bytes, seconds: float, memory: int) -> Report:
    """Send the answer, then wait for the verdict, the clock or the memory limit."""
    key = os.urandom(32)
    stage = b""
    deadline = time.monotonic() + STARTUP
    before = now = Use()
    try:
        connection.send_bytes(payload)
        connection.send_bytes(key)
        while time.monotonic() < deadline and now.seconds - before.seconds < seconds:
            if connection.poll(0.05):
                message = _received(process, connection)
                if stage == _STARTED:
                    return _read(message, key)
                stage, _, modules = message.partition(b" ")
                before = now = use(process.pid)
                if stage == _READY:
                    _source.warm_up(json.loads(modules))
                else:
                    deadline = time.monotonic() + seconds * PATIENCE
            elif stage:
                now = use(process.pid)
                # What forked processes share is counted for each of them, until it is looked at closely; and
                # some machines take seconds to hand over the memory that was asked for.
                full = now.resident - before.resident > memory and shared_out(process.pid) > memory
                if full or now.asked - before.asked > 3 * memory:
                    return _too_much(f"took or asked for more than {memory / 1024**3:.0f} GB of memory")
                if now.processes - before.processes > PROCESSES:
                    return _too_much(f"started more than {PROCESSES} processes")
                if stage == _READY:
                    before = dataclasses.replace(before, seconds=now.seconds)  # imports are not timed
    except (EOFError, OSError):  # the process ended, or sent more than a report can have
        if stage:
            return _died(process)
    if not stage:
        return Report(
            False,
            "Your answer could not be tried: the process that judges it, or the exercise itself, did"
            " not get started. Run the check again.",
            status="untried",
        )
    if (grown := now.resident - before.resident) > memory / 4:
        return _too_much(f"had taken {grown / 1024**3:.1f} GB of memory when its time was over")
    computed = now.seconds - before.seconds
    spent = f"after {seconds:g} seconds" if computed >= seconds else f"after {seconds * PATIENCE:g} seconds"
    return Report(
        False,
        f"Your code was still running {spent}, so it was stopped."
        " Look for a loop that never ends, or for work that grows too fast with the length.",
        status="timeout",
    )


def _received(process: Any, connection: Connection) -> bytes:
    """A message; the process is ended if it sends half of one."""
    alarm = threading.Timer(10, _end, [process])
    alarm.daemon = True
    alarm.start()
    try:
        return connection.recv_bytes(SENT)
    finally:
        alarm.cancel()


def _read(message: bytes, key: bytes) -> Report:
    """The report in a message, if it is the judge's and has the form of one."""
    forged = Report(
        False,
        "Your code wrote into the channel by which the check's own verdict comes, so there is none.",
        status="died",
    )
    signature, content = message[:32], message[32:]
    if not hmac.compare_digest(signature, hmac.digest(key, content, "sha256")):
        return forged
    try:
        report = Report(**json.loads(content))
    except (ValueError, TypeError):
        return forged
    texts = (report.message, report.details, report.status, report.mistake or "")
    sound = all(isinstance(text, str) for text in texts) and report.status in _STATUSES
    return report if sound and report.passed is (report.status == "passed") else forged


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


def _end(process: Any) -> None:
    """Kill a process and all it started."""
    end_children(process.pid)
    process.kill()
    process.join(5)


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
    if hasattr(os, "setsid") and os.getsid(0) != os.getpid():
        os.setsid()  # a signal to "my whole group" stays in here
    printed = _silence()
    import torch

    torch.set_num_threads(1)
    known = set(sys.modules)
    try:
        exercise, answer, seconds, room = pickle.loads(connection.recv_bytes())
    except EOFError:  # the notebook closed before it needed this process
        os._exit(0)
    if room is not None:
        _settle(room.folder)
    trials = exercise.prepare()
    loaded = [name for name in sys.modules if name not in known and name != "__main__"]
    connection.send_bytes(_READY + b" " + json.dumps(loaded).encode())  # from here on it is the learner's
    answer.prepare()
    # Whoever started us kills us in time; should they be killed first, this ends an endless loop.
    patience = seconds * PATIENCE + 30
    faulthandler.dump_traceback_later(patience, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115
    connection.send_bytes(_STARTED)
    # The key is on its way from here to there while the answer runs, and in no frame's variables.
    _send(connection, connection.recv_bytes(), _verdict(exercise, answer, trials, printed))
    os._exit(0)


def _settle(folder: str) -> None:
    """Live in a folder: work there, call it home, and keep there what is temporary."""
    os.chdir(folder)
    os.environ.update(dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), folder))
    tempfile.tempdir = None


def _verdict(exercise: Judge, answer: Answer, trials: Any, printed: _Beginning) -> Report:
    """The report on an answer, with what it printed if it is not right."""
    watch, before = _judging, _judging()
    try:
        report = answer.judged(exercise, trials)
    except BaseException as error:  # the learner's code, as it was loaded
        report = Report(False, traces.in_words(error)[0], status="error")
    with suppress(ValueError):  # the learner may have closed it
        sys.stdout.flush()
    if replaced := [name for name, value in watch().items() if name in before and before[name] is not value]:
        return Report(
            False, f"Your code replaced {min(replaced)}, with which it is judged. Leave it as it is."
        )
    if report.passed:
        return report
    parts = filter(None, (report.details, printed.in_words()))
    return dataclasses.replace(report, details="\n\n".join(parts))


def _judging() -> dict[str, Any]:
    """The functions with which an answer is judged, by name."""
    import torch

    names = [name for name in sys.modules if name.startswith(("lib.exercises", "chapters."))]
    spaces = {name: vars(sys.modules[name]) for name in (*names, "torch", "builtins", "json", "hmac", "math")}
    spaces["torch.Tensor"] = dict(ChainMap(*(dict(vars(one)) for one in torch.Tensor.__mro__)))
    return {
        f"{where}.{name}": value
        for where, space in spaces.items()
        for name, value in space.items()
        if isinstance(value, FUNCTIONS)
    }


def _send(connection: Connection, key: bytes, report: Report) -> None:
    """Send a report, cut to what a page can hold, and signed."""
    report = dataclasses.replace(report, message=report.message[:SAID], details=report.details[:SAID])
    content = json.dumps(dataclasses.asdict(report)).encode()
    connection.send_bytes(hmac.digest(key, content, "sha256") + content)


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


if sys.platform == "linux":
    from lib.exercises import fork_server

    _source: Any = fork_server.ForkServer()

    def serve_forks(descriptor: int) -> None:
        """Be the server of which `_source` asks for processes."""
        fork_server.serve(descriptor, _serve)
else:
    from lib.exercises import spawning

    _source: Any = spawning.Spawning(_serve)
