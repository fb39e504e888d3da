"""Measuring time and memory so that the figures mean something on a laptop."""

import statistics
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import psutil
from torch import nn

from lib.bert.hooks import hooked


@dataclass(frozen=True)
class Seconds:
    """What repeated runs of one thing took: the median, and the quartiles around it."""

    median: float
    lower: float
    upper: float


@dataclass(frozen=True)
class Comparison:
    """Two things timed in turn. `ratio` is first over second, taken pair by pair."""

    first: Seconds
    second: Seconds
    ratio: Seconds


def spread(values: list[float]) -> Seconds:
    """The median and the quartiles of at least two values."""
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return Seconds(median, lower, upper)


def seconds_of(call: Callable[[], object]) -> float:
    """The wall-clock seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def processor_seconds_of(call: Callable[[], object], at_least: float = 0.1) -> float:
    """The processor's seconds of one call, which other programs on the machine do not lengthen.

    The average over as many calls as fill `at_least` seconds, since some systems count in steps of 16 ms.
    The time of the calling thread alone counts: set PyTorch to one thread.
    """
    calls, spent, start = 0, 0.0, time.thread_time()
    while calls == 0 or spent < at_least:
        call()
        calls += 1
        spent = time.thread_time() - start
    return spent / calls


def median_of_pairs(
    first: Callable[[], object], second: Callable[[], object], pairs: int = 15, warm_up: int = 2
) -> Comparison:
    """Times two calls in alternation, so that a machine that slows down slows both.

    A laptop's clock drifts with its temperature: fifteen runs of one and then fifteen of the other
    would compare two temperatures. Which of the two begins changes with every pair.
    """
    for _ in range(warm_up):
        first()
        second()
    firsts, seconds = [], []
    for pair in range(pairs):
        if pair % 2:
            seconds.append(seconds_of(second))
            firsts.append(seconds_of(first))
        else:
            firsts.append(seconds_of(first))
            seconds.append(seconds_of(second))
    ratios = [first_time / second_time for first_time, second_time in zip(firsts, seconds, strict=True)]
    return Comparison(spread(firsts), spread(seconds), spread(ratios))


def resident_bytes(process: psutil.Process) -> int:
    """The memory that a process holds right now, in bytes; 0 if it has ended meanwhile."""
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:
        return 0


class PeakMemory:
    """The most memory that the processes started by this one held together, in bytes.

        with PeakMemory() as peak:
            subprocess.run(command)
        print(peak.bytes)

    Processes that were there before do not count. It looks every 50 ms, so a shorter peak can be missed;
    memory that processes share counts for each of them.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._before = set(psutil.Process().children(recursive=True))
        self._done = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._done.wait(0.05):
            children = set(psutil.Process().children(recursive=True)) - self._before
            self.bytes = max(self.bytes, sum(map(resident_bytes, children)))

    def __enter__(self) -> "PeakMemory":
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watcher.join()


def seconds_by_part(
    parts: Mapping[str, Iterable[nn.Module]], call: Callable[[], object], repeats: int = 5
) -> dict[str, float]:
    """The median seconds that one `call` spends inside the modules of each part.

    A module inside another counts for both, so subtract where parts contain each other.
    """
    runs: dict[str, list[float]] = {name: [] for name in parts}
    spent = dict.fromkeys(parts, 0.0)
    with ExitStack() as stack:
        for name, modules in parts.items():

            def start(*_: object, name: str = name) -> None:
                spent[name] -= time.perf_counter()

            def stop(*_: object, name: str = name) -> None:
                spent[name] += time.perf_counter()

            stack.enter_context(hooked(modules, before=start, after=stop))
        call()  # a warm-up
        for _ in range(repeats):
            spent.update(dict.fromkeys(parts, 0.0))
            call()
            for name, seconds in spent.items():
                runs[name].append(seconds)
    return {name: statistics.median(values) for name, values in runs.items()}
