"""MiniLM fine-tuned on public sets, as far as they are at hand, to stand beside what is published.

The figures are lower than the published ones, for MiniLM is smaller than BERT-base and most sets are read in
part: the record says how many rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lib.bert import WordPieceTokenizer
from lib.files import write_json
from lib.records.cache import Entry, cached
from lib.records.inputs import public
from lib.records.question_model import squad_in_part
from lib.records.results import RESULT
from lib.text.tasks import read_public
from lib.training import baselines
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.known_tasks import load_task, spread, tags_of
from lib.training.task_kinds import Tagging, Task


def as_published(name: str, place: str) -> Task:
    """A set in the files that it is published in."""
    return load_task(name, public(place))


def on_the_test_part(name: str, place: str) -> Task:
    """A set whose test part has public labels, which is what its published scores are on."""
    return replace(as_published(name, place), test=read_public(name, "test", public(place)))


def squad(_name: str, _place: str) -> Task:
    """The part of SQuAD that the course's own question model has read."""
    return squad_in_part()


def treebank_in_part(name: str, place: str) -> Task:
    """Parts of speech, learned from the treebank's dev part, which is a sixth of its training part."""
    train, test = (read_public(name, split, public(place)) for split in ("dev", "test"))
    return Task(name, Tagging(tags_of(train), "accuracy"), train, test)


@dataclass(frozen=True)
class PublicRun:
    """Where a set lies, how many of its rows are learned from and tested on, and how."""

    place: str
    baseline: Callable[..., list[Any]]
    recipe: Recipe
    rows: int | None = None
    tested: int | None = None
    load: Callable[[str, str], Task] = as_published


RUNS = {
    "SST-2": PublicRun("glue/SST-2", baselines.classify_texts, Recipe(), rows=4000),
    "MRPC": PublicRun("glue/MRPC", baselines.classify_pairs, Recipe(batch_size=16, learning_rate=1e-4)),
    "SQuAD 1.1": PublicRun(
        "squad_v1.1",
        baselines.answer_by_overlap,
        Recipe(batch_size=16, learning_rate=3e-4, max_length=256),
        rows=1600,
        tested=1000,
        load=squad,
    ),
    "WNUT17": PublicRun(
        "wnut17",
        baselines.tag_by_word,
        Recipe(batch_size=16, learning_rate=3e-4),
        load=on_the_test_part,
    ),
    "livedoor": PublicRun(
        "livedoor_news", baselines.classify_characters, Recipe(batch_size=16), rows=2000, tested=1000
    ),
    "EWT": PublicRun(
        "ud_english_ewt",
        baselines.tag_by_word,
        Recipe(batch_size=16, learning_rate=3e-4),
        load=treebank_in_part,
    ),
}


def public_sets(seed: int) -> dict[str, Any]:
    """What `on_set` gives for each set. Each run is kept in the cache as soon as it is done."""
    return {name: _kept(name, seed) for name in RUNS}


def _kept(name: str, seed: int) -> Any:
    entry = Entry(
        f"public_set_{seed}",
        f"MiniLM trained on {name}",
        run_set,
        {"name": name, "seed": seed},
        data=("minilm", f"public/{RUNS[name].place}"),
    )
    return json.loads((cached(entry).folder / RESULT).read_text(encoding="utf-8"))


def run_set(folder: Path, name: str, seed: int) -> None:
    """One set; what is recorded of it goes into the folder."""
    write_json(folder / RESULT, on_set(name, RUNS[name], seed))


def on_set(name: str, run: PublicRun, seed: int) -> dict[str, Any]:
    """The scores of MiniLM and of a count of words on a set, and how many rows both learned from."""
    task = _cut(run.load(name, run.place), run)
    recipe = replace(run.recipe, precision="bf16")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    result = fine_tune(fresh_model(task, "minilm", seed), tokenizer, task, recipe, seed=seed)
    words = run.baseline(task.train, task.test)
    return {
        "rows": len(task.train),
        "tested": len(task.test),
        "minilm": result.scores,
        "baseline": task.kind.score(words, task.test),
        "processor_seconds": round(result.processor_seconds, 1),
    }


def _cut(task: Task, run: PublicRun) -> Task:
    """Evenly spread rows of a long set: some are sorted by subject."""
    return replace(task, train=spread(task.train, run.rows), test=spread(task.test, run.tested))


def config() -> dict[str, Any]:
    """What the record depends on besides the data."""
    return {
        name: {"recipe": asdict(run.recipe), "rows": run.rows, "tested": run.tested}
        for name, run in RUNS.items()
    }
