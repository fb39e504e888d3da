"""Records: results of runs too long for a notebook, kept in data/records/ with how they were made.

A notebook reads one with `load(NAME)`, says that it is a record, and repeats one seed of it live, so that the
reader can test it. The experiments that make them are in `lib.experiments.registry`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
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

    inputs: digests of what it was made from, by the names of `lib.experiments.inputs`. config: numbers that
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

    inputs: what `lib.experiments.inputs.digests` gave before it was done. Rows of a table are `TableRow`s.
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


# --- tables of methods ----------------------------------------------------------------------------


@dataclass(frozen=True)
class TableRow:
    """What one method reaches on one task, and what its model costs: the same columns for all methods.

    seeds and accuracy belong together, one for each run, accuracy from 0 to 1. bytes: of the file that holds
    the model. milliseconds: of a forward pass, by how many texts it reads ("1", "32"). parameters: how many.
    """

    method: str
    task: str
    seeds: tuple[int, ...]
    accuracy: tuple[float, ...]
    bytes: int
    milliseconds: dict[str, float]
    parameters: int

    def __post_init__(self) -> None:
        wrong = [
            *(name for name in ("method", "task") if not getattr(self, name)),
            *(name for name in ("bytes", "parameters") if not _is_count(getattr(self, name))),
        ]
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            wrong.append("seeds")
        if len(self.accuracy) != len(self.seeds) or not all(0 <= share <= 1 for share in self.accuracy):
            wrong.append("accuracy")
        if not self.milliseconds or not all(
            batch.isdigit() and 0 < value < math.inf for batch, value in self.milliseconds.items()
        ):
            wrong.append("milliseconds")
        if wrong:
            raise ValueError(
                f"A row of {self.method or 'no method'} has no right {' and '.join(wrong)}: a row names its"
                " method and task, seeds that differ, for each an accuracy from 0 to 1, bytes and parameters,"
                ' whole numbers above 0, and milliseconds by batch size, such as {"1": 4.2}.'
            )


def _is_count(number: object) -> bool:
    return type(number) is int and number > 0


def table_rows(record: Record) -> list[TableRow]:
    """The rows of a record whose every result is a list of them, the runs of several seeds in one row.

    Bytes, milliseconds and parameters are those of the first seed. ValueError where a row is none.
    """
    rows: dict[tuple[str, str], TableRow] = {}
    for result in record.results:
        for row in map(_row, result):
            before = rows.get((row.method, row.task))
            rows[row.method, row.task] = row if before is None else _joined(before, row)
    return list(rows.values())


def _row(stored: Mapping[str, Any]) -> TableRow:
    columns = [column.name for column in fields(TableRow)]
    if sorted(stored) != sorted(columns):
        raise ValueError(f"A row of a table has {', '.join(columns)}, not {', '.join(sorted(stored))}.")
    return TableRow(**{**stored, "seeds": tuple(stored["seeds"]), "accuracy": tuple(stored["accuracy"])})


def _joined(first: TableRow, second: TableRow) -> TableRow:
    return replace(first, seeds=first.seeds + second.seeds, accuracy=first.accuracy + second.accuracy)
