"""Records: results of runs too long for a notebook, kept in data/records/ with how they were made.

    table = records.table("pruned_weights")  # of a study: rows
    record = records.load("pocket")  # of an older experiment: a result for each seed

A notebook reads one, says that it is a record, and repeats one run of it live, which tests it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from lib import root
from lib.files import write_json
from lib.provenance import commit, machine
from lib.records.table import Row, Table

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


def is_table(name: str, folder: Path = FOLDER) -> bool:
    """Whether the record of that name is a table of rows."""
    return "rows" in _read(name, folder)


def load(name: str, folder: Path = FOLDER) -> Record:
    """The record of that name; ValueError where there is none, or it is damaged or a table of rows."""
    stored = _read(name, folder)
    if "rows" in stored:
        raise ValueError(f"The record {name!r} is a table of rows: read it with records.table({name!r}).")
    try:
        return Record(**stored | {"seeds": tuple(stored["seeds"]), "results": tuple(stored["results"])})
    except (ValueError, TypeError, KeyError) as error:
        raise _damaged(name, folder, error) from None


def table(name: str, folder: Path = FOLDER) -> Table:
    """The rows of the record of that name; ValueError where there is none, or none of rows."""
    stored = _read(name, folder)
    if "rows" not in stored:
        raise ValueError(
            f"The record {name!r} has the form of before, a result for each seed: make it anew with "
            f"`python course.py records run {name}`, or take the course's own from git."
        )
    try:
        made = stored["made_with"]
        rows = [Row(**row | {"made_with": made[row["made_with"]]}) for row in stored["rows"]]
        return Table(rows)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise _damaged(name, folder, error) from None


def about(name: str, folder: Path = FOLDER) -> str:
    """What a record is of, when and where it was made, in a line."""
    stored = _read(name, folder)
    runs = stored.get("made_with", [stored])
    days, places = ({run[key] for run in runs} for key in ("date", "machine"))
    return f"{stored['about']} ({', '.join(sorted(days))}; {'; '.join(sorted(places))})"


def lines(name: str, folder: Path = FOLDER) -> list[str]:
    """What a record holds, a line for each run."""
    if not is_table(name, folder):
        record = load(name, folder)
        return [f"seed {seed}: {result}" for seed, result in zip(record.seeds, record.results, strict=True)]
    rows = table(name, folder).rows
    return [f"{row.task}, {row.arm}, seed {row.seed}: {row.scores | row.costs}" for row in rows]


def write_table(name: str, about: str, rows: Sequence[Row], folder: Path = FOLDER) -> None:
    """Write rows as the record of a study. What runs were made with is written once for all that share it."""
    made: list[dict[str, Any]] = []
    for row in rows:
        if row.made_with not in made:
            made.append(row.made_with)
    written = [asdict(row) | {"made_with": made.index(row.made_with)} for row in rows]
    write_json(folder / f"{name}.json", {"name": name, "about": about, "made_with": made, "rows": written})


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


def _read(name: str, folder: Path) -> dict[str, Any]:
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"There is no record {name!r}; there are {', '.join(names(folder)) or 'none'}.")
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise _damaged(name, folder, error) from None


def _damaged(name: str, folder: Path, error: Exception) -> ValueError:
    return ValueError(f"{folder / name}.json is no record ({error}): take the course's own from git.")
