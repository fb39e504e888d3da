"""MiniLM fine-tuned on each of the course's tasks: trained once for a machine, and read by several notebooks.

teacher = load_teacher("reviews")
print(teacher.told)  # trained here in 41 s; or: from the cache, trained on 2026-11-22 in 41 s
teacher.model, teacher.scores, teacher.predictions
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import OWN, load_task

#: what suits each task, found with seed 9, which no result is reported of
RECIPES = {
    "reviews": Recipe(batch_size=16, epochs=4, learning_rate=1e-4),
    "headlines": Recipe(batch_size=16, epochs=4),
    "pairs": Recipe(batch_size=16, epochs=8, learning_rate=5e-5),
    "graded_pairs": Recipe(batch_size=16, epochs=6, learning_rate=1e-4),
    "entities": Recipe(batch_size=16, epochs=5, learning_rate=5e-4),
    "passages": Recipe(batch_size=16, epochs=2, learning_rate=3e-4, max_length=256),
    "stories": Recipe(batch_size=16, epochs=6),
}
RESULT = "result.json"

#: where each task's examples lie
DATA_OF = {task: f"data/tasks/{'pairs' if task == 'graded_pairs' else task}" for task in OWN}


@dataclass(frozen=True)
class Teacher:
    """A fine-tuned model, and how it did on the test rows."""

    model: PreTrainedBert
    scores: dict[str, float]
    predictions: list[Any]
    losses: list[float]
    told: str  # where the model comes from: trained here, or out of the cache


def train_teacher(folder: Path, task: str, seed: int, recipe: dict[str, Any]) -> None:
    """Fine-tune MiniLM on a task of the course and write the model and its result into the folder."""
    learned = load_task(task)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    result = fine_tune(fresh_model(learned, "minilm", seed), tokenizer, learned, Recipe(**recipe), seed=seed)
    result.model.save_pretrained(folder)
    write_json(
        folder / RESULT,
        {"scores": result.scores, "predictions": result.predictions, "losses": result.losses},
    )


TEACHERS = {
    task: Entry(
        f"{task}_teacher",
        f"MiniLM fine-tuned on the course's {task.replace('_', ' ')}",
        train_teacher,
        {"task": task, "seed": 0, "recipe": asdict(RECIPES[task])},
        data=("minilm", DATA_OF[task]),
    )
    for task in OWN
}


def load_teacher(task: str) -> Teacher:
    """The model that was fine-tuned on a task of the course, trained now if it is not in the cache."""
    if task not in TEACHERS:
        raise ValueError(f"There is no teacher for {task!r}: use {', '.join(TEACHERS)}.")
    kept, kind = cached(TEACHERS[task]), load_task(task).kind
    result = json.loads((kept.folder / RESULT).read_text(encoding="utf-8"))
    model = kind.model_class.from_pretrained(kept.folder)
    return Teacher(model, result["scores"], result["predictions"], result["losses"], str(kept))
