"""MiniLM fine-tuned on public sets, whole, for the ledger's rows on them.

It learns from all 67,349 phrases of SST-2 once, with phrases of like length in a batch, which is the cheapest
recipe that reads every one of them.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.inputs import public
from lib.records.question_model import squad_in_part
from lib.records.results import RESULT, result_in
from lib.records.seeded_teachers import SeededTeacher
from lib.training.devices import precision_here, processes
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Task

PLACES = {"SST-2": "glue/SST-2", "MRPC": "glue/MRPC", "SQuAD 1.1": "squad_v1.1"}
#: as the ledger's records were made; a processor that does not multiply bfloat16 itself takes float32
RECIPES = {
    "SST-2": Recipe(epochs=1, batch_size=32, learning_rate=2e-4, precision="bf16"),
    "MRPC": Recipe(epochs=3, batch_size=16, learning_rate=1e-4, precision="bf16"),
}


def public_task(name: str) -> Task:
    """A set in the files that it is published in; of SQuAD's training set its first articles."""
    return squad_in_part() if name == "SQuAD 1.1" else load_task(name, public(PLACES[name]))


def train_public(folder: Path, name: str, seed: int, recipe: dict[str, Any]) -> None:
    """Fine-tune MiniLM on a set and write the model and its result into the folder."""
    task, tokenizer = public_task(name), WordPieceTokenizer.from_pretrained("minilm")
    fast = replace(Recipe(**recipe), precision=precision_here())
    model = fresh_model(task, "minilm", seed).to(processes().device)
    result = fine_tune(model, tokenizer, task, fast, seed=seed)
    result.model.save_pretrained(folder)
    found = {"scores": result.scores, "predictions": result.predictions}
    write_json(folder / RESULT, found | {"processor_seconds": round(result.processor_seconds, 1)})


def public_teacher(name: str, seed: int) -> SeededTeacher:
    """MiniLM fine-tuned on a set, out of the cache or trained now."""
    entry = Entry(
        f"public_teacher_{seed}",
        f"MiniLM fine-tuned on {name}",
        train_public,
        {"name": name, "seed": seed, "recipe": asdict(RECIPES[name])},
        data=("minilm", f"public/{PLACES[name]}"),
    )
    folder = cached(entry).folder
    model = public_task(name).kind.model_class.from_pretrained(folder)
    return SeededTeacher(model.eval(), **result_in(folder))
