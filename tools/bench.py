"""Measures the course on this machine: `python course.py bench`. Each part gives a Markdown table."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lib.analysis.cost.timing import PeakMemory, Seconds, median_of_pairs, seconds_of, spread
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.heads import BertForPreTraining
from lib.provenance import machine
from lib.text.masking import IGNORED
from lib.text.tasks import TextExample
from lib.training.finetuning import fine_tune, fresh_model
from lib.training.fitting import InMemory
from lib.training.known_tasks import load_task
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.pretraining import PretrainingObjective
from lib.training.schedules import Constant
from lib.training.task_kinds import Task
from tools.finetune import QuickRecipe
from tools.markdown import table

SEEDS = (0, 1, 2)
BATCHES = [(32, 32), (16, 64), (4, 512)]  # texts in a batch, pieces in a text
SHAPE = (16, 128)  # the same of a batch of pretraining
SIZES = [(4, 256), (6, 384)]  # layers, hidden size
VOCABULARIES = (9000, 30522)  # the pocket BERT's and BERT's


# --- figures in words -----------------------------------------------------------------------------


def heading() -> str:
    """One line that says when and on what this was measured."""
    return f"{date.today():%B} {date.today().day}, {date.today().year}: {machine()}"


def with_quartiles(measured: Seconds, scale: float = 1.0, form: str = ".2f") -> str:
    """Such as "12.30 (12.10 to 12.90)": the median and the quartiles, times `scale`."""
    median, lower, upper = (scale * value for value in (measured.median, measured.lower, measured.upper))
    return f"{median:{form}} ({lower:{form}} to {upper:{form}})"


def milliseconds(measured: Seconds) -> str:
    """Such as "12.3 (12.1 to 12.9)"."""
    return with_quartiles(measured, 1e3, ".1f")


# --- the model ------------------------------------------------------------------------------------


def speed() -> str:
    """Our BERT beside that of `transformers`, same weights, same batches: six layers, 384 wide.

    Forward: no gradients, dropout off. Forward and backward: as in training, dropout on. The second half of
    each batch is padded, from half of its length or later, as batches of real text are.
    """
    from transformers import BertConfig as ReferenceConfig
    from transformers import BertModel as ReferenceModel

    size: dict[str, Any] = {
        "vocab_size": 30522,
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
    }
    ours = BertModel(BertConfig(**size))
    reference = ReferenceModel(ReferenceConfig(**size, attn_implementation="sdpa"))
    ours.load_state_dict(reference.state_dict())

    def forward(model: torch.nn.Module, batch: dict[str, Tensor]) -> None:
        with torch.no_grad():
            model(**batch)

    def forward_backward(model: torch.nn.Module, batch: dict[str, Tensor]) -> None:
        model(**batch).last_hidden_state.square().mean().backward()
        model.zero_grad()

    rows = []
    for texts, length in BATCHES:
        batch = padded_batch(texts, length)
        for name, run, training in (
            ("forward", forward, False),
            ("forward and backward", forward_backward, True),
        ):
            ours.train(training)
            reference.train(training)
            measured = median_of_pairs(lambda: run(ours, batch), lambda: run(reference, batch))  # noqa: B023
            times = milliseconds(measured.first), milliseconds(measured.second)
            rows.append([f"{name}, {texts} × {length}", *times, with_quartiles(measured.ratio)])
    return table(["batch × length", "ours, ms", "transformers, ms", "ours / transformers"], rows)


def padded_batch(texts: int, length: int) -> dict[str, Tensor]:
    """Random pieces and their mask, [B, T] each; the second half of the texts is shorter than the first."""
    generator = torch.Generator().manual_seed(texts)
    input_ids = torch.randint(1000, 30522, (texts, length), generator=generator)
    lengths = torch.full((texts, 1), length)
    shorter = lengths[texts // 2 :]
    shorter[:] = torch.randint(length // 2, length + 1, shorter.shape, generator=generator)
    return {"input_ids": input_ids, "attention_mask": (torch.arange(length) < lengths).long()}


def imports() -> str:
    """What `import lib.bert` costs in a fresh process, over `import torch` alone."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-P", "-c", code], check=True)

    nothing = spread([seconds_of(start("pass")) for _ in range(5)]).median
    measured = median_of_pairs(start("import torch, lib.bert"), start("import torch"), pairs=9)
    torch_alone = measured.second.median
    rows = [
        ["import torch", f"{torch_alone - nothing:.2f}"],
        ["import lib.bert, over that", f"{(measured.ratio.median - 1) * torch_alone:.2f}"],
    ]
    return table(["in a fresh process", "s"], rows)


