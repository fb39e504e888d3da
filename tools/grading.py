"""Grading a folder of hand-ins, each answer in a process of its own."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from tqdm import tqdm

from lib.exercises import processes, sandbox
from lib.exercises.processes import Worker
from lib.exercises.report import Report
from lib.exercises.spec import Exercise
from lib.exercises.walls import SCRATCH, Walled
from lib.files import write_whole
from tools.answered import answered
from tools.beside import Files, beside, named
from tools.hand_ins import HandedIn
from tools.notebook_files import KINDS, beginning, is_notebook, notebook_text
from tools.statements import seems_to_bind

COLUMNS = ("hand_in", "notebook", "exercise", "status", "mistake", "message", "seconds")
STATUSES = (
    "passed", "failed", "blank", "missing", "copied",
    "error", "timeout", "memory", "died", "unreadable", "untried",
)  # fmt: skip
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
OURS = ("submissions", "roster", "gradebook")  # how names begin of what a lecturer downloads beside them
HIDDEN = (".", "__macosx", "desktop.ini", "thumbs.db")  # how names begin of what nobody sees in a folder
#: the version of Python that a notebook's file names: text of a cell has no bare quotation marks there
PYTHON = re.compile(r'"language_info":.*?"version":\s*"(\d+)\.(\d+)', re.DOTALL)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet computes instead of showing


@dataclass
class HandIn:
    """A file, or a folder without one: who handed it in, the notebook that it answers, its code cells."""

    learner: str
    path: Path
    notebook: str = ""
    cells: list[tuple[int, str]] | None = None
    notes: list[tuple[int, str]] = field(default_factory=list)  # its other cells
    files: Files = field(default_factory=dict)  # of the learner's own folder
    python: tuple[int, ...] = ()  # the version that ran it, where it says so
    trouble: str = ""  # why it cannot be read, or that nothing is there
    status: str = "unreadable"  # in that case


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is said of one answer: a line of the grades."""

    hand_in: str
    notebook: str
    exercise: str
    report: Report

    def cells(self) -> list[str]:
        """What stands in the table, in the order of COLUMNS."""
        texts = [self.hand_in, self.notebook, self.exercise, self.report.status]
        texts += [self.report.mistake or "", self.report.message]
        return [*map(shown, texts), f"{self.report.seconds:.2f}"]


class Grades:
    """The grades as a CSV file, which is a whole table after every row."""

    def __init__(self, path: Path) -> None:
        """Start the file with its heading; a table that was there is kept as PATH.before."""
        if path.is_dir():
            raise ValueError(f"{path} is a folder. Name the file for the grades: -o {path / 'grades.csv'}")
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            os.replace(path, path.with_name(f"{path.name}.before"))
        path.write_text(as_csv([COLUMNS]), "utf-8", newline="")
        self.path = path
        self.verdicts: list[Verdict] = []

    def append(self, verdict: Verdict) -> None:
        """Add a row, in the file too."""
        self.verdicts.append(verdict)
        with suppress(OSError), self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(as_csv([verdict.cells()]))  # where the disk is full, `finish` tries once more

    def finish(self, order: Mapping[Verdict, int]) -> list[Verdict]:
        """Put the rows in order, in the file too. ValueError, which shows them, if they cannot be written."""
        self.verdicts.sort(key=order.__getitem__)
        text = as_csv([COLUMNS, *(verdict.cells() for verdict in self.verdicts)])
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise ValueError(
                f"{text}\n{self.path} cannot be written ({error}); above is the table."
            ) from None
        return self.verdicts


