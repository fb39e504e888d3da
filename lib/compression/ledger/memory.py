"""The memory that a model needs to be loaded and to answer, measured in a process of its own."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import psutil
import torch
from torch import nn

from lib.analysis.cost.timing import resident_bytes
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch

INTERVAL = 0.002  # seconds between two looks


def peak_memory(load: Callable[[], nn.Module], vocab_size: int) -> int:
    """The bytes that a fresh process holds at most while it loads a model and answers a batch of 32 x 32.

    What Python, PyTorch and onnxruntime need themselves is left out. load: something that another process
    can import, such as `partial(load_packed, path)`.
    """
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_peak_of, load, vocab_size).result()


def _peak_of(load: Callable[[], nn.Module], vocab_size: int) -> int:
    import onnxruntime  # noqa: F401  (a library takes 20 MB, whichever model is measured)

    own, done = psutil.Process(), threading.Event()
    batch = example_batch(vocab_size, SHAPES["32 x 32"])
    nn.Linear(8, 8)(torch.zeros(8, 8))  # its libraries take what they need once and for all
    before = resident_bytes(own)
    peaks = [before]

    def watch() -> None:
        while not done.wait(INTERVAL):
            peaks.append(resident_bytes(own))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    with torch.inference_mode():
        model = load()
        for _ in range(3):  # so that the peak is not missed
            model(**batch)
    peaks.append(resident_bytes(own))
    done.set()
    watcher.join()
    return max(peaks) - before
