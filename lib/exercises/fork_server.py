"""A process with torch loaded that forks another for each answer, each under a supervisor.

    the notebook or grader   asks for a process, keeps the other end of its channel
      └ server               imports once what every answer needs, then forks; does nothing else
          └ supervisor       adopts what the answer leaves running, and ends it; tells how the answer ended
              └ (first)      with namespaces only: their first process, whose end is the end of all in them
                  └ worker   where the answer runs

Linux only: forking is safe there, and namespaces exist.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from lib.exercises import confinement
from lib.exercises.processes import end_children
from lib.exercises.room import WALLS, Room

STARTUP = 120.0  # seconds for Python, torch and the reference, on a cold disk
SIGNAL = 128  # a status above it is that of a process which a signal ended
_COMMAND = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    " from lib.exercises import sandbox; sandbox.serve_forks(int(sys.argv[2]))"
)


class Forked:
    """A process that the server has forked, as `multiprocessing` would show it."""

    def __init__(self, pid: int, wall: str, status: Connection) -> None:
        self.pid, self.wall = pid, wall
        self.exitcode: int | None = None
        self._status = status

    def join(self, timeout: float) -> None:
        """Wait for the end of the answer; `exitcode` is as that of multiprocessing then, or still None."""
        with suppress(EOFError, OSError, ValueError):
            if self.exitcode is None and self._status.poll(timeout):
                code = int(self._status.recv_bytes(20))
                self.exitcode = SIGNAL - code if code > SIGNAL else code

    def kill(self) -> None:
        """End the supervisor, and with it what is in its namespaces."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 9)
        self._status.close()


