"""What a small model costs and reaches beside the one that it was made of, on somebody's own rows."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

import torch
from torch import Tensor, nn

from lib.analysis.prediction import scores
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.onnx import OnnxModel, export_onnx, quantize_onnx
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, milliseconds
from lib.compression.packed import load_packed, read_packed
from lib.files import write_json
from lib.provenance import machine
from lib.stats import resampled_interval, share_interval
from lib.training.own_task import Kind
from lib.training.task_kinds import Classification, Regression
from tools.markdown import table
from tools.own_models import OwnModel, load_model

WEIGHTS, PACKED = "model.safetensors", "model.packed.safetensors"
ONNX, INT8, LEDGER = "model.onnx", "model-int8.onnx", "ledger.json"
ROUNDS = 7

#: from the places of rows, some perhaps more than once, to what they score
Score = Callable[[Sequence[int]], float]


@dataclass(frozen=True)
class Share:
    """A score, and the 95% interval that it lies in."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


@dataclass(frozen=True)
class Line:
    """One form of the model."""

    model: str
    bytes: int
    milliseconds: dict[str, float]  # of a call, by the shape of what it reads
    score: Share
    agreement: Share | None  # with the model as it was, of which there is none


def validate_onnx(read: OwnModel) -> None:
    """ValueError if a model of another library cannot be exported to ONNX, or answers otherwise there.

    Of a BERT that is known, and nothing is exported.
    """
    if isinstance(read.model, PreTrainedBert):
        return
    try:
        with TemporaryDirectory() as folder, _nothing_on_the_screen():
            _validate_export(read, Path(folder, ONNX))
    except Exception as error:  # each family has its own
        why = shorten(str(error).replace(f"{folder}/", ""), 200, placeholder=" ...")
        raise ValueError(
            f"A {type(read.model).__name__} can't be made smaller here, for its export to ONNX fails "
            f"({why}): take a model of another family, such as DistilBERT."
        ) from None


@torch.inference_mode()
def _validate_export(read: OwnModel, path: Path) -> None:
    """Raise an error if a model answers otherwise as ONNX, to padded texts of the shapes that are timed."""
    export_onnx(read.model, path, read.inputs)
    exported = OnnxModel(path)
    for shape in (*SHAPES.values(), (2, min(read.max_length, 40))):
        batch = example_batch(read.model.config.vocab_size, shape)
        batch["attention_mask"][1:, 9:] = 0
        batch = {name: batch[name] for name in read.inputs}
        if not torch.allclose(exported(**batch).logits, read.model(**batch).logits, atol=1e-3, rtol=1e-3):
            raise ValueError("it answers otherwise there")


@contextmanager
def _nothing_on_the_screen() -> Iterator[None]:
    """What warns or prints goes nowhere meanwhile: of a graph that fails, PyTorch prints all, and in C."""
    sys.stdout.flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for stream in kept:
                os.dup2(nowhere.fileno(), stream)
            yield
        finally:
            sys.stdout.flush()
            for stream, before in kept.items():
                os.dup2(before, stream)
                os.close(before)


def write_ledger(source: Path, read: OwnModel, folder: Path, before: Sequence[Any], seconds: float) -> None:
    """Export the small model in a folder to ONNX, measure all forms of it, and write and print the ledger.

    source: the folder of the model as it was; before: what that says of the test rows, in so many seconds for
    a row.
    """
    kind = read.own.columns.kind
    small, packed = load_model(folder, kind)[0], _packed(folder, kind)
    with _nothing_on_the_screen():
        export_onnx(small, folder / ONNX, read.inputs)
        quantize_onnx(folder / ONNX, folder / INT8)
    forms = {
        "as it was": (read.model, _bytes(source)),
        "small, in this folder": (small, (folder / WEIGHTS).stat().st_size),
        "small, packed": (packed, (folder / PACKED).stat().st_size),
        "small, ONNX": (OnnxModel(folder / ONNX), (folder / ONNX).stat().st_size),
        "small, ONNX in int8": (OnnxModel(folder / INT8), (folder / INT8).stat().st_size),
    }
    timed_rows = (ROUNDS + 2) * sum(texts for texts, _ in SHAPES.values())  # two rounds are to warm up
    expected = seconds * (len(forms) * timed_rows + (len(forms) - 1) * len(before))
    print(f"Measuring milliseconds and answers of {len(forms)} forms: about {max(expected, 1):,.0f} s.")
    routes = {name: partial(_answer, model, read.inputs) for name, (model, _) in forms.items()}
    timed = milliseconds(routes, read.model.config.vocab_size, ROUNDS)
    lines = [
        Line(
            name,
            size,
            timed[name],
            *_scored(read, before, before if model is read.model else read.predictions(model)),
        )
        for name, (model, size) in forms.items()
    ]
    task, on = read.own.task, machine()
    metric, rows = task.kind.metric, len(task.test)
    about = {"task": task.name, "metric": metric, "test_rows": rows, "machine": on, "interval": 0.95}
    write_json(folder / LEDGER, about | {"models": [asdict(line) for line in lines]})
    print(f"\nOn {rows:,} test rows, with 95% intervals; calls read 32 texts of 32 pieces, or one of 9:\n")
    print(_table(lines, metric))
    print(f"\n{on}")


def _packed(folder: Path, kind: Kind) -> Any:
    """The model out of its packed file."""
    model, _ = load_model(folder, kind)
    if isinstance(model, PreTrainedBert):
        return load_packed(folder / PACKED)
    model.load_state_dict(read_packed(folder / PACKED))
    return model


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("model*.safetensors") if path.name != PACKED)


@torch.inference_mode()
def _answer(model: nn.Module, inputs: Sequence[str], **batch: Tensor) -> object:
    return model(**{name: batch[name] for name in inputs})


def _scored(read: OwnModel, before: Sequence[Any], now: Sequence[Any]) -> tuple[Share, Share | None]:
    """The task's score, and how often both models say the same; of grades, how theirs correlate."""
    kind, rows = read.own.task.kind, read.own.task.test

    def score(places: Sequence[int]) -> float:
        return kind.score([now[place] for place in places], [rows[place] for place in places])[kind.metric]

    def correlation(places: Sequence[int]) -> float:
        return scores.METRICS["pearson"](
            [now[place] for place in places], [before[place] for place in places]
        )

    reached = (_counted if isinstance(kind, Classification) else _resampled)(score, len(rows))
    if now is before:
        return reached, None
    if isinstance(kind, Regression):
        return reached, _resampled(correlation, len(rows))
    return reached, _counted(lambda places: agreement(before, now), len(rows))


def _counted(score: Score, count: int) -> Share:
    value = score(range(count))
    return Share(value, *share_interval(value, count))


def _resampled(score: Score, count: int) -> Share:
    return Share(score(range(count)), *resampled_interval(score, count))


def _table(lines: Sequence[Line], metric: str) -> str:
    header = ["model", "MB", *(f"ms, {shape}" for shape in SHAPES), metric, "says what it said"]
    return table(
        header,
        [
            [
                line.model,
                f"{line.bytes / 1e6:.2f}",
                *(f"{line.milliseconds[shape]:.1f}" for shape in SHAPES),
                str(line.score),
                str(line.agreement or "–"),
            ]
            for line in lines
        ],
    )
