"""Measures fine-tuning on this machine: parts of `python course.py bench`, each a Markdown table."""

from __future__ import annotations

import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any, NamedTuple

import torch

from lib import records
from lib.analysis.cost.timing import seconds_of
from lib.analysis.landscape import surfaces
from lib.analysis.landscape.directions import filter_normalized, random_direction, weights_of
from lib.bert import WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.text.tasks import TaskBatches, TextExample, own
from lib.training.finetuning import fine_tune, fresh_model
from lib.training.known_tasks import OWN, load_task, spread
from lib.training.task_kinds import Classification, Task
from tools.bench.tables import ranged, table
from tools.finetune import QuickRecipe

SEEDS = (0, 1, 2)
PLANE_ROWS, PLANE_LENGTH, PLANE_POINTS = 24, 16, 21


class Run(NamedTuple):
    """An epoch: wall-clock and processor seconds of training, and the accuracy on the test rows."""

    seconds: float
    processor_seconds: float
    accuracy: float


def our_epoch(task: Task, seed: int) -> Run:
    """One epoch as `python course.py finetune` has it."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    result = fine_tune(fresh_model(task, "minilm", seed), tokenizer, task, QuickRecipe(epochs=1), seed=seed)
    return Run(result.seconds, result.processor_seconds, result.scores["accuracy"])


def their_epoch(task: Task, seed: int) -> Run:
    """The same by the Trainer of `transformers`, with all that it does if nothing is said."""
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        Trainer,
        TrainingArguments,
        set_seed,
    )

    folder = resolve_checkpoint("minilm")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    set_seed(seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=len(task.kind.config["id2label"]), dtype=torch.float32
    )

    def rows(examples: list[TextExample]) -> list[dict[str, Any]]:
        return [
            {**tokenizer(example.first, truncation=True, max_length=128), "labels": example.label}
            for example in examples
        ]

    with tempfile.TemporaryDirectory() as out:
        trainer = Trainer(
            model=model,
            args=TrainingArguments(
                out, num_train_epochs=1, seed=seed, report_to="none", save_strategy="no", disable_tqdm=True
            ),
            train_dataset=rows(list(task.train)),
            data_collator=DataCollatorWithPadding(tokenizer),
        )
        start, processor_start = time.perf_counter(), time.process_time()
        trainer.train()
        seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
        logits = trainer.predict(rows(list(task.test))).predictions
    right = [int(row.argmax()) == example.label for row, example in zip(logits, task.test, strict=True)]
    return Run(seconds, processor_seconds, sum(right) / len(right))


def finetuning() -> str:
    """An epoch of MiniLM on three sets of rows: ours beside the Trainer of `transformers` with its defaults.

    1,200 reviews; 600 rows of many words, each several headlines of a category; 1,000 headlines of which 95%
    have one class. The two take turns, seed by seed, so that a machine that slows down slows both.
    """
    sets = {"reviews": load_task("reviews"), "long rows": long_rows(), "one class has 95%": uneven_rows()}
    epochs: dict[str, Callable[[Task, int], Run]] = {"ours": our_epoch, "transformers": their_epoch}
    rows = []
    for name, task in sets.items():
        runs: dict[str, list[Run]] = {who: [] for who in epochs}
        for seed in SEEDS:
            for who in sorted(epochs, reverse=bool(seed % 2)):
                runs[who].append(epochs[who](task, seed))
        for who, of_who in runs.items():
            seconds, processor_seconds, accuracy = zip(*of_who, strict=True)
            percent = ranged([100 * one for one in accuracy], ".1f")
            rows.append([f"{name}, {who}", ranged(seconds, ".1f"), ranged(processor_seconds, ".1f"), percent])
        pairs = list(zip(runs["transformers"], runs["ours"], strict=True))
        ratios = [[getattr(a, of) / getattr(b, of) for a, b in pairs] for of in Run._fields[:2]]
        rows.append([f"{name}, transformers / ours", *(ranged(one, ".2f") for one in ratios), ""])
    return table(["an epoch, three seeds", "s", "processor's s", "accuracy, %"], rows)


def long_rows(words: int = 100, count: int = 600) -> Task:
    """Headlines of one category in a row, until they have so many words."""
    task = load_task("headlines")

    def joined(examples: Sequence[TextExample], count: int) -> list[TextExample]:
        draw, by_label = random.Random(0), defaultdict(list)
        for example in examples:
            by_label[example.label].append(example.first)
        rows = []
        for number in range(count):
            label, text = number % len(by_label), ""
            while len(text.split()) < words:
                text += draw.choice(by_label[label]) + ". "
            rows.append(TextExample(text, None, label))
        return rows

    return replace(task, train=joined(task.train, count), test=joined(task.test, count // 4))


def uneven_rows(count: int = 1000, rare: int = 50) -> Task:
    """Headlines on sports or on anything else, which 95% are."""
    task = load_task("headlines")
    sports = own.CATEGORIES.index("sports")

    def two(examples: Sequence[TextExample], count: int, rare: int) -> list[TextExample]:
        by_class = [
            [one._replace(label=number) for one in examples if (one.label == sports) == number]
            for number in (0, 1)
        ]
        return spread(by_class[0], count - rare) + spread(by_class[1], rare)

    kind = Classification(("else", "sports"))
    return Task("uneven", kind, two(task.train, count, rare), two(task.test, 500, 25))


def ways() -> str:
    """Every way of training MiniLM on every task of the course, from the record that the notebooks read."""
    recorded = records.table("ways_of_training")

    def scores(task: str, way: str) -> str:
        percents = [100 * value for value in recorded.values(task, way, OWN[task][0].metric)]
        return f"{mean(percents):.1f} ({min(percents):.1f} to {max(percents):.1f})"

    tasks = recorded.tasks()
    rows = [[way, *(scores(task, way) for task in tasks)] for way in recorded.arms(tasks[0])]
    header = [f"{len(recorded.seeds())} seeds", *(f"{task}, {OWN[task][0].metric}" for task in tasks)]
    return table(header, rows)


def plane() -> str:
    """The losses of MiniLM with a classifier over a plane of 21 x 21 points, as notebook 18 draws it."""
    task = load_task("headlines")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    model = fresh_model(task, "minilm", seed=0)
    rows = task.kind.rows(task.test[:PLANE_ROWS], tokenizer, PLANE_LENGTH)
    batches = [TaskBatches(rows, tokenizer.pad_token_id, PLANE_ROWS, seed=None)(0)]
    weights = weights_of(model)
    one, other = (filter_normalized(random_direction(weights, seed), weights) for seed in (0, 1))
    at = torch.linspace(-1, 1, PLANE_POINTS)
    seconds = seconds_of(lambda: surfaces.plane(model, batches, one, other, at, at))
    header = [
        f"a plane of MiniLM, {PLANE_POINTS} × {PLANE_POINTS} points, {PLANE_ROWS} rows of headlines",
        "s",
    ]
    return table(header, [["wall clock", f"{seconds:.1f}"]])
