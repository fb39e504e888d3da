"""How a row of the ledger is made: a model by a method, its file, its answers from that file, its costs.

What a model costs does not depend on its seed, so it is measured of seed 0 alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.costs import measure_costs
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters
from lib.compression.ledger.memory import peak_memory
from lib.compression.ledger.onnx import OnnxModel, export_onnx, quantize_onnx
from lib.compression.ledger.rows import SHAPES, LedgerRow
from lib.compression.ledger.timing import example_batch, milliseconds
from lib.compression.ledger.word_counts import WordCounts, measure_word_counts
from lib.compression.packed import load_packed, save_packed
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import PACKED, RESULT, kept_result, result_in
from lib.records.study import Study
from lib.training.task_kinds import Task

WHOLE, INT8 = "model.onnx", "model-int8.onnx"
TEACHER = "MiniLM"
TF_IDF = "TF-IDF"
#: a model made from a seed, and the processor's seconds that its own training took, None if nobody timed it
Source = Callable[[int], tuple[PreTrainedBert, float | None]]
Rounding = Callable[[PreTrainedBert], None]


def as_it_is(_model: PreTrainedBert) -> None:
    """No rounding."""


@dataclass(frozen=True)
class Method:
    """A row of the ledger: whose model, how it is rounded, what runs it, and whose pieces it reads."""

    family: str
    source: Source
    rounding: Rounding = as_it_is
    route: Literal["float32", "onnxruntime int8"] = "float32"
    pieces: str = "minilm"


def roundings(source: Source) -> dict[str, Method]:
    """A fine-tuned MiniLM and what becomes of it without any training."""

    def free(seed: int) -> tuple[PreTrainedBert, float]:
        return source(seed)[0], 0.0

    quantization = partial(Method, "quantization", free)
    return {
        TEACHER: Method("baseline", source),
        "MiniLM, 16 bits": quantization(halve_rest),
        "8 bits per tensor": quantization(partial(quantize_weights, bits=8, groups=1)),
        **{
            f"{bits} bits per row": quantization(partial(quantize_weights, bits=bits))
            for bits in (8, 6, 4, 3)
        },
        "onnxruntime int8": quantization(as_it_is, "onnxruntime int8"),
    }


def kept_model(entry: Entry) -> tuple[PreTrainedBert, float]:
    """A model that another experiment left in the cache, and the seconds of its training."""
    folder = cached(entry).folder
    return load_packed(folder / PACKED), result_in(folder)["processor_seconds"]


def kept_arm(study: Study, task: str, arm: str, seed: int) -> tuple[PreTrainedBert, float]:
    """The same of an arm of a study."""
    folder = cached(study.entry(task, arm, seed)).folder
    return load_packed(folder / PACKED), result_in(folder)[arm]["costs"]["processor_seconds"]


# --- one run --------------------------------------------------------------------------------------


def run_method(folder: Path, method: Method, task: Task, seed: int, max_length: int) -> None:
    """Make a model, write its file, and its answers and costs beside it."""
    model, seconds = method.source(seed)
    method.rounding(model)
    costs: dict[str, Any] | None = None
    if method.route == "onnxruntime int8":
        costs = _measure_onnx(model, folder, with_costs=seed == 0)
    elif seed == 0:
        costs = measure_costs(model, folder)
        for name in (WHOLE, INT8):
            Path(folder, name).unlink()
    else:
        save_packed(model, folder / PACKED)
    write_json(
        folder / RESULT,
        {
            **answers_of(folder, method, task, max_length),
            "processor_seconds": None if seconds is None else round(seconds, 1),
            "costs": costs,
        },
    )


def answers_of(folder: Path, method: Method, task: Task, max_length: int) -> dict[str, Any]:
    """What the model in the folder's file answers, by the method's route, and how it is scored."""
    in_onnx = method.route == "onnxruntime int8"
    model: Any = OnnxModel(folder / INT8) if in_onnx else load_packed(folder / PACKED)
    tokenizer = WordPieceTokenizer.from_pretrained(method.pieces)
    predictions = task.kind.predict(model, task.test, tokenizer, max_length)
    return {"scores": task.kind.score(predictions, task.test), "predictions": predictions}


def _measure_onnx(model: PreTrainedBert, folder: Path, with_costs: bool) -> dict[str, Any] | None:
    """The eight-bit file is what the row is about: its bytes, its one route, its memory."""
    export_onnx(model, folder / WHOLE)
    quantize_onnx(folder / WHOLE, folder / INT8)
    Path(folder, WHOLE).unlink()
    if not with_costs:
        return None
    vocab_size = model.config.vocab_size
    batches = {name: example_batch(vocab_size, shape) for name, shape in SHAPES.items()}
    with torch.inference_mode():
        multiply_adds = {
            name: count_multiply_adds(model, partial(model, **batch)).total for name, batch in batches.items()
        }
    return {
        "parameters": unique_parameters(model),
        "file_bytes": Path(folder, INT8).stat().st_size,
        "multiply_adds": multiply_adds,
        "milliseconds": milliseconds({"onnxruntime int8": OnnxModel(folder / INT8)}, vocab_size),
        "peak_memory": peak_memory(partial(OnnxModel, folder / INT8), vocab_size),
    }


def run_word_counts(folder: Path, task: Task) -> None:
    """TF-IDF, whose answers depend on no seed."""
    began = time.process_time()
    counts = WordCounts.fit([one.first for one in task.train], [one.label for one in task.train])
    seconds = time.process_time() - began
    costs = measure_word_counts(counts, folder)
    predictions = WordCounts.load(folder / PACKED).predict([one.first for one in task.test])
    write_json(
        folder / RESULT,
        {
            "scores": task.kind.score(predictions, task.test),
            "predictions": predictions,
            "processor_seconds": round(seconds, 1),
            "costs": costs,
        },
    )


# --- rows -----------------------------------------------------------------------------------------


def rows_of_seed(
    task: Task, families: Mapping[str, str], run_of: Callable[[str, int], Entry], seed: int
) -> list[LedgerRow]:
    """A row for each method of a seed, out of the cache or made now; `run_of(method, seed)` is its run."""
    results, first = (
        {method: kept_result(run_of(method, number)) for method in families} for number in (seed, 0)
    )
    return rows_from(task, families, results, first, seed)


def rows_from(
    task: Task,
    families: Mapping[str, str],
    results: Mapping[str, Mapping[str, Any]],
    first: Mapping[str, Mapping[str, Any]],
    seed: int,
) -> list[LedgerRow]:
    """A row for each method of a seed, by what its run wrote; `first` are the runs of seed 0."""
    of_teacher: Sequence[Any] = results[TEACHER]["predictions"]
    seconds = {method: results[method]["processor_seconds"] for method in families}
    return [
        LedgerRow(
            method=method,
            family=family,
            task=task.name,
            metric=task.kind.metric,
            seeds=(seed,),
            scores=(results[method]["scores"][task.kind.metric],),
            agreement=(agreement(results[method]["predictions"], of_teacher),),
            training_cpu_seconds=() if seconds[method] is None else (seconds[method],),
            **first[method]["costs"],
        )
        for method, family in families.items()
    ]
