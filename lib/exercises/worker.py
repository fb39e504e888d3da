"""What happens in the process of an answer: judge it, send the report over a channel that no print reaches.

The judge works in the answer's own process. It notices a report that is not its own, and functions that
were replaced; someone determined to cheat can.
"""

from __future__ import annotations

import dataclasses
import faulthandler
import gc
import io
import json
import os
import pickle
import socket
import sys
import tempfile
from collections import ChainMap
from contextlib import suppress
from multiprocessing.connection import Connection
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any, Protocol

from lib.exercises import traces
from lib.exercises.report import Report

PRINTED = 2_000  # bytes of what was printed that are kept
MESSAGE_LENGTH = 20_000  # characters of a message, or of its details, that are kept
READY, STARTED = b"ready", b"started"

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)


class Answer(Protocol):
    """What leads to a candidate, in the process where it is judged."""

    def prepare(self) -> None:
        """What need not be timed: imports, for one."""

    def judged(self, exercise: Any, trials: Any) -> Report:
        """Load the candidate and judge it."""


class _Beginning(io.RawIOBase):
    """Keeps the beginning of what is written to it, and counts the rest."""

    def __init__(self) -> None:
        self.kept = b""
        self.lost = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        free = PRINTED - len(self.kept)
        self.kept += bytes(data[:free])
        self.lost += max(0, len(data) - free)
        return len(data)

    def __str__(self) -> str:
        text = self.kept.decode("utf-8", "replace").strip()
        more = f"\n... and {self.lost:,} bytes more" if self.lost else ""
        return f"In the first case your code printed:\n{text}{more}" if text else ""


def serve(connection: Connection) -> None:
    """Judge one answer, send the report, wait to be ended.

    Comes: an exercise, an answer, the seconds it may live, a folder or "", pickled; then a key. Goes: READY
    before, and STARTED after, what is not timed; the key and the report.
    """
    if hasattr(os, "setsid") and os.getsid(0) != os.getpid():
        os.setsid()  # a signal to "my whole group" stays in here, and so does an interrupt of the notebook
    gc.freeze()  # or the collector's marks make a forked process copy the memory of the server
    printed = _silence()
    import torch

    torch.set_num_threads(1)
    try:
        exercise, answer, patience, folder = pickle.loads(connection.recv_bytes())
    except EOFError:  # the notebook closed before it needed this process
        os._exit(0)
    if folder:  # one of its own in there: to work in, to call home, and for what is temporary
        os.chdir(own := tempfile.mkdtemp(prefix="answer-", dir=folder))
        sys.path.insert(0, own)  # as a notebook's folder is
        os.environ.update(dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), own))
        tempfile.tempdir = None
    trials = exercise.prepare()
    connection.send_bytes(READY)  # from here on it is the learner's
    answer.prepare()
    # Whoever started us kills us in time; should they be killed first, this ends an endless loop.
    faulthandler.dump_traceback_later(patience, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115
    connection.send_bytes(STARTED)
    # The key is on its way from here to there while the answer runs, and in no frame's variables.
    _send(connection, connection.recv_bytes(), _verdict(exercise, answer, trials, printed))
    with suppress(EOFError, OSError):
        connection.recv_bytes()  # whoever ends us finds below us what the answer has started
    os._exit(0)


def fork() -> None:
    """Fork a process for `serve` at each channel that comes over stdin, a socket; send its exit code back."""
    import torch  # noqa: F401  (once, for all of them)

    requests = socket.socket(fileno=0)
    while channels := socket.recv_fds(requests, 1, 1)[1]:
        pid = os.fork()
        if pid == 0:
            serve(Connection(channels[0]))
        os.close(channels[0])
        requests.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _verdict(exercise: Any, answer: Answer, trials: Any, printed: _Beginning) -> Report:
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
    parts = filter(None, (report.details, str(printed)))
    return dataclasses.replace(report, details="\n\n".join(parts))


def _judging() -> dict[str, Any]:
    """The functions with which an answer is judged, by name."""
    import torch

    names = [name for name in sys.modules if name.startswith(("lib.exercises", "chapters.", "tools."))]
    spaces = {name: vars(sys.modules[name]) for name in (*names, "torch", "builtins", "json", "math")}
    spaces["torch.Tensor"] = dict(ChainMap(*(dict(vars(parent)) for parent in torch.Tensor.__mro__)))
    return {
        f"{where}.{name}": value
        for where, space in spaces.items()
        for name, value in space.items()
        if isinstance(value, _FUNCTIONS)
    }


def _send(connection: Connection, key: bytes, report: Report) -> None:
    """Send a report, cut to what a page can hold, behind the key that only the judge knows."""
    report = dataclasses.replace(
        report, message=report.message[:MESSAGE_LENGTH], details=report.details[:MESSAGE_LENGTH]
    )
    connection.send_bytes(key + json.dumps(dataclasses.asdict(report)).encode())


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
