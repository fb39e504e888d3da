"""Bubblewrap around the answers of a stranger: what they can read, and that they can write and reach nothing.

Behind it they have a view of the machine that they cannot write to, without home folders, other hand-ins and
what the grader's environment names; no network, no process but their own, and a scratch folder in memory. In
the end the kernel ends all that they have started. They can still read what every user may, and alter the
process in which they are judged, and so claim to be right.
"""

from __future__ import annotations

import os
import shutil
import site
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import DEVNULL

import psutil

from lib import root
from lib.exercises.processes import Worker

SCRATCH = "/tmp"
QUOTA = 256 * 1024**2  # bytes that an answer may write into one of its folders
ON = (
    "Protection: bubblewrap. An answer could write to memory alone, and saw no home folder, no other hand-in,"
    " no other process and no network."
)
OFF = (
    "Protection: none (--unprotected). An answer has your rights: it can read and write your files, see the"
    " other hand-ins, use the network and leave processes running."
)

_EMPTY = (SCRATCH, "/var/tmp", "/run", "/home", "/root", "/dev/shm")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "OMP_NUM_THREADS")  # of the environment


def command(hidden: Iterable[Path] = ()) -> list[str]:
    """What to put before a command to run it behind bubblewrap, the folders `hidden` being empty there.

    ValueError, which says what to do, where bubblewrap is not installed or does not work.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise ValueError(_refusal("which is not installed here"))
    line = [program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv"]
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    for name, value in {**passed_on, "PYTHONPATH": os.pathsep.join(sys.path)}.items():
        line += ["--setenv", name, value]
    line += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--chdir", "/"]
    for place in (*_EMPTY, str(Path.home()), *map(str, hidden)):
        line += _emptied(os.path.realpath(place))
    tried = subprocess.run([*line, sys.executable, "-c", ""], capture_output=True, errors="replace")
    if tried.returncode != 0:
        raise ValueError(_refusal(f"which does not work here ({tried.stderr.strip()[-300:]})"))
    return line


def _refusal(trouble: str) -> str:
    return (
        f"Strangers' answers are judged behind bubblewrap, {trouble}: install version 0.7 or newer"
        " (`apt install bubblewrap`), grade on a machine where it works, or, if you trust everybody who"
        " handed in, add --unprotected."
    )


def _emptied(place: str) -> list[str]:
    """The options that lay an empty folder in memory over a place, and show again what Python needs of it."""
    if place == "/" or not os.path.isdir(place):
        return []
    folders = {str(root), sys.prefix, sys.base_prefix, *site.getsitepackages(), site.getusersitepackages()}
    options = ["--size", str(QUOTA), "--tmpfs", place]
    for folder in sorted({os.path.realpath(folder) for folder in folders if os.path.isdir(folder)}):
        if folder.startswith(place + os.sep):
            options += ["--ro-bind", folder, folder]
    return options


class Walled:
    """A process behind walls that has torch loaded, and forks another for each answer of one learner.

    `close` ends all behind the walls. So does an answer that has not ended well: the next one starts anew.
    """

    def __init__(self, walls: Sequence[str]) -> None:
        self._line = [*walls, sys.executable, "-P", "-c", "from lib.exercises import worker; worker.fork()"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Worker:
        """A process that waits for an answer. OSError if there is none."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._requests, inner = socket.socketpair()
            with inner:
                self._process = subprocess.Popen(
                    self._line, stdin=inner.fileno(), stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
                )
        self._code: int | None = None
        outer, inner = socket.socketpair()
        with inner:
            socket.send_fds(self._requests, [b"0"], [inner.fileno()])
        return _Forked(psutil.Process(self._process.pid), Connection(outer.detach()), self._wait, self)

    def close(self) -> None:
        """End all behind the walls."""
        if self._process is not None:
            self._process.kill()  # and --die-with-parent kills the rest
            self._process.wait()
            self._requests.close()
            self._process = None

    def _wait(self, timeout: float) -> int | None:
        self._requests.settimeout(timeout)
        with suppress(OSError, ValueError):  # it runs still, or all behind the walls has ended
            self._code = int(self._requests.recv(20)) if self._code is None else self._code
        return self._code


@dataclass
class _Forked(Worker):
    """One of those processes: all of them count as used by it, and it is killed with all of them."""

    walled: Walled

    def end(self) -> None:
        """Let it end by itself; close the walls if it does not, or if it leaves something running."""
        self.connection.close()
        if (
            self.wait(1) is None or len(self.family()) > 3
        ):  # bubblewrap, its first process, the one that forks
            self.walled.close()
