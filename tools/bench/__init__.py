"""Measures the course on this machine: `python course.py bench`. Each part gives a Markdown table."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

PARTS = {
    "speed": "course",
    "imports": "course",
    "check": "course",
    "notebooks": "course",
    "vectors": "course",
    "wordpiece": "course",
    "objects": "course",
    "pretraining": "training",
    "corpus": "training",
    "first_step": "training",
    "finetuning": "finetuning",
    "own_model": "own_model",
    "ways": "finetuning",
    "plane": "finetuning",
    "onnx": "compression",
    "distilling": "compression",
    "pruned": "compression",
    "elastic": "compression",
}
"""What can be measured, and the module here whose function of that name measures it."""

DATA = {"wordpiece": "wikitext2/valid.txt", "objects": "ud_english_ewt", "first_step": "pretrain_wikipedia"}
"""What some of them read, within the folder that `--data` names."""


def measurement(part: str, data: Path | None) -> Callable[[], str]:
    """What measures one part; called, it returns a Markdown table.

    ValueError if there is no such part, or not what it reads in the folder `data`.
    """
    if part not in PARTS:
        raise ValueError(f"There is nothing called {part!r} to measure; there are {', '.join(PARTS)}.")
    if part in DATA and data is None:
        raise ValueError(f"{part} needs --data, a folder that holds {DATA[part]}.")
    if part in DATA and data is not None and not (data / DATA[part]).exists():
        raise ValueError(f"There is no {data / DATA[part]}, which {part} needs.")
    # here: --help and a wrong word do not wait for torch
    measure = getattr(importlib.import_module(f"tools.bench.{PARTS[part]}"), part)
    return partial(measure, data / DATA[part]) if data is not None and part in DATA else measure
