"""Processes in which answers are judged: their start, what they use, their end.

On Linux the fork server of `multiprocessing`, which has loaded torch ahead, forks one in some 20 ms.
Elsewhere (macOS, Windows) forking is unsafe or unknown: there one is always started ahead, and waits.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

import psutil

from lib.exercises import worker

_context: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
_preloaded = dict.fromkeys(("torch", "cloudpickle", "lib.exercises.worker"))
_ahead: list[Worker] = []
_starting = threading.Lock()


@dataclass(frozen=True)
class Usage:
    """What a process and all below it use: bytes in memory, seconds computed, how many they are."""

    resident: int = 0
    seconds: float = 0.0
    processes: int = 0


@dataclass
class Worker:
    """A process that judges one answer, and the channel to it.

    wait(timeout): waits for its end; its status, minus the number of a signal, or None if it runs still.
    """

    process: psutil.Process
    connection: Connection
    wait: Callable[[float], int | None]

    def usage(self) -> Usage:
        """What it and all below it use now; nothing of those that have ended."""
        resident, seconds = 0, 0.0
        family = self.family()
        for process in family:
            with suppress(psutil.Error), process.oneshot():  # any may end while we look
                resident += process.memory_info().rss
                seconds += sum(process.cpu_times()[:4])  # its own, and those of its children that have ended
        return Usage(resident, seconds, len(family))

    def shared_out(self) -> int:
        """Bytes in memory, a page that n processes share counted as an nth for each, where the system can."""
        total = 0
        for process in self.family():
            with suppress(psutil.Error):
                memory = process.memory_full_info()
                total += getattr(memory, "pss", memory.rss)
        return total

    def end(self) -> None:
        """Kill it with all it has started, apart from what has left both its tree and its process group."""
        family: set[psutil.Process] = set()
        while new := self.family() - family:
            for process in new:  # all stand still first: one killed early would be forked again by another
                with suppress(psutil.Error):
                    process.suspend()
            family |= new
        for process in family:
            with suppress(psutil.Error):
                process.kill()
        if sys.platform != "win32":
            with suppress(OSError):  # there is no such group any more, or not yet
                os.killpg(self.process.pid, signal.SIGKILL)
        self.wait(5)
        self.connection.close()

    def family(self) -> set[psutil.Process]:
        """It and all below it."""
        with suppress(psutil.Error):
            return {self.process, *self.process.children(recursive=True)}
        return set()


def warm_up(modules: Iterable[str] = ()) -> None:
    """Get ready for the next answer, in the background.

    The server imports the modules when it starts; one named later is imported by each process that needs it.
    """
    if _forks():
        from multiprocessing import forkserver

        _preloaded.update(dict.fromkeys(modules))
        _context.set_forkserver_preload(list(_preloaded))
        with _no_main():
            forkserver.ensure_running()
    elif not _ahead:
        _ahead.append(_launch())


def start() -> Worker:
    """A process that waits for an answer, with this process's rights. OSError if there is none."""
    warm_up()
    if _forks():
        return _launch()
    try:
        ready = _ahead.pop()
    except IndexError:  # another thread was quicker
        return _launch()
    warm_up()
    return ready


def _forks() -> bool:
    return bool(_context.get_start_method() == "forkserver")


def _launch() -> Worker:
    here, there = _context.Pipe()
    # One that waits ahead must not keep the notebook from ending; one that is no daemon may have children.
    process = _context.Process(target=worker.serve, args=(there,), daemon=not _forks())
    try:
        with _no_main():
            process.start()
        known = psutil.Process(process.pid)
    except (EOFError, psutil.Error) as error:
        raise OSError(f"it, or the server of processes, has ended ({error})") from None
    finally:
        there.close()

    def wait(timeout: float) -> Any:
        process.join(timeout)
        return process.exitcode

    return Worker(known, here, wait)


@contextmanager
def _no_main() -> Iterator[None]:
    """Start processes that do not import the script that was started first.

    They need nothing of it, and one without `if __name__ == "__main__"` would run all over again.
    """
    with _starting:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