def grade(
    folder: Path,
    exercises: Mapping[str, Exercise],
    output: Path,
    seconds: float = sandbox.SECONDS,
    walls: Sequence[str] = (),
) -> list[Verdict]:
    """Judge every exercise of every notebook in `folder`, showing progress; write the table to `output`.

    `folder` holds a folder for each learner, or notebooks side by side (`read_folder`); `seconds` is what
    each answer may compute; `walls` the command that answers run behind (`walls.command([folder])`): without
    it they have our rights. Rows are in the file as soon as a hand-in is judged, and in order at the end.
    ValueError if nothing was handed in, or `seconds` is no time.
    """
    if not 0 < seconds < math.inf:
        raise ValueError(
            f"--seconds {seconds:g} is no time to give an answer: take 5, or 20 on a slow machine."
        )
    hand_ins = read_folder(folder, exercises)
    by_notebook: dict[str, list[Exercise | None]] = {}
    for exercise in exercises.values():
        by_notebook.setdefault(exercise.notebook, []).append(exercise)
    tasks = [(hand_in, by_notebook.get(hand_in.notebook, [None])) for hand_in in hand_ins]
    if passed_over := _passed_over(folder, hand_ins):
        print(f"Passed over, as nobody's hand-in: {shown(', '.join(passed_over))[:500]}.", file=sys.stderr)
    grades = Grades(output)
    order: dict[Verdict, int] = {}
    with (
        tempfile.TemporaryDirectory(prefix="answers-", ignore_cleanup_errors=True) as scratch,
        ThreadPoolExecutor(_cores()) as pool,
        tqdm(total=sum(len(wanted) for _, wanted in tasks), unit="answer") as bar,
    ):
        futures = {
            pool.submit(_verdicts, *task, seconds, walls, scratch): number
            for number, task in enumerate(tasks)
        }
        try:
            for future in as_completed(futures):
                for verdict in future.result():
                    order[verdict] = futures[future]
                    grades.append(verdict)
                    bar.update()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return grades.finish(order)


def summary(verdicts: list[Verdict]) -> str:
    """How many answers to each exercise ended how, and the mistakes that were made most."""
    kinds = [status for status in STATUSES if any(verdict.report.status == status for verdict in verdicts)]
    named = [(verdict.exercise or "(no exercise found)", verdict.report) for verdict in verdicts]
    names = list(dict.fromkeys(name for name, _ in named))
    counts = Counter((name, report.status) for name, report in named)
    width = max(map(len, [*names, "exercise"]))
    lines = ["  ".join(["exercise".ljust(width), *kinds])]
    for name in names:
        cells = [str(counts[name, kind] or "-").rjust(len(kind)) for kind in kinds]
        lines.append("  ".join([name.ljust(width), *cells]))
    mistakes = Counter((name, report.mistake) for name, report in named if report.mistake is not None)
    if mistakes:
        lines.append("\nmistakes made most:")
        lines += [f"{n:5d}  {mistake} in {name}" for (name, mistake), n in mistakes.most_common(8)]
    return "\n".join(lines)


def read_folder(folder: Path, exercises: Mapping[str, Exercise]) -> list[HandIn]:
    """What was handed in, by name: notebooks of any ending, archives, learners' folders that hold neither.

    Where no learner has a folder, every other file is a hand-in too, but for tables of grades and receipts. A
    file that answers several notebooks stands there once for each. A learner is called by the folders that
    hold the file; by the file itself where there are none, or where another of theirs is the same notebook.
    What is hidden is passed over, and so is what archives leave. Links are not followed.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. Name the folder that holds the hand-ins.")
    hand_ins: list[HandIn] = []
    for path in _handed_in(folder, side_by_side=True):
        hand_in = _read(path, folder)
        notebooks = answered(path.stem, _code(hand_in), exercises)
        hand_ins += [replace(hand_in, notebook=notebook) for notebook in notebooks]
    if not hand_ins:
        raise ValueError(f"There is no notebook (.ipynb) in {folder}.")
    for whole_name in (False, True):
        count = Counter((hand_in.learner, hand_in.notebook) for hand_in in hand_ins)
        for hand_in in hand_ins:
            if count[hand_in.learner, hand_in.notebook] > 1:
                name = hand_in.path.relative_to(folder)
                hand_in.learner = (name if whole_name else name.with_suffix("")).as_posix()
    return hand_ins


def _handed_in(folder: Path, side_by_side: bool = False) -> list[Path]:
    """The files below a folder that are hand-ins, and the folders of learners without one, in order.

    side_by_side: each file in this folder may be a learner's, and each folder is one.
    """
    found: list[Path] = []
    others: list[Path] = []
    below: dict[Path, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        name = path.name.lower()
        if name.startswith(HIDDEN):
            continue
        linked = side_by_side and path.is_symlink()
        packed = name.endswith(ARCHIVES) and not (side_by_side and name.startswith(OURS))
        if path.is_dir() and not path.is_symlink():
            below[path] = _handed_in(path) if os.access(path, os.R_OK | os.X_OK) else [path]
        elif linked or ".ipynb" in name or packed or is_notebook(path):
            found.append(path)
        else:
            others.append(path)
    if side_by_side and not any(below.values()):  # where learners have folders, what lies beside is nobody's
        found += [path for path in others if not _goes_with(path, found)]
    found = [path for path in found if not _repeats(path, found)]
    below = {path: inside for path, inside in below.items() if not _repeats(path, [*below])}
    if side_by_side or (not found and any(below.values())):  # among folders of learners one holds none
        below = {path: inside or [path] for path, inside in below.items()}
    return sorted([*found, *chain.from_iterable(below.values())])


def _repeats(path: Path, others: list[Path]) -> bool:
    """Whether a path is the archive of a notebook beside it, or Moodle's text beside a folder of files."""
    if path.name.endswith("_onlinetext_"):
        return path.with_name(path.name.replace("_onlinetext_", "_file_")) in others
    return path.name.lower().endswith(ARCHIVES) and path.with_suffix(".ipynb") in others