# --- the notebooks --------------------------------------------------------------------------------


def check() -> str:
    """The check of one exercise, on a right answer."""
    from lib import exercises
    from lib.bert.attention import scaled_dot_product_attention

    exercise = exercises.get("scaled_dot_product_attention")

    def run() -> None:
        assert exercise.check(scaled_dot_product_attention).passed

    first = seconds_of(run)
    later = spread([seconds_of(run) for _ in range(15)])
    rows = [["the first in a process", f"{1e3 * first:.1f}"], ["a later one", milliseconds(later)]]
    return table(['check("scaled_dot_product_attention", ...)', "ms"], rows)


def notebooks() -> str:
    """Each notebook's solved edition, run from a fresh kernel: seconds, its budget, and peak memory."""
    import nbformat

    from lib.exercises import registry
    from tools import copies, editions
    from tools.testing import budgets

    rows, allowed = [], budgets()
    for path in copies.every_notebook():
        book = editions.solve(nbformat.read(path, as_version=4), registry.course())
        with PeakMemory() as peak:
            seconds = seconds_of(lambda: editions.run(book, path.name, strict=True))  # noqa: B023
        memory, disk = f"{peak.bytes / 1e9:.2f}", f"{path.stat().st_size / 1e6:.2f}"
        rows.append([path.stem, f"{seconds:.1f}", f"{allowed[path.stem]:.1f}", memory, disk])
    return table(["notebook", "s", "s in budgets.toml", "peak memory, GB", "on disk, MB"], rows)


# --- training -------------------------------------------------------------------------------------


def pretraining() -> str:
    """Pieces a second of a step of the trainer beside `transformers`, same batches in turn, in float32."""
    rows = []
    for layers, hidden_size in SIZES:
        for vocab_size in VOCABULARIES:
            config, batch = config_of(layers, hidden_size, vocab_size), masked_batch(vocab_size)
            trainer, reference_step = trainer_of(config, batch), reference_steps(config, batch)
            measured = median_of_pairs(reference_step, trainer.step, pairs=7)
            count = batch["input_ids"].numel()
            pieces = [f"{count / times.median:,.0f}" for times in (measured.second, measured.first)]
            name = f"{layers} × {hidden_size}, {vocab_size:,} pieces"
            rows.append([name, *pieces, with_quartiles(measured.ratio)])
    return table(["ours, a batch of 16 × 128", "pieces/s", "transformers", "times as fast"], rows)


