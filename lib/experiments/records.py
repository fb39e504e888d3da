"""Records: results of runs too long for a notebook, kept in data/records/ with how they were made.

A notebook reads one with `load(NAME)`, says that it is a record, and repeats one seed of it live, so that the
reader can test it. The experiments that make them are in `lib.experiments.registry`.
"""

import json
import os
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lib import root
from lib.files import write_json
from lib.provenance import commit, machine

FOLDER = root / "data" / "records"


def public(name: str) -> Path:
    """The folder of a public data set, inside the folder that the environment's BERT_COURSE_DATA names."""
    folder = Path(os.environ.get("BERT_COURSE_DATA", ""), name)
    if "BERT_COURSE_DATA" not in os.environ or not folder.is_dir():
        raise ValueError(
            f"This experiment needs the public data set {name}: set the environment variable BERT_COURSE_DATA"
            f" to the folder in which {name} lies."
        )
    return folder


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


def write(
    name: str, about: str, seconds: float, seeds: tuple[int, ...], results: tuple[Any, ...], folder: Path
) -> Record:
    """Writes the record of something that was just done, with this day, commit and machine."""
    record = Record(
        name, about, date.today().isoformat(), commit(), machine(), round(seconds, 1), seeds, results
    )
    write_json(folder / f"{name}.json", asdict(record))
    return record
