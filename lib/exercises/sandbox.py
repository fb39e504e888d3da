"""A process for each answer, so that no answer can hurt the notebook or the grader.

An answer may loop for ever, call sys.exit, crash in C, take all memory or print a million lines. It
runs in a fresh process, which sends back its verdict over a channel that printing cannot reach; after
five seconds of computing, or above 2 GB of memory, the process is killed with whatever it started.

That protects from accidents. The process has this one's rights: it can read and write files and use the
network. For a stranger's answer `walls` puts bubblewrap around it.
"""

from __future__ import annotations

import dataclasses
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from lib.exercises import processes
from lib.exercises.carried import Carried, carried, packed
from lib.exercises.processes import Usage, Worker, warm_up
from lib.exercises.report import Report
from lib.exercises.worker import READY, STARTED, Answer

__all__ = ["carried", "run", "warm_up"]

SECONDS = 5.0  # of computing, for the learner's code
PATIENCE = 6  # times as long may it wait, or be kept waiting
MEMORY = 2 * 1024**3  # bytes, resident
PROCESSES = 100  # that an answer may have at once: each takes memory of the system's own
STARTUP = 120.0  # seconds for Python, torch and the reference, on a cold disk
SENT = 1 << 20  # bytes, at most, of a report

_STATUSES = {"passed", "failed", "blank", "missing", "copied", "error", "memory"}  # that a judge may give
_KEY = 32  # bytes


def run(
    exercise: Any,
    answer: Answer,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    start: Callable[[], Worker] = processes.start,
    folder: str = "",
) -> Report:
    """Judge an answer in a process of its own; the report says so if that process did not survive.

    seconds: of computing, over all that the answer starts; it may take PATIENCE times as long on a clock.
    memory: in bytes, beyond what Python, torch and the exercise take. start: of the process; a stranger's is
    `walls.Walled(...).start`. folder: where, as seen from that process, the answer gets a folder of its own;
    without one it works in ours.
    """
    if isinstance(answer, Carried) and answer.trouble:
        return Report(False, answer.trouble, status="error")
    begin = time.perf_counter()
    try:
        payload = packed((exercise, answer, seconds * PATIENCE + 30, folder))
        worker = start()
        try:
            report = _watched(worker, payload, seconds, memory)
        finally:
            worker.end()
    except OSError as error:  # no more processes, or no memory for one
        report = Report(False, f"No process could be started for your answer: {error}.", status="untried")
    return dataclasses.replace(report, seconds=round(time.perf_counter() - begin, 3))


def _watched(worker: Worker, payload: bytes, seconds: float, memory: int) -> Report:
    """Send the answer, then wait for the verdict, the clock or the memory limit."""
    key = os.urandom(_KEY)
    phase = b""
    deadline = time.monotonic() + STARTUP
    before = now = Usage()
    try:
        worker.connection.send_bytes(payload)
        worker.connection.send_bytes(key)
        while time.monotonic() < deadline and now.seconds - before.seconds < seconds:
            if worker.connection.poll(0.05):
                message = _received(worker)
                if phase == STARTED:
                    return _read(message, key)
                phase = message
                before = now = worker.usage()
                if phase == STARTED:
                    deadline = time.monotonic() + seconds * PATIENCE
            elif phase:
                now = worker.usage()
                if now.processes - before.processes > PROCESSES:
                    return _too_much(f"started more than {PROCESSES} processes")
                # What forked processes share is counted for each of them, until it is looked at closely.
                if now.resident - before.resident > memory and worker.shared_out() > memory:
                    return _too_much(f"took more than {memory / 1024**3:.0f} GB of memory")
                if phase == READY:
                    before = dataclasses.replace(before, seconds=now.seconds)  # imports are not timed
    except (EOFError, OSError):  # the process ended, or sent more than a report can have
        if phase:
            return _died(worker.wait(2))
    if not phase:
        return Report(
            False,
            "Your answer could not be tried: the process that judges it, or the exercise itself, did"
            " not get started. Run the check again.",
            status="untried",
        )
    if (grown := now.resident - before.resident) > memory / 4:  # some machines take seconds to hand it over
        return _too_much(f"had taken {grown / 1024**3:.1f} GB of memory when its time was over")
    computed = now.seconds - before.seconds
    spent = f"after {seconds:g} seconds" if computed >= seconds else f"after {seconds * PATIENCE:g} seconds"
    return Report(
        False,
        f"Your code was still running {spent}, so it was stopped."
        " Look for a loop that never ends, or for work that grows too fast with the length.",
        status="timeout",
    )


def _received(worker: Worker) -> bytes:
    """A message; the process is killed if it sends half of one."""
    alarm = threading.Timer(10, worker.process.kill)
    alarm.daemon = True
    alarm.start()
    try:
        return worker.connection.recv_bytes(SENT)
    finally:
        alarm.cancel()


def _read(message: bytes, key: bytes) -> Report:
    """The report in a message, if it is the judge's, who alone knows the key, and has the form of one."""
    forged = Report(
        False,
        "Your code wrote into the channel by which the check's own verdict comes, so there is none.",
        status="died",
    )
    if message[:_KEY] != key:
        return forged
    try:
        report = Report(**json.loads(message[_KEY:]))
    except (ValueError, TypeError):
        return forged
    texts: list[Any] = [report.message, report.details, report.status, report.mistake or ""]
    sound = all(isinstance(text, str) for text in texts) and report.status in _STATUSES
    return report if sound and report.passed is (report.status == "passed") else forged


def _too_much(what: str) -> Report:
    return Report(
        False,
        f"Your code {what}, so it was stopped. Which list or tensor grows? Look at shapes on a small"
        " input first.",
        status="memory",
    )


def _died(code: int | None) -> Report:
    if code == -9:
        end = "was killed, as the system does where memory runs out"
    elif code is not None and code < 0:
        end = f"crashed Python itself (signal {-code})"
    else:
        end = "ended Python (os._exit, or a crash in C)"
    return Report(False, f"Your code {end}, so there is no result to look at.", status="died")
