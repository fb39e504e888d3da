"""MiniLM fine-tuned on a task from a seed: trained once for a machine, and read by notebooks and studies.

    teacher = load_teacher("reviews")
    print(teacher.origin)  # trained here in 41 s; or: from the cache, trained on 2026-11-22 in 41 s
    teacher.model, teacher.scores, teacher.predictions

Of SST-2 it learns from all 67,349 phrases once, with phrases of like length in a batch, which is the cheapest
recipe that reads every one of them.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.inputs import public
from lib.records.question_model import squad_in_part
from lib.records.results import RESULT, result_in
from lib.records.shipped import FOLDER, is_shipped, load_shipped
from lib.text.tasks import read_public
from lib.training.devices import precision_here, processes
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import layer_factors, layer_rates
from lib.training.known_tasks import load_task, tags_of
from lib.training.task_kinds import Tagging, Task

#: what suits each task; of the course's own found with seed 9, which no result is reported of
RECIPES = {
    "reviews": Recipe(batch_size=16, epochs=4, learning_rate=1e-4),
    "sentiment": Recipe(epochs=2, learning_rate=1.5e-4, precision="bf16"),
    "headlines": Recipe(batch_size=16, epochs=4),
    "pairs": Recipe(batch_size=16, epochs=8, learning_rate=5e-5),
    "graded_pairs": Recipe(batch_size=16, epochs=6, learning_rate=1e-4),
    "entities": Recipe(batch_size=16, epochs=5, learning_rate=5e-4),
    "passages": Recipe(batch_size=16, epochs=2, learning_rate=3e-4, max_length=256),
    "stories": Recipe(batch_size=16, epochs=6),
    "SST-2": Recipe(epochs=1, batch_size=32, learning_rate=2e-4, precision="bf16"),
    "MRPC": Recipe(epochs=3, batch_size=16, learning_rate=1e-4, precision="bf16"),
}
#: times the rate of the layer above, where lower layers learn more slowly (Howard and Ruder, 2018)
LAYER_DECAY = {"sentiment": 0.8}
#: the folder of each public set in that of BERT_COURSE_DATA
PUBLIC_SETS = {
    "SST-2": "glue/SST-2",
    "MRPC": "glue/MRPC",
    "SQuAD 1.1": "squad_v1.1",
    "WNUT17": "wnut17",
    "livedoor": "livedoor_news",
    "EWT": "ud_english_ewt",
}
SHIPPED = "it comes with the course"


@dataclass(frozen=True)
class Teacher:
    """A fine-tuned model, in eval(), and how it did on the test rows."""

    model: PreTrainedBert
    scores: dict[str, float]
    predictions: list[Any]
    losses: list[float]
    processor_seconds: float
    origin: str = ""  # it comes with the course, was trained here, or is out of the cache


def task_named(name: str) -> Task:
    """One of the course's tasks, or a public set in the files that it is published in.

    WNUT17 is tested on its test part, which its published scores are on. EWT is learned from its dev part,
    which is a sixth of its training part.
    """
    if name not in PUBLIC_SETS:
        return load_task(name)
    if name == "SQuAD 1.1":
        return squad_in_part()
    place = public(PUBLIC_SETS[name])
    if name == "EWT":
        train, test = (read_public(name, split, place) for split in ("dev", "test"))
        return Task(name, Tagging(tags_of(train), "accuracy"), train, test)
    task = load_task(name, place)
    return replace(task, test=read_public(name, "test", place)) if name == "WNUT17" else task


def folders_of(task: str) -> tuple[str, ...]:
    """Where a task's examples lie, as `lib.records.inputs` names it."""
    if task in PUBLIC_SETS:
        return (f"public/{PUBLIC_SETS[task]}",)
    shared = {"graded_pairs": ("pairs",), "sentiment": ("plain_reviews", "reviews")}
    return tuple(f"data/tasks/{folder}" for folder in shared.get(task, (task,)))


def train_teacher(
    folder: Path, task: str, seed: int, recipe: dict[str, Any], layer_decay: float = 1.0
) -> None:
    """Fine-tune MiniLM on a task and write the model and its result into the folder."""
    learned, tokenizer = task_named(task), WordPieceTokenizer.from_pretrained("minilm")
    here = Recipe(**recipe)
    if here.precision == "bf16":  # a processor that does not multiply it itself takes six times as long
        here = replace(here, precision=precision_here())
    model = fresh_model(learned, "minilm", seed).to(processes().device)
    rates = layer_rates(model.config.num_hidden_layers, here.learning_rate, layer_decay)
    rate_of = layer_factors(rates, here.learning_rate)
    result = fine_tune(model, tokenizer, learned, here, seed=seed, rate_of=rate_of)
    result.model.save_pretrained(folder)
    entries = {name: getattr(result, name) for name in ("scores", "predictions", "losses")}
    write_json(folder / RESULT, entries | {"processor_seconds": round(result.processor_seconds, 1)})


def teacher_entry(task: str, seed: int = 0) -> Entry:
    """The teacher of a task and seed, which the cache keeps; ValueError where there is none for the task."""
    if task not in RECIPES:
        raise ValueError(f"There is no teacher for {task!r}: use {', '.join(RECIPES)}.")
    decay = {"layer_decay": LAYER_DECAY[task]} if task in LAYER_DECAY else {}
    return Entry(
        f"{re.sub(r'[^a-zA-Z0-9_]', '', task)}_teacher_{seed}",
        f"MiniLM fine-tuned on {task.replace('_', ' ')}, seed {seed}",
        train_teacher,
        {"task": task, "seed": seed, "recipe": asdict(RECIPES[task]), **decay},
        data=("minilm", *folders_of(task)),
    )


def load_teacher(task: str, seed: int = 0) -> Teacher:
    """The model that was fine-tuned on a task from this seed.

    Headlines' and sentiment's of seed 0 come with the course; others are trained now if the cache has none.
    """
    if is_shipped(task, seed):
        return Teacher(load_shipped(task_named(task)), **result_in(FOLDER / task), origin=SHIPPED)
    run = cached(teacher_entry(task, seed))
    model = task_named(task).kind.model_class.from_pretrained(run.folder)
    return Teacher(model.eval(), **result_in(run.folder), origin=str(run))
