"""Recorded experiments: runs too long for a notebook, kept in data/records/ with how they were made.

An experiment is a function from a seed to a result, registered here by name. `python -m lib records
run NAME` runs it for each of its seeds and writes `data/records/NAME.json`; a notebook reads that with
`load(NAME)`, says that it is a record, and repeats one seed of it live, so that the reader can test it.
"""

import json
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lib import root
from lib.analysis import parses, residual

FOLDER = root / "data" / "records"


@dataclass(frozen=True)
class Experiment:
    """Something to record: `run(seed)` gives numbers, texts, lists and dicts of them."""

    run: Callable[[int], Any]
    seeds: tuple[int, ...]
    minutes: float
    about: str


def public(name: str) -> Path:
    """The folder of a public data set, inside the folder that the environment's BERT_COURSE_DATA names."""
    folder = Path(os.environ.get("BERT_COURSE_DATA", ""), name)
    if "BERT_COURSE_DATA" not in os.environ or not folder.is_dir():
        raise ValueError(
            f"This experiment needs the public data set {name}: set the environment variable BERT_COURSE_DATA"
            f" to the folder in which {name} lies."
        )
    return folder


EXPERIMENTS: dict[str, Experiment] = {
    "objects": Experiment(
        lambda seed: parses.objects_in_ewt(public("ud_english_ewt"), seed),
        seeds=(0, 1, 2),
        minutes=4,
        about="Direct objects of UD English EWT found by one head of MiniLM; the seed draws random weights",
    ),
    "warm_up": Experiment(
        residual.learning,
        seeds=(0, 1, 2),
        minutes=5,
        about="Post-LN and pre-LN learn to write twelve letters backwards, with and without warm-up",
    ),
}


@dataclass(frozen=True)
class Record:
    """What an experiment gave, `results[i]` with `seeds[i]`, and where, when and how long it took."""

    name: str
    about: str
    date: str
    commit: str
    machine: str
    seconds: float
    seeds: tuple[int, ...]
    results: tuple[Any, ...]


def names(folder: Path = FOLDER) -> list[str]:
    """The names of the records that there are."""
    return sorted(path.stem for path in folder.glob("*.json"))


def load(name: str, folder: Path = FOLDER) -> Record:
    """The record of that name; ValueError where there is none."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"There is no record {name!r}; there are {', '.join(names(folder)) or 'none'}.")
    fields = json.loads(path.read_text(encoding="utf-8"))
    return Record(**fields | {"seeds": tuple(fields["seeds"]), "results": tuple(fields["results"])})


def commit() -> str:
    """The commit that the code is at, marked where files have been changed since."""
    git = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--match="]
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()


def run(name: str, folder: Path = FOLDER) -> Record:
    """Runs an experiment for each of its seeds and writes its record."""
    from lib.analysis.machine import machine

    if name not in EXPERIMENTS:
        known = ", ".join(sorted(EXPERIMENTS)) or "none"
        raise ValueError(f"There is no experiment {name!r}; there are {known}.")
    experiment = EXPERIMENTS[name]
    start = time.perf_counter()
    results = tuple(experiment.run(seed) for seed in experiment.seeds)
    record = Record(
        name=name,
        about=experiment.about,
        date=date.today().isoformat(),
        commit=commit(),
        machine=machine(),
        seconds=round(time.perf_counter() - start, 1),
        seeds=experiment.seeds,
        results=results,
    )
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f"{name}.new"
    beside.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    os.replace(beside, folder / f"{name}.json")
    return record