class ForkServer:
    """The server as the notebook or grader sees it; it is started anew if an answer has killed it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._modules: dict[str, None] = {"torch": None, "cloudpickle": None, "psutil": None}

    def warm_up(self, modules: Iterable[str] = ()) -> None:
        """Start the server if it is not there, and let it import modules, so that no answer's process has to;
        of `module:function` it calls the function as well. It gets ready while we do something else."""
        with self._lock:
            server = self._ensure_running()
            new = [name for name in modules if name not in self._modules]
            self._modules |= dict.fromkeys(new)
            if new:
                with suppress(OSError):  # it has ended: the next one imports them
                    server.send(json.dumps({"preload": new}).encode())

    def start(self, room: Room | None, seconds: float, timeout: float = STARTUP) -> tuple[Forked, Connection]:
        """A process that waits for an answer, and the channel to it. OSError if there is none in time."""
        with self._lock:
            try:
                return self._ask(room, seconds, timeout)
            except OSError:  # an answer may have ended or stopped the server: another, and once more
                self._end()
                return self._ask(room, seconds, STARTUP)

    def _ask(self, room: Room | None, seconds: float, timeout: float) -> tuple[Forked, Connection]:
        server = self._ensure_running()
        request: dict[str, Any] = {"seconds": seconds}
        if room is not None:
            request["room"] = [room.folder, room.hidden, room.walls]
        ours, theirs = socket.socketpair()
        status, told = socket.socketpair()
        with theirs, told:
            server.settimeout(timeout)
            socket.send_fds(server, [json.dumps(request).encode()], [theirs.fileno(), told.fileno()])
            answer = server.recv(1 << 12)
        if not answer:
            raise OSError("the server of processes has ended")
        pid, wall = json.loads(answer)
        return Forked(pid, wall, Connection(status.detach())), Connection(ours.detach())

    def _ensure_running(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._socket is None:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _COMMAND, json.dumps(sys.path), str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,  # an interrupted cell interrupts the kernel alone
                )
            self._socket.send(json.dumps({"preload": list(self._modules)}).encode())
        return self._socket

    def _end(self) -> None:
        if self._process is not None and self._socket is not None:
            self._process.kill()
            self._process.wait()
            self._socket.close()
        self._process = self._socket = None


# --- in the server --------------------------------------------------------------------------------


def serve(descriptor: int, work: Callable[[Connection], None]) -> None:
    """Fork a process for `work` at each request on a socket, until the other end is closed."""
    requests = socket.socket(fileno=descriptor)
    walls: dict[str, str] = {}
    while True:
        message, descriptors = b"", list[int]()
        with suppress(ConnectionError):  # whoever asked us has ended
            message, descriptors, _, _ = socket.recv_fds(requests, 1 << 18, 2)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not message:
            os._exit(0)
        request = json.loads(message)
        if "preload" in request:
            _preload(request["preload"])
            continue
        room = Room(*request["room"]) if "room" in request else None
        wall = ""
        if room is not None:
            wall = walls[room.walls] = walls.get(room.walls) or _strongest(room)
        pid = os.fork()
        if pid == 0:
            requests.close()
            connection: Connection = Connection(descriptors[0])
            status: Connection = Connection(descriptors[1])
            _supervise(connection, status, room, wall, request["seconds"], work)
        with suppress(ConnectionError):
            requests.send(json.dumps([pid, wall]).encode())
        for one in descriptors:
            os.close(one)


def _preload(modules: list[str]) -> None:
    for name in modules:
        module, _, function = name.partition(":")
        with suppress(Exception):  # whoever needs it will hear of it
            loaded = importlib.import_module(module)
            if function:
                getattr(loaded, function)()
    gc.collect()
    gc.freeze()  # or the collector's marks make every forked process copy the memory of this one


def _strongest(room: Room) -> str:
    """The strongest wall that the system permits, of the one asked for and those below it."""
    walls = list(WALLS)
    possible = (wall for wall in walls[walls.index(room.walls) :] if _status(_fork(_Trial(room, wall))) == 0)
    return next(possible, walls[-1])


@dataclass(frozen=True)
class _Trial:
    """Going behind a wall, to see whether the system permits it."""

    room: Room
    wall: str

    def __call__(self) -> None:
        if self.wall == "namespaces":
            confinement.unshare()
            os._exit(_status(_fork(self._first)))
        _enter(self.room, self.wall)

    def _first(self) -> None:
        confinement.close_off(self.room.folder, self.room.hidden)
        _enter(self.room, self.wall)


def _supervise(
    connection: Connection,
    status: Connection,
    room: Room | None,
    wall: str,
    seconds: float,
    work: Callable[[Connection], None],
) -> None:
    """Let `work` happen in a process below; tell how it ended; leave nothing of it running."""
    os.setsid()  # a signal to "my whole group" stays in here
    confinement.die_with_parent()
    confinement.adopt_orphans()

    def worker() -> None:
        status.close()
        os.setsid()
        if room is not None:
            _enter(room, wall)
        confinement.limit(seconds)
        confinement.die_with_parent()
        work(connection)

    def first() -> None:
        assert room is not None
        confinement.die_with_parent()
        confinement.close_off(room.folder, room.hidden)
        pid = _fork(worker)
        connection.close()
        status.close()
        os._exit(_status(pid))

    if wall == "namespaces":
        confinement.unshare()
    pid = _fork(first if wall == "namespaces" else worker)
    connection.close()
    code = _status(pid)
    end_children(os.getpid())
    with suppress(OSError):
        status.send_bytes(str(code).encode())
    os._exit(0)


def _enter(room: Room, wall: str) -> None:
    """Give up the rights that an answer does not have behind a wall."""
    if wall == "namespaces":
        confinement.drop_privileges()
    elif wall == "user":
        confinement.become_nobody(room.folder)


def _fork(work: Callable[[], None]) -> int:
    """Do `work` in a process of its own, which ends with 0, or 1 after an exception."""
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            work()
            os._exit(0)
        os._exit(1)
    return pid


def _status(pid: int) -> int:
    """How a process ended: its status, or 128 and the signal. Reaps whatever else ends before."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            return SIGNAL - code if code < 0 else code
