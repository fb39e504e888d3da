"""Grading a folder of hand-ins, each answer in a process of its own."""

from __future__ import annotations

import csv
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from lib.exercises import judge
from lib.exercises.exercise import Exercise
from lib.exercises.handin import HandedIn
from lib.exercises.report import Report

COLUMNS = ("hand_in", "notebook", "exercise", "status", "mistake", "message", "seconds")
STATUSES = (
    "passed", "failed", "blank", "missing", "copied",
    "error", "timeout", "memory", "died", "unreadable",
)  # fmt: skip
MAX_BYTES = 100_000_000


@dataclass
class HandIn:
    """One file: who handed it in, the notebook that it answers, its code cells by number."""

    learner: str
    path: Path
    notebook: str = ""
    cells: list[tuple[int, str]] | None = None
    trouble: str = ""  # why it cannot be read


@dataclass(frozen=True)
class Row:
    """One line of the grades."""

    hand_in: str
    notebook: str
    exercise: str
    report: Report

    def cells(self) -> list[str]:
        """What stands in the table, in the order of COLUMNS."""
        one_line = " ".join(self.report.message.split())
        mistake = self.report.mistake or ""
        start = [self.hand_in, self.notebook, self.exercise, self.report.status, mistake, one_line]
        return [*start, f"{self.report.seconds:.2f}"]


def grade(folder: Path, exercises: Mapping[str, Exercise], seconds: float = judge.SECONDS) -> list[Row]:
    """Judge every exercise of every notebook in `folder`, showing progress.

    `folder` holds a folder for each learner, or notebooks side by side; `seconds` is what each
    answer may take. Raises ValueError if there is no notebook in the folder.
    """
    hand_ins = read_folder(folder, exercises)
    tasks = [(one, exercise) for one in hand_ins for exercise in _asked(one, exercises)]
    with (
        tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as scratch,
        ThreadPoolExecutor(_cores()) as pool,
        tqdm(total=len(tasks), unit="answer") as bar,
    ):

        def one_row(task: tuple[HandIn, Exercise | None]) -> Row:
            row = _row(*task, scratch, seconds)
            bar.update()
            return row

        futures = [pool.submit(one_row, task) for task in tasks]
        try:
            return [future.result() for future in futures]
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def write_csv(rows: list[Row], path: Path) -> None:
    """Write the grades beside their place, then move them there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with open(beside, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(row.cells() for row in rows)
    os.replace(beside, path)


def summary(rows: list[Row]) -> str:
    """How many answers to each exercise ended how, and the mistakes that were made most."""
    kinds = [status for status in STATUSES if any(row.report.status == status for row in rows)]
    names = list(dict.fromkeys(row.exercise or "(no exercise found)" for row in rows))
    counts = Counter((row.exercise or "(no exercise found)", row.report.status) for row in rows)
    width = max(map(len, [*names, "exercise"]))
    lines = ["  ".join(["exercise".ljust(width), *kinds])]
    for name in names:
        cells = [str(counts[name, kind] or "-").rjust(len(kind)) for kind in kinds]
        lines.append("  ".join([name.ljust(width), *cells]))
    mistakes = Counter((row.exercise, row.report.mistake) for row in rows if row.report.mistake is not None)
    if mistakes:
        lines.append("\nmistakes made most:")
        lines += [f"{n:5d}  {mistake} in {name}" for (name, mistake), n in mistakes.most_common(8)]
    return "\n".join(lines)


def read_folder(folder: Path, exercises: Mapping[str, Exercise]) -> list[HandIn]:
    """The hand-ins in a folder, by name; copies that Jupyter and archives leave are passed over."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. Name the folder that holds the hand-ins.")
    paths = [
        path
        for path in sorted(folder.rglob("*.ipynb"))
        if path.is_file() and not any(p.startswith((".", "__MACOSX")) for p in path.relative_to(folder).parts)
    ]
    if not paths:
        raise ValueError(f"There is no notebook (.ipynb) in {folder}.")
    hand_ins = [_read(path, folder, exercises) for path in paths]
    count = Counter((one.learner, one.notebook) for one in hand_ins)
    for one in hand_ins:
        if count[one.learner, one.notebook] > 1:  # the same notebook twice: by its path, then
            one.learner = one.path.relative_to(folder).with_suffix("").as_posix()
    return hand_ins


def code_cells(text: str) -> list[tuple[int, str]]:
    """The code cells of a notebook of any version, numbered from 1 among all cells.

    Raises ValueError if the text is no notebook.
    """
    book = json.loads(text)
    try:
        cells: list[Any] = book["cells"] if "cells" in book else book["worksheets"][0]["cells"]
        sources = [cell.get("source", cell.get("input", "")) for cell in cells]
        texts = [source if isinstance(source, str) else "".join(source) for source in sources]
        kinds = [cell["cell_type"] for cell in cells]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError("it is JSON, but not a notebook") from None
    return [(i, text) for i, text in enumerate(texts, 1) if kinds[i - 1] == "code"]


def _read(path: Path, folder: Path, exercises: Mapping[str, Exercise]) -> HandIn:
    parts = path.relative_to(folder).parts
    one = HandIn(parts[0] if len(parts) > 1 else path.stem, path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("it is larger than 100 MB")
        one.cells = code_cells(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, or not JSON
        one.trouble = f"The file cannot be read as a notebook: {error}"
    one.notebook = _notebook(one, {exercise.notebook for exercise in exercises.values()}, exercises)
    return one


def _notebook(one: HandIn, known: set[str], exercises: Mapping[str, Exercise]) -> str:
    """The notebook that a hand-in answers: by its file's name, else by what its cells define."""
    stem = one.path.stem
    for name in sorted(known):
        if name.lower() in stem.lower():
            return name
    code = "\n".join(source for _, source in one.cells or [])
    defined = Counter(
        exercise.notebook for exercise in exercises.values() if re.search(rf"\b{exercise.name}\b", code)
    )
    numbers = re.findall(r"(?<!\d)\d\d(?!\d)", stem)
    named = [name for name in sorted(known) if name[:2] in numbers]
    if named and (not defined or any(name in defined for name in named)):
        return max(named, key=lambda name: defined[name])
    return defined.most_common(1)[0][0] if defined else ""


def _asked(one: HandIn, exercises: Mapping[str, Exercise]) -> list[Exercise | None]:
    """The exercises of the notebook that a hand-in answers; None stands for "none found"."""
    return [e for e in exercises.values() if e.notebook == one.notebook] or [None]


def _row(one: HandIn, exercise: Exercise | None, scratch: str, seconds: float) -> Row:
    """Judge one answer of one hand-in."""
    notebook = one.notebook or one.path.stem
    if one.cells is None:
        report = Report(False, one.trouble, status="unreadable")
    elif exercise is None:
        report = Report(False, "No exercise is found in this notebook.", status="missing")
    else:
        answer = HandedIn(one.cells, exercise.name, scratch)
        report = judge.run(exercise, answer, seconds)
    return Row(one.learner, notebook, exercise.name if exercise else "", report)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
