"""Measures small models on this machine: parts of `python course.py bench`, each a Markdown table."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.analysis.cost.timing import spread
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.knowledge import LOGITS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import SoftenedKL
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student, new_student
from lib.compression.distillation.training import distill
from lib.compression.elastic.dyna_bert import DEPTHS, WIDTHS
from lib.compression.elastic.sizes import extracted, sizes_of
from lib.compression.ledger.agreement import agreement
from lib.compression.ledger.counting import unique_parameters
from lib.compression.ledger.onnx import onnx_routes
from lib.compression.ledger.rows import SHAPES
from lib.compression.ledger.timing import example_batch, in_turns, torch_routes
from lib.compression.packed import load_packed, save_packed
from lib.compression.pruning.choosing import least_important, random_scores
from lib.compression.pruning.heads import remove_heads
from lib.compression.pruning.layers import drop_top
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.pruning.neurons import remove_neurons
from lib.compression.pruning.width import remove_width
from lib.records.teachers import load_teacher
from lib.text.tasks import Row, TextExample, own
from lib.training.finetuning import Recipe
from lib.training.known_tasks import load_task
from lib.training.task_kinds import predicted_labels
from tools.bench.tables import milliseconds, ranged, table

AIMS = {"32 x 32": 2, "1 x 9": 4}  # times as fast as our float32
INT8 = "onnxruntime int8"
SEEDS = (0, 1, 2)
TEMPERATURE = 2.0
ONE_EPOCH = Recipe(epochs=1, batch_size=32, learning_rate=1e-3)


def onnx() -> str:
    """MiniLM with a classifier by every route, in turns, and how many times as fast onnxruntime's int8 is."""
    model = BertForSequenceClassification.from_pretrained("minilm", num_labels=2)
    with tempfile.TemporaryDirectory() as folder:
        routes = torch_routes(model) | onnx_routes(model, folder)
    rows = []
    for shape, sizes in SHAPES.items():
        batch = example_batch(model.config.vocab_size, sizes)
        seconds = in_turns({route: partial(call, **batch) for route, call in routes.items()})
        for route, of_route in seconds.items():
            ratio = spread([ours / int8 for ours, int8 in zip(of_route, seconds[INT8], strict=True)])
            aim = f" (aim {AIMS[shape]})" if route == "float32" else ""
            rows.append([f"{shape}, {route}", milliseconds(spread(of_route)), f"{ratio.median:.2f}{aim}"])
    return table(["texts x pieces, route", "ms", "times int8's"], rows)


# --- pruning --------------------------------------------------------------------------------------


def pruned() -> str:
    """MiniLM with a classifier without some of its parts, or weights, beside the dense one.

    Removed are parts at random, since what is in a matrix changes no time.
    """
    return _beside_the_first({name: change(_classifier()) for name, change in PRUNED.items()}, aimed_at=HALF)


def elastic() -> str:
    """Every size of an elastic MiniLM, cut out as a model of its own, beside the whole one."""
    minilm = _classifier()
    return _beside_the_first({str(size): extracted(minilm, size) for size in sizes_of(WIDTHS, DEPTHS)})


def _beside_the_first(models: dict[str, BertForSequenceClassification], aimed_at: str = "") -> str:
    """What comes out of each model's file, in turns in one process: its bytes, and how fast it is."""
    bytes_of: dict[str, int] = {}
    loaded: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, model in models.items():
            file = Path(folder, "model.safetensors")
            save_packed(model, file)
            bytes_of[name], loaded[name] = file.stat().st_size, load_packed(file)
    first, rows = next(iter(loaded)), []
    for shape, sizes in SHAPES.items():
        batch = example_batch(loaded[first].config.vocab_size, sizes)
        calls = {name: partial(torch_routes(model)["float32"], **batch) for name, model in loaded.items()}
        seconds = in_turns(calls)
        for name, of_name in seconds.items():
            ratio = spread([whole / part for whole, part in zip(seconds[first], of_name, strict=True)])
            aim = " (aim 1.8)" if (name, shape) == (aimed_at, "32 x 32") else ""
            size = f"{unique_parameters(loaded[name]) / 1e6:.2f}"
            file_size = f"{bytes_of[name] / 1e6:.1f}"
            rows.append(
                [
                    f"{shape}, {name}",
                    size,
                    file_size,
                    milliseconds(spread(of_name)),
                    f"{ratio.median:.2f}{aim}",
                ]
            )
    return table(["texts x pieces, model", "parameters, M", "file, MB", "ms", "times as fast"], rows)


def _classifier() -> BertForSequenceClassification:
    return BertForSequenceClassification.from_pretrained("minilm", num_labels=2)


def _half_of_neurons(model: BertForSequenceClassification) -> BertForSequenceClassification:
    remove_neurons(model, {layer: range(0, 1536, 2) for layer in range(6)})
    return model


def _half_of_heads(model: BertForSequenceClassification) -> BertForSequenceClassification:
    remove_heads(model, least_important(random_scores([torch.zeros(12)] * 6, seed=0), 36))
    return model


def _half_of_width(model: BertForSequenceClassification) -> BertForSequenceClassification:
    remove_width(model, range(0, 384, 2))
    return model


def _half_of_layers(model: BertForSequenceClassification) -> BertForSequenceClassification:
    return cut_student(model, drop_top(6, 3))


def _nine_tenths_at_zero(model: BertForSequenceClassification) -> BertForSequenceClassification:
    add_masks(model)
    prune(model, 0.9)
    return model


