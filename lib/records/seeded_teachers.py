"""MiniLM fine-tuned on one of the course's tasks from any seed, for records that need a teacher for each.

The one of seed 0 learns exactly as `lib.records.teachers.load_teacher` has it, so a notebook that loads
that one can repeat what a record says of seed 0.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.results import RESULT, result_in
from lib.records.teachers import DATA_OF, RECIPES
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import load_task


@dataclass(frozen=True)
class SeededTeacher:
    """A fine-tuned model, in eval(), and how it did on the test rows."""

    model: PreTrainedBert
    scores: dict[str, float]
    predictions: list[Any]
    processor_seconds: float


def train_seeded(folder: Path, task: str, seed: int, recipe: dict[str, Any]) -> None:
    """Fine-tune MiniLM on a task of the course and write the model and its result into the folder."""
    learned = load_task(task)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    result = fine_tune(fresh_model(learned, "minilm", seed), tokenizer, learned, Recipe(**recipe), seed=seed)
    result.model.save_pretrained(folder)
    told = {name: getattr(result, name) for name in ("scores", "predictions")}
    write_json(folder / RESULT, told | {"processor_seconds": round(result.processor_seconds, 1)})


def teacher_of(task: str, seed: int) -> SeededTeacher:
    """The model that was fine-tuned on a task from this seed, trained now if it is not in the cache."""
    entry = Entry(
        f"{task}_teacher_{seed}",
        f"MiniLM fine-tuned on the course's {task}, seed {seed}",
        train_seeded,
        {"task": task, "seed": seed, "recipe": asdict(RECIPES[task])},
        data=("minilm", DATA_OF[task]),
    )
    folder = cached(entry).folder
    model = load_task(task).kind.model_class.from_pretrained(folder)
    return SeededTeacher(model.eval(), **result_in(folder))
