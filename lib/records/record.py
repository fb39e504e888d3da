"""Records: results of runs too long for a notebook, kept in data/records/ with how they were made.

    table = records.table("pruned_weights")  # a row for each task, arm and seed

A notebook reads one, says that it is a record, and repeats one run of it live, which tests it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lib import root
from lib.files import write_json
from lib.records.table import Run, Table

FOLDER = root / "data" / "records"


def names(folder: Path = FOLDER) -> list[str]:
    """The names of the records that there are."""
    return sorted(path.stem for path in folder.glob("*.json"))


def table(name: str, folder: Path = FOLDER) -> Table:
    """The rows of the record of that name; ValueError where there is none, or none of rows."""
    stored = _read(name, folder)
    try:
        made = stored["made_with"]
        rows = [Run(**row | {"made_with": made[row["made_with"]]}) for row in stored["rows"]]
        return Table(rows)
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise _damaged(name, folder, error) from None


def about(name: str, folder: Path = FOLDER) -> str:
    """What a record is of, when and where it was made, in a line."""
    runs = [row.made_with for row in table(name, folder).rows]
    days, places = ({run[key] for run in runs} for key in ("date", "machine"))
    return f"{_read(name, folder)['about']} ({', '.join(sorted(days))}; {'; '.join(sorted(places))})"


def lines(name: str, folder: Path = FOLDER) -> list[str]:
    """What a record holds, a line for each run."""
    rows = table(name, folder).rows
    return [f"{row.task}, {row.arm}, seed {row.seed}: {row.scores | row.costs}" for row in rows]


def write_table(name: str, about: str, rows: Sequence[Run], folder: Path = FOLDER) -> None:
    """Write rows as a record. What runs were made with is written once for all that share it."""
    made: list[dict[str, Any]] = []
    for row in rows:
        if row.made_with not in made:
            made.append(row.made_with)
    written = [asdict(row) | {"made_with": made.index(row.made_with)} for row in rows]
    write_json(folder / f"{name}.json", {"name": name, "about": about, "made_with": made, "rows": written})


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