HALF = "36 of 72 heads, half of the neurons"
PRUNED: dict[str, Callable[[BertForSequenceClassification], BertForSequenceClassification]] = {
    "dense": lambda model: model,
    "36 of 72 heads": _half_of_heads,
    "half of the neurons": _half_of_neurons,
    HALF: lambda model: _half_of_neurons(_half_of_heads(model)),
    "half of the width": _half_of_width,
    "three layers": _half_of_layers,
    "90% of the matrices' weights at 0": _nine_tenths_at_zero,
}


# --- distilling -----------------------------------------------------------------------------------


class Epoch(NamedTuple):
    """Wall-clock and processor seconds, the teacher's among them, and the student that came of it."""

    seconds: float
    processor_seconds: float
    student: Any


def our_epoch(teacher: PreTrainedBert, rows: list[Row], pad_id: int, seed: int) -> Epoch:
    """A student learns once from the teacher's answers to each row: they are asked for, then taught."""
    student = new_student(teacher, seed)
    match = Match(LOGITS, ANSWER, SoftenedKL(TEMPERATURE))
    start, processor_start = time.perf_counter(), time.process_time()
    batches = TaughtBatches(
        ONE_EPOCH.batches(rows, pad_id, seed), {"logits": row_answers(teacher, rows, pad_id)}
    )
    distill(Distillation(student, None, [match]), batches, ONE_EPOCH, seed=seed)
    return Epoch(time.perf_counter() - start, time.process_time() - processor_start, student)


def their_epoch(teacher: PreTrainedBert, rows: list[Row], pad_id: int, seed: int) -> Epoch:
    """The same student and teacher, as classes of `transformers`, by its Trainer with a loss of its own.

    Batch size, rate, warm-up and decay are ours; all else is what the Trainer does if nothing is said.
    """
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        Trainer,
        TrainingArguments,
    )

    def as_theirs(model: PreTrainedBert) -> Any:
        with tempfile.TemporaryDirectory() as place:
            model.save_pretrained(place)
            return AutoModelForSequenceClassification.from_pretrained(place)

    student, frozen = as_theirs(new_student(teacher, seed)), as_theirs(teacher).eval().requires_grad_(False)

    class DistillationTrainer(Trainer):
        def compute_loss(self, model: Any, inputs: Any, return_outputs: bool = False, **_: Any) -> Any:
            output = model(**inputs)
            loss = soft_loss(output.logits, frozen(**inputs).logits)
            return (loss, output) if return_outputs else loss

    tokenizer = AutoTokenizer.from_pretrained(resolve_checkpoint("minilm"))
    assert tokenizer.pad_token_id == pad_id
    with tempfile.TemporaryDirectory() as out:
        trainer = DistillationTrainer(
            model=student,
            args=TrainingArguments(
                out,
                num_train_epochs=ONE_EPOCH.epochs,
                per_device_train_batch_size=ONE_EPOCH.batch_size,
                learning_rate=ONE_EPOCH.learning_rate,
                warmup_steps=ONE_EPOCH.warmup,  # below 1 it is a share
                weight_decay=ONE_EPOCH.weight_decay,
                seed=seed,
                report_to="none",
                save_strategy="no",
                disable_tqdm=True,
            ),
            train_dataset=rows,
            data_collator=DataCollatorWithPadding(tokenizer),
        )
        start, processor_start = time.perf_counter(), time.process_time()
        trainer.train()
        seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
    return Epoch(seconds, processor_seconds, student.eval())


def soft_loss(student_logits: Tensor, teacher_logits: Tensor) -> Tensor:
    """T^2 times KL(teacher || student), a mean over the rows of [B, C], as a loop of one's own has it."""
    student = (student_logits / TEMPERATURE).log_softmax(dim=-1)
    teacher = (teacher_logits / TEMPERATURE).softmax(dim=-1)
    return TEMPERATURE**2 * F.kl_div(student, teacher, reduction="batchmean")


def distilling() -> str:
    """One epoch of distilling answers into 2 x 128, on 6,200 reviews: ours beside `transformers`' Trainer.

    The two take turns, seed by seed, so that a machine that slows down slows both.
    """
    task, tokenizer = load_task("reviews"), WordPieceTokenizer.from_pretrained("minilm")
    teacher = load_teacher("reviews")
    texts = [example.first for example in task.train] + own.unlabeled("reviews")
    rows = task.kind.rows([TextExample(text, None, None) for text in texts], tokenizer, 128)
    test = task.kind.rows(task.test, tokenizer, 128)
    epochs: dict[str, Callable[..., Epoch]] = {"ours": our_epoch, "transformers": their_epoch}
    runs: dict[str, list[Epoch]] = {name: [] for name in epochs}
    alike: dict[str, list[float]] = {name: [] for name in epochs}
    for seed in SEEDS:
        for name in sorted(epochs, reverse=bool(seed % 2)):
            epoch = epochs[name](teacher.model, rows, tokenizer.pad_token_id, seed)
            runs[name].append(epoch)
            alike[name].append(
                agreement(predicted_labels(epoch.student, test, tokenizer), teacher.predictions)
            )
    lines = [
        [
            name,
            ranged([epoch.seconds for epoch in of_name], ".1f"),
            ranged([epoch.processor_seconds for epoch in of_name], ".1f"),
            ranged([100 * share for share in alike[name]], ".1f"),
        ]
        for name, of_name in runs.items()
    ]
    ratios = [
        theirs.seconds / mine.seconds for mine, theirs in zip(runs["ours"], runs["transformers"], strict=True)
    ]
    lines.append(["transformers / ours (aim 1.5)", ranged(ratios, ".2f"), "", ""])
    header = [f"an epoch of {len(rows):,} reviews, three seeds", "s", "processor's s", "as the teacher, %"]
    return table(header, lines)
