"""The dots of the picture that grows: what the models of part 4 cost, and how many headlines they sort.

mine = own_dot("3 bits, trained here", model, accuracy, teacher.model)
figures.show(*figures.draw_frontier([*dots_until("20"), mine], "20"))
"""

from __future__ import annotations

import copy
import tempfile
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import torch

from lib.bert.model import PreTrainedBert
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, in_turns
from lib.compression.packed import load_packed, save_packed
from lib.records.ledger import METHODS, ledger_rows

TASK, SHAPE = "headlines", "1 x 9"
ROUNDS = 31  # with 9, a busy machine made the same model 10 to 20% faster or slower than itself


class Dot(NamedTuple):
    """A model: what it is called, the notebook that builds it, and what it costs and reaches."""

    name: str
    notebook: str  # "" of the reader's own
    megabytes: float  # of its file
    milliseconds: float  # for one text of nine pieces
    accuracy: float  # in percent, the mean over seeds


def dots_until(notebook: str) -> list[Dot]:
    """The models that the course has built up to a notebook, such as "20"."""
    by_name = {row.method: row for row in ledger_rows()[TASK]}
    dots = []
    for method in METHODS:
        if TASK in method.answers and method.notebook <= notebook:
            row = by_name[method.name]
            milliseconds = row.milliseconds.get("float32") or next(iter(row.milliseconds.values()))
            dots.append(
                Dot(
                    method.name,
                    method.notebook,
                    (row.file_bytes or 0) / 1e6,
                    milliseconds[SHAPE],
                    100 * mean(row.scores),
                )
            )
    return dots


def own_dot(name: str, model: PreTrainedBert, accuracy: float, original: PreTrainedBert) -> Dot:
    """The reader's own model, weighed as its packed file, and timed out of it beside the original.

    accuracy: 0 to 1. Its milliseconds are those of the recorded MiniLM times what the two took here, so that
    one picture holds them on any machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        save_packed(copy.deepcopy(model).eval(), path)
        megabytes, plain = path.stat().st_size / 1e6, load_packed(path)
    whole = original.eval()
    with torch.inference_mode():
        calls = {
            "own": partial(plain, **example_batch(plain.config.vocab_size, SHAPES[SHAPE])),
            "original": partial(whole, **example_batch(whole.config.vocab_size, SHAPES[SHAPE])),
        }
        spent = in_turns(calls, ROUNDS)
    recorded = next(dot for dot in dots_until("19") if dot.name == "MiniLM")
    ratio = median(own / other for own, other in zip(spent["own"], spent["original"], strict=True))
    return Dot(name, "", megabytes, ratio * recorded.milliseconds, 100 * accuracy)
