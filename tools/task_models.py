"""Make the fine-tuned models of `data/models`: MiniLM on headlines and on sentiment, from seed 0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from safetensors.torch import save_file

from lib.bert import WordPieceTokenizer
from lib.files import replacing, write_whole
from lib.records.cache import cached
from lib.records.results import RESULT, result_in
from lib.records.shipped import FOLDER, UPDATE, add_update, update_of
from lib.records.teachers import teacher_entry
from lib.training.finetuning import evaluate, fresh_model
from lib.training.known_tasks import load_task

TASKS = ("headlines", "sentiment")


def main(out: Annotated[Path, typer.Argument(help="the folder to write into")] = FOLDER) -> None:
    """Train the models that the course ships, and write what training changed of MiniLM: some minutes.

    Example: `python course.py make task-models data/models`
    """
    for name in TASKS:
        write(name, out / name)
        print(f"{out / name / UPDATE}: {(out / name / UPDATE).stat().st_size / 1e6:.1f} MB")


def write(name: str, folder: Path) -> None:
    """One of them. ValueError, with nothing written, where eight bits change an answer to a test row."""
    task, trained = load_task(name), cached(teacher_entry(name)).folder
    result = result_in(trained)
    model = task.kind.model_class.from_pretrained(trained)
    update = update_of(model, fresh_model(task, "minilm", seed=0))
    again = fresh_model(task, "minilm", seed=0)
    add_update(again, update)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    _, predictions = evaluate(again, tokenizer, task.kind, task.test)
    if predictions != result["predictions"]:
        differ = sum(a != b for a, b in zip(predictions, result["predictions"], strict=True))
        raise ValueError(
            f"In eight bits {name} answers {differ} test rows otherwise: store fewer numbers under one scale "
            "(GROUP in lib/records/shipped.py)."
        )
    with replacing(folder / UPDATE) as beside:
        save_file(update, beside)
    write_whole(folder / RESULT, json.dumps(result) + "\n")
