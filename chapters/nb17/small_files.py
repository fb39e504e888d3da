"""One MiniLM and a small file for each of two tasks: a low-rank update and a head, and nothing else.

The file turns the published model into a sorter of reviews, by what they are about, or of headlines; without
it the model is what it was. The pooler stays frozen too, which keeps the files at some tens of kilobytes.
"""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.added import added_parameters, layer_paths, save_added
from lib.bert.alterations import parametrize
from lib.records.cache import Entry, cached
from lib.records.teachers import folders_of
from lib.text.tasks import TextExample, own
from lib.training.devices import precision_here
from lib.training.finetuning import Recipe, Task, fine_tune, fresh_model
from lib.training.freezing import train_only
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Classification

SUBJECTS = ("book", "film", "gadget", "hotel", "meal")
HEAD = "classifier"
FILE = "added.safetensors"
RANK = 2
RECIPE_OF = {  # the rate was tried with seed 9, which makes no file
    "reviews": Recipe(epochs=2, batch_size=16, learning_rate=5e-3, precision=precision_here()),
    "headlines": Recipe(epochs=4, batch_size=16, learning_rate=5e-3, precision=precision_here()),
}


def sorting_task(name: str) -> Task:
    """Reviews by what they are about, or headlines by their category."""
    if name == "headlines":
        return load_task(name)
    train, test = (
        [TextExample(row["text"], None, SUBJECTS.index(row["domain"])) for row in _rows_of_reviews(split)]
        for split in ("train", "test")
    )
    return Task(name, Classification(SUBJECTS), train, test)


def _rows_of_reviews(split: str) -> list[dict[str, str]]:
    lines = Path(own.FOLDER, "reviews", f"{split}.tsv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def train_small_file(folder: Path, task: str, seed: int, rank: int, recipe: dict[str, Any]) -> None:
    """Train updates of the queries and values of MiniLM, and a head, and write them alone into the folder."""
    learned = sorting_task(task)
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
        f"What turns MiniLM into a sorter of the course's {task}, in some tens of kilobytes",
        train_small_file,
        {"task": task, "seed": 0, "rank": RANK, "recipe": asdict(recipe)},
        data=("minilm", *folders_of(task)),
    )
    for task, recipe in RECIPE_OF.items()
}


def load_small_file(task: str) -> tuple[Path, str]:
    """The file of a task, trained now if it is not in the cache, and where it comes from in words."""
    run = cached(SMALL_FILES[task])
    return run.folder / FILE, str(run)