def _goes_with(path: Path, notebooks: list[Path]) -> bool:
    """Whether a file is a list of learners or grades, or a receipt, called as a notebook's name begins."""
    if path.name.lower().startswith(OURS[1:]):
        return True
    if path.suffix == ".txt":
        return any(notebook.name.startswith((f"{path.stem}_", f"{path.stem}.")) for notebook in notebooks)
    return beginning(path).startswith(",".join(COLUMNS).encode())


def _passed_over(folder: Path, hand_ins: list[HandIn]) -> list[str]:
    """The names of what lies in a folder, and of archives below it, that is no hand-in and not hidden."""
    read = {path for hand_in in hand_ins for path in (hand_in.path, *hand_in.path.parents)}
    archives = (path for path in folder.glob("*/**/*") if path.name.lower().endswith(ARCHIVES))
    names = [path.relative_to(folder) for path in sorted({*folder.iterdir(), *archives}) if path not in read]
    return [
        name.as_posix() for name in names if not any(part.lower().startswith(HIDDEN) for part in name.parts)
    ]


def code_cells(text: str, code: bool = True) -> list[tuple[int, str]]:
    """The code cells of a notebook of any version, or all others, numbered from 1 among all cells.

    Raises ValueError if the text is no notebook.
    """
    try:
        book = json.loads(text)
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    try:
        sheets = book.get("worksheets") or [book]  # in versions 2 and 3 there are some
        cells: list[Any] = [cell for sheet in sheets for cell in sheet["cells"]]
        sources = [cell.get("source", cell.get("input", "")) for cell in cells]
        texts = [source if isinstance(source, str) else "".join(source) for source in sources]
        kinds = [cell["cell_type"] for cell in cells]
    except (KeyError, IndexError, TypeError, AttributeError):
        raise ValueError("it is JSON, but not a notebook") from None
    return [(i, text) for i, text in enumerate(texts, 1) if (kinds[i - 1] == "code") is code]


def _read(path: Path, folder: Path) -> HandIn:
    name = path.relative_to(folder)
    hand_in = HandIn(path.stem if name.parent == Path() else name.parent.as_posix(), path)
    try:
        if path.is_symlink():
            raise ValueError("it is a link")
        if path.is_dir():
            hand_in.learner = name.as_posix()
            held = ", ".join(sorted(os.listdir(path)))[:200] or "it is empty"
            kind = (KINDS | {".html": "a page of HTML"}).get(Path(held).suffix.lower())
            what = f"{held}, {kind}" if kind and "," not in held else held
            hand_in.status, hand_in.trouble = "missing", f"There is no notebook in this folder: {what}."
        elif not path.is_file() or path.name.lower().endswith(ARCHIVES):
            raise ValueError("unpack it first" if path.is_file() else "it is no file")
        elif (kind := KINDS.get(path.suffix.lower())) and not is_notebook(path):
            raise ValueError(f"it is {kind} ({path.suffix}): hand in the notebook itself")
        else:
            text = notebook_text(path)
            hand_in.cells, hand_in.notes = code_cells(text), code_cells(text, code=False)
            if name.parent != Path():
                hand_in.files = beside(path.parent)
            if found := PYTHON.search(text):
                hand_in.python = (int(found[1]), int(found[2]))
    except (OSError, ValueError, RecursionError) as error:
        hand_in.trouble = f"The file cannot be read as a notebook: {error}"
    return hand_in


