"""Records: results of runs too long for a notebook, kept in data/records/ with how they were made.

A notebook reads one with `load(NAME)`, says that it is a record, and repeats one seed of it live, so that the
reader can test it. The experiments that make them are in `studies.registry`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lib import root
from lib.files import write_json
from lib.provenance import commit, machine

FOLDER = root / "data" / "records"


@dataclass(frozen=True)
class Record:
    """What an experiment gave, `results[i]` with `seeds[i]`, and where, when and how long it took.

    inputs: digests of what it was made from, by the names of `lib.records.inputs`. config: numbers that
    the experiment was run with. The code is named by the commit: it may change where a result does not.
    """

    name: str
    about: str
    date: str
    commit: str
    machine: str
    seconds: float
    seeds: tuple[int, ...]
    inputs: dict[str, str]
    config: dict[str, Any]
    results: tuple[Any, ...]


def names(folder: Path = FOLDER) -> list[str]:
    """The names of the records that there are."""
    return sorted(path.stem for path in folder.glob("*.json"))


def load(name: str, folder: Path = FOLDER) -> Record:
    """The record of that name; ValueError where there is none, or where it is damaged."""
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"There is no record {name!r}; there are {', '.join(names(folder)) or 'none'}.")
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return Record(**stored | {"seeds": tuple(stored["seeds"]), "results": tuple(stored["results"])})
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} is no record ({error}): take the course's own from git.") from None


def write(
    name: str,
    about: str,
    seconds: float,
    seeds: tuple[int, ...],
    results: tuple[Any, ...],
    folder: Path,
    inputs: Mapping[str, str],
    config: Mapping[str, Any],
) -> Record:
    """Writes the record of something that was just done, with this day, commit and machine.

    inputs: what `lib.records.inputs.digests` gave before it was done. Rows of the ledger are
    `lib.compression.ledger.rows.LedgerRow`s.
    """
    if len(seeds) != len(results):
        raise ValueError(f"{len(results)} results of {len(seeds)} seeds: give one for each.")
    record = Record(
        name,
        about,
        date.today().isoformat(),
        commit(),
        machine(),
        round(seconds, 1),
        seeds,
        dict(inputs),
        dict(config),
        results,
    )
    write_json(folder / f"{name}.json", asdict(record))
    return record
