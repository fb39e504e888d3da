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
from lib.analysis import ablate, heads, parses, residual

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


def _sentence_pairs(seed: int) -> Any:
    from lib.analysis import bags  # scikit-learn takes a second, and most who load a record do not need it

    return bags.on_folder(public("pretrain_wikipedia"), seed)


def _ablations(seed: int) -> Any:
    from lib.training import ablations  # Accelerate takes a second too

    return ablations.all_arms(seed)


EXPERIMENTS: dict[str, Experiment] = {
    "ablations": Experiment(
        _ablations,
        seeds=(0, 1, 2),
        minutes=15,
        about="One choice of pretraining changed at a time at equal compute, in small BERTs on the grammar's"
        " text and the course's own; the seed draws weights, order, masks",
    ),
    "heads_off": Experiment(
        lambda seed: ablate.heads_needed("pocket", seed),
        seeds=(0, 1, 2),
        minutes=5,
        about="The pocket BERT's masked-LM loss on the course's own text without each of its heads, and with"
        " more and more of them off; the seed draws the text and what is hidden in it",
    ),
    "heads_in_ewt": Experiment(
        lambda seed: heads.heads_in_ewt(public("ud_english_ewt"), seed),
        seeds=(0, 1, 2),
        minutes=6,
        about="The best head for every frequent relation of UD English EWT in the pocket BERT and in MiniLM,"
        " chosen on dev and scored on test; the seed draws random weights",
    ),
    "objects": Experiment(
        lambda seed: parses.objects_in_ewt(public("ud_english_ewt"), seed),
        seeds=(0, 1, 2),
        minutes=4,
        about="Direct objects of UD English EWT found by one head of MiniLM; the seed draws random weights",
    ),
    "sentence_pairs": Experiment(
        _sentence_pairs,
        seeds=(0, 1, 2),
        minutes=10,
        about="Next sentence and sentence order by bags of words, on 2,000 articles of Wikipedia, four folds;"
        " the seed draws folds and pairs",
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
    if name not in EXPERIMENTS:
        known = ", ".join(sorted(EXPERIMENTS)) or "none"
        raise ValueError(f"There is no experiment {name!r}; there are {known}.")
    experiment = EXPERIMENTS[name]
    start = time.perf_counter()
    results = tuple(experiment.run(seed) for seed in experiment.seeds)
    seconds = time.perf_counter() - start
    return write(name, experiment.about, seconds, experiment.seeds, results, folder)


def write(
    name: str, about: str, seconds: float, seeds: tuple[int, ...], results: tuple[Any, ...], folder: Path
) -> Record:
    """Writes the record of something that was just done, with this day, commit and machine."""
    from lib.analysis.machine import machine

    record = Record(
        name, about, date.today().isoformat(), commit(), machine(), round(seconds, 1), seeds, results
    )
    folder.mkdir(parents=True, exist_ok=True)
    beside = folder / f"{name}.new"
    beside.write_text(json.dumps(asdict(record), indent=1) + "\n", encoding="utf-8")
    os.replace(beside, folder / f"{name}.json")
    return record