def _code(hand_in: HandIn) -> str:
    """The code of a hand-in's cells, and of the files beside it that they name."""
    cells = "\n".join(source for _, source in hand_in.cells or [])
    files = [hand_in.files[path].decode("utf-8", "replace") for path in named(cells, hand_in.files)]
    return "\n".join([cells, *files])


def _verdicts(
    hand_in: HandIn, exercises: list[Exercise | None], seconds: float, walls: Sequence[str], scratch: str
) -> list[Verdict]:
    """Judge the answers of one hand-in, `None` where no exercise was found; behind walls, behind its own."""
    if not walls:
        return [_verdict(hand_in, exercise, seconds, processes.start, scratch) for exercise in exercises]
    with closing(Walled(walls)) as walled:
        return [_verdict(hand_in, exercise, seconds, walled.start, SCRATCH) for exercise in exercises]


def _verdict(
    hand_in: HandIn, exercise: Exercise | None, seconds: float, start: Callable[[], Worker], folder: str
) -> Verdict:
    """Judge one answer of one hand-in."""
    notebook = hand_in.notebook or hand_in.path.stem
    if hand_in.cells is None:
        report = Report(False, hand_in.trouble, status=hand_in.status)
    elif exercise is None:
        report = Report(False, "No exercise is found in this notebook.", status="missing")
    else:
        answer = HandedIn(hand_in.cells, exercise.name, files=hand_in.files)
        report = _judged(exercise, answer, seconds, start, folder)
        if report.status == "error":  # it may need what its code does not show, as what `exec` has bound
            again = _judged(exercise, replace(answer, whole=True), seconds, start, folder)
            report = again if again.passed else report
        if report.status in ("failed", "error", "blank", "copied") and (cells := _checked(answer)):
            again = _judged(exercise, replace(answer, cells=cells), seconds, start, folder)
            report = again if again.passed else report
        noted = [n for n, text in hand_in.notes if seems_to_bind(text, exercise.name)]
        if report.status == "missing" and noted:
            says = f"{report.message} Cell {noted[-1]} seems to, and is no code: make it a code cell."
            report = replace(report, message=says)
        if report.status in ("error", "missing") and hand_in.python > sys.version_info[:2]:
            newer = "{} The notebook is of Python {}.{} and this is {}.{}: grade it with that."
            report = replace(report, message=newer.format(report.message, *hand_in.python, *sys.version_info))
    return Verdict(hand_in.learner, notebook, exercise.name if exercise else "", report)


def _checked(answer: HandedIn) -> list[tuple[int, str]]:
    """The cells up to the last that checks an answer, by another name if one does; none if all were judged.

    What is bound again below was right when its learner saw it, and so was what they checked for a stub.
    """
    call = re.compile(rf"^[^#\n]*\bcheck\(\s*[\"']{answer.name}[\"']\s*,\s*(\w+)\s*\)", re.MULTILINE)
    checks = [
        (found[1] != answer.name, at, found[1])
        for at, (_, source) in enumerate(answer.cells)
        for found in call.finditer(source)
    ]
    if not checks:
        return []
    other, at, name = max(checks)
    number, source = answer.cells[at]
    if other:
        source = f"{source}\n{answer.name} = {name}"
    return [*answer.cells[:at], (number, source)] if other or answer.cells[at + 1 :] else []


def _judged(
    exercise: Exercise, answer: HandedIn, seconds: float, start: Callable[[], Worker], folder: str
) -> Report:
    for _ in range(2):  # the answer before it, or one beside it, may have ended the server of processes
        report = sandbox.run(exercise, answer, seconds, start=start, folder=folder)
        if report.status != "untried":
            break
    return report


def as_csv(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV (RFC 4180)."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def shown(text: str) -> str:
    """A text for one cell: in one line, what cannot be printed escaped, and no formula for a spreadsheet."""
    line = " ".join(text.split())
    if text.startswith(FORMULA) or line.startswith(FORMULA):
        line = f"'{line}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
