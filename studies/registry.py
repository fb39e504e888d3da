"""What is made once and kept: the studies, and what several notebooks find in the cache.

Modules that compute are imported when something is run: to list what there is takes no time.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from lib.records.cache import Entry
from lib.records.record import FOLDER, table, write_table
from lib.records.record import names as record_names

if TYPE_CHECKING:
    from lib.records.study import Study


def names() -> list[str]:
    """The studies: each is a file that says `STUDY = Study(...)`."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [path.stem for path in files if "\nSTUDY = Study(" in path.read_text(encoding="utf-8")]


def study(name: str) -> Study:
    """The study of that name; ValueError where there is none."""
    if name not in names():
        raise ValueError(f"There is no study {name!r}; there are {', '.join(names())}.")
    imported: Study = import_module(f"studies.{name}").STUDY
    return imported


def run(name: str, folder: Path = FOLDER) -> None:
    """Write the record of a study: only runs that it lacks, or that would come out otherwise, are made."""
    one = study(name)
    before = table(name, folder) if name in record_names(folder) else None
    write_table(name, one.about, list(one.rows(before)), folder)


def misfits(name: str, folder: Path = FOLDER) -> list[str]:
    """What has changed since the record of that name was made, a sentence each. None: it fits."""
    from lib.records.study import changed_inputs

    recorded = table(name, folder)
    return study(name).misfits(recorded) if name in names() else changed_inputs(recorded)


def entries() -> dict[str, Entry]:
    """What is kept in the cache, by name."""
    from lib.records.small_bert import GRAMMAR

    return {GRAMMAR.name: GRAMMAR}