def config_of(layers: int, hidden_size: int, vocab_size: int) -> BertConfig:
    """A BERT of that size without dropout, with heads 32 wide."""
    return BertConfig(
        vocab_size,
        hidden_size,
        layers,
        num_attention_heads=hidden_size // 32,
        intermediate_size=4 * hidden_size,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def masked_batch(vocab_size: int) -> Batch:
    """Random pieces, 15 % of them hidden: what is in them changes no time."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, vocab_size, SHAPE, generator=generator)
    hidden = torch.rand(SHAPE, generator=generator) < 0.15
    return {
        "input_ids": ids.masked_fill(hidden, 4),
        "token_type_ids": torch.zeros_like(ids),
        "labels": ids.masked_fill(~hidden, IGNORED),
        "pair_labels": torch.zeros(len(ids), dtype=torch.long),
    }


def trainer_of(config: BertConfig, batch: Batch) -> Trainer:
    """What `lib.training.pretraining` does: the decoder on the hidden places, AdamW in one kernel."""
    objective = PretrainingObjective(BertForPreTraining(config).train(), pair_weight=0.0)
    return Trainer(objective, InMemory([batch]), adamw(objective), Constant(10**6, 1e-3))


def reference_steps(config: BertConfig, batch: Batch) -> Callable[[], None]:
    """A step as `transformers` is mostly used: BertForMaskedLM, sdpa, `torch.optim.AdamW` as it comes."""
    from transformers import BertConfig as ReferenceConfig
    from transformers import BertForMaskedLM

    model = BertForMaskedLM(ReferenceConfig(**config.to_dict(), attn_implementation="sdpa")).train()
    optimizer = torch.optim.AdamW(model.parameters())

    def step() -> None:
        model(batch["input_ids"], labels=batch["labels"]).loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


class Epoch(NamedTuple):
    """An epoch: wall-clock and processor seconds of training, and the accuracy on the test rows."""

    seconds: float
    processor_seconds: float
    accuracy: float


def finetuning() -> str:
    """An epoch of MiniLM on 1,200 reviews: ours beside the Trainer of `transformers` with its defaults.

    The two take turns, seed by seed, so that a machine that slows down slows both.
    """
    task = load_task("reviews")
    epochs: dict[str, Callable[[Task, int], Epoch]] = {"ours": our_epoch, "transformers": reference_epoch}
    runs: dict[str, list[Epoch]] = {name: [] for name in epochs}
    for seed in SEEDS:
        for name in sorted(epochs, reverse=bool(seed % 2)):
            runs[name].append(epochs[name](task, seed))
    rows = []
    for name, of_name in runs.items():
        seconds, processor_seconds, accuracy = (spread(list(values)) for values in zip(*of_name, strict=True))
        times = with_quartiles(seconds), with_quartiles(processor_seconds)
        rows.append([name, *times, with_quartiles(accuracy, 100, ".1f")])
    pairs = list(zip(runs["transformers"], runs["ours"], strict=True))
    by_clock = spread([reference.seconds / ours.seconds for reference, ours in pairs])
    by_processor = spread([reference.processor_seconds / ours.processor_seconds for reference, ours in pairs])
    rows.append(["transformers / ours", with_quartiles(by_clock), with_quartiles(by_processor), ""])
    header = [f"an epoch of {len(task.train):,} reviews, three seeds", "s", "processor's s", "accuracy, %"]
    return table(header, rows)


def our_epoch(task: Task, seed: int) -> Epoch:
    """One epoch as `python course.py finetune` has it."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    result = fine_tune(fresh_model(task, "minilm", seed), tokenizer, task, QuickRecipe(epochs=1), seed=seed)
    return Epoch(result.seconds, result.processor_seconds, result.scores["accuracy"])


def reference_epoch(task: Task, seed: int) -> Epoch:
    """The same by the Trainer of `transformers`, with all that it does if nothing is said."""
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        TrainingArguments,
        set_seed,
    )
    from transformers import Trainer as ReferenceTrainer

    folder = resolve_checkpoint("minilm")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    set_seed(seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=len(task.kind.config["id2label"]), dtype=torch.float32
    )

    def rows(examples: Iterable[TextExample]) -> list[dict[str, Any]]:
        return [
            {**tokenizer(example.first, truncation=True, max_length=128), "labels": example.label}
            for example in examples
        ]

    with tempfile.TemporaryDirectory() as out:
        arguments = TrainingArguments(
            out, num_train_epochs=1, seed=seed, report_to="none", save_strategy="no", disable_tqdm=True
        )
        trainer = ReferenceTrainer(
            model=model,
            args=arguments,
            train_dataset=rows(task.train),
            data_collator=DataCollatorWithPadding(tokenizer),
        )
        start, processor_start = time.perf_counter(), time.process_time()
        trainer.train()
        seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
        logits = trainer.predict(rows(task.test)).predictions
    right = [int(row.argmax()) == example.label for row, example in zip(logits, task.test, strict=True)]
    return Epoch(seconds, processor_seconds, sum(right) / len(right))
