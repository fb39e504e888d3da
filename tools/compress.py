"""`python course.py compress`: a fine-tuned model becomes smaller, and what that costs is measured."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from lib.bert.alterations import changes_of, simplify
from lib.bert.model import PreTrainedBert
from lib.compression.packed import save_packed
from lib.files import replacing
from tools.own_ledger import PACKED, validate_onnx, write_ledger
from tools.own_models import OwnOptions, load_own
from tools.shrinking import Learning, Smaller, shrunk


@dataclass(frozen=True, kw_only=True)
class Written:
    """Where it goes."""

    to: Annotated[Path, typer.Option(help="a new folder for the small model in all its forms")]


def main(own: OwnOptions, small: Smaller, learning: Learning, written: Written) -> None:
    """Make a fine-tuned model smaller, and measure on your own rows what that costs.

    Example: `python course.py compress my-model --data my.csv --to small --bits 3 --book`

    Half the layers, taught by the model's own answers: --layers 3 --teach

    Without half of its heads and neurons: --heads 0.5 --neurons 0.5

    All together: --layers 3 --teach --heads 0.3 --neurons 0.3 --sparsity 0.5 --bits 8

    Together they are done in this order: layers, heads and neurons, sparsity, bits. After layers, and again
    after heads, neurons and sparsity, the model learns from the training rows (--epochs), for it mends what a
    cut has broken. Bits come last: what trains comes before what rounds, since training would move weights
    away from the values that they were rounded to. A model that had learned too little may end up better than
    it was, since it learns longer.

    The folder then holds the model (config.json, model.safetensors, its tokenizer), the same as a packed file
    of few bytes (model.packed.safetensors), as ONNX (model.onnx) and as ONNX in eight bits (model-int8.onnx),
    task.json for the next command, and ledger.json: what each weighs, how fast it is, how often it is right,
    and how often it says what the model said before.
    """
    if written.to.exists():
        raise ValueError(f"{written.to} exists already: name a new folder, or remove it.")
    if missing := [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]:
        raise ValueError(f"The package {missing[0]} is missing: run `python course.py lab` to install it.")
    learning.validate(small.trains)
    read = load_own(own)
    small.validate(read.model)
    validate_onnx(read)
    for remark in read.own.remarks:
        print(remark)
    with replacing(written.to) as beside:
        beside.mkdir()
        started = time.perf_counter()
        before = read.predictions(read.model)
        seconds = (time.perf_counter() - started) / len(before)  # for a row
        model = shrunk(read, small, learning, seconds)
        save_packed(model, beside / PACKED)
        simplify(model)
        model.save_pretrained(beside)
        read.tokenizer.save_pretrained(beside)
        read.own.save(beside)
        write_ledger(own.model, read, beside, before, seconds)
    print(*_how_to_load(model, written.to), sep="\n")


def _how_to_load(model: Any, folder: Path) -> Iterator[str]:
    """Who reads the folder, and how."""
    name, packed = type(model).__name__, folder / PACKED
    if not isinstance(model, PreTrainedBert):
        yield f"transformers.{name}.from_pretrained({str(folder)!r}) reads it."
        yield f"The packed file: model.load_state_dict(lib.compression.packed.read_packed({str(packed)!r}))."
        return
    yield f"lib.bert.{name}.from_pretrained({str(folder)!r}) reads it, and so does this command."
    if altered := sorted({change.name for change in changes_of(model)}):
        yield f"transformers can't, for it was altered ({', '.join(altered)}); model.onnx runs anywhere."
    else:
        yield f"transformers.{name} reads it, too."
    yield f"The packed file: lib.compression.packed.load_packed({str(packed)!r})."
