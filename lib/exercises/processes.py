"""A process and all that it has started: what they use, and their end."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Use:
    """What a process and all below it use: bytes in memory, the most that one asked for, seconds computed."""

    resident: int = 0
    asked: int = 0
    seconds: float = 0.0
    processes: int = 0


def use(pid: int) -> Use:
    """What a process and all below it use now; nothing of those that have ended."""
    resident = asked = processes = 0
    seconds = 0.0
    with suppress(psutil.Error):  # any may end while we look
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error), one.oneshot():
                memory, times = one.memory_info(), one.cpu_times()
                resident += memory.rss
                asked = max(asked, memory.vms)
                processes += 1
                seconds += sum(times[:4])  # its own, and those of its children that have ended
    return Use(resident, asked, seconds, processes)


def shared_out(pid: int) -> int:
    """Bytes in memory of a process and all below it, a page that n of them share counted as an nth for each.

    Linux counts that way, in some milliseconds for each; elsewhere it is the sum of their resident sizes.
    """
    total = 0
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                memory = one.memory_full_info()
                total += getattr(memory, "pss", memory.rss)
    return total


def end_children(pid: int, timeout: float = 5.0) -> None:
    """Kill every process below `pid`, however fast they fork."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        below: list[psutil.Process] = []
        with suppress(psutil.Error):
            below = psutil.Process(pid).children(recursive=True)
        alive = [one for one in below if _is_alive(one)]
        if not alive:
            return
        for one in alive:  # all stand still first: one killed early would be forked again by another
            with suppress(psutil.Error):
                one.suspend()
        for one in alive:
            with suppress(psutil.Error):
                one.kill()


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
