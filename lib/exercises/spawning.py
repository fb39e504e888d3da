"""Processes for answers where forking is not safe or not known: macOS and Windows."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

from lib.exercises.room import Room

_context = multiprocessing.get_context("spawn")


class Spawning:
    """Starts processes that do `work` over a channel; one is always ahead, and waits with torch loaded."""

    def __init__(self, work: Callable[[Connection], None]) -> None:
        self._work = work
        self._spare: list[tuple[Any, Connection]] = []
        self._starting = threading.Lock()

    def warm_up(self, modules: Iterable[str] = ()) -> None:
        """Start a process for the next answer; what it imports is its own affair."""
        if not self._spare:
            self._spare.append(self._launch())

    def start(self, room: Room | None, seconds: float) -> tuple[Any, Connection]:
        """A process that waits for an answer, and the channel to it."""
        try:
            process, connection = self._spare.pop()
        except IndexError:  # none waiting, or another thread was quicker
            process, connection = self._launch()
        process.wall = "process"
        self.warm_up()
        return process, connection

    def _launch(self) -> tuple[Any, Connection]:
        here, there = _context.Pipe()
        process: Any = _context.Process(target=self._work, args=(there,), daemon=True)
        with self._starting:
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
