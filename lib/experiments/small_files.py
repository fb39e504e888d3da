"""One MiniLM and a small file for each of three tasks: a low-rank update and a head, and nothing else.

The file turns the published model into a classifier of reviews, headlines or pairs; without it the model is
what it was. The pooler stays frozen too, which keeps the files at some tens of kilobytes.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.added import added_parameters, layer_paths, save_added
from lib.bert.alterations import parametrize
from lib.experiments.cache import Entry, cached
from lib.experiments.teachers import DATA_OF, RECIPES
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import train_only
from lib.training.known_tasks import load_task

TASKS = ("reviews", "headlines", "pairs")
HEAD = "classifier"
FILE = "added.safetensors"
RANK, LEARNING_RATE = 2, 5e-3  # the rate: tried with seed 9, which no file is made with


def train_small_file(folder: Path, task: str, seed: int, rank: int, recipe: dict[str, Any]) -> None:
    """Train updates of the queries and values of MiniLM, and a head, and write them alone into the folder."""
    learned = load_task(task)
    model = fresh_model(learned, "minilm", seed)
    for part in ("attention.self.query", "attention.self.value"):
        for path in layer_paths(model, part):
            parametrize(model, path, "LoRA", rank=rank)
    train_only(model, *added_parameters(model), f"{HEAD}.*")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    fine_tune(model, tokenizer, learned, Recipe(**recipe), seed=seed)
    save_added(model, folder / FILE, also=[HEAD])


SMALL_FILES = {
    task: Entry(
        f"{task}_small_file",
        f"What turns MiniLM into a classifier of the course's {task}, in some tens of kilobytes",
        train_small_file,
        {
            "task": task,
            "seed": 0,
            "rank": RANK,
            "recipe": asdict(replace(RECIPES[task], learning_rate=LEARNING_RATE, precision="bf16")),
        },
        data=("minilm", DATA_OF[task]),
    )
    for task in TASKS
}


def load_small_file(task: str) -> tuple[Path, str]:
    """The file of a task, trained now if it is not in the cache, and where it comes from in words."""
    kept = cached(SMALL_FILES[task])
    return kept.folder / FILE, str(kept)
