"""The contest of notebook 33: files that are weighed and run, and how many held-out headlines they sort.

A hand-in is one file that `lib.compression.floppy.write_floppy` wrote. Its bytes are what the file weighs,
not what it says. It is read and run in a process of its own, whose time and memory have an end. It brings no
code: whatever is no number, piece, name or allowed alteration is refused, in one sentence.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from lib.files import write_whole

#: the classes by the most bytes of a file, as disks were sold: 1,440, 360 and 100 times 1,024 bytes
CLASSES = {"100 kB": 102_400, "360 kB": 368_640, "1.44 MB": 1_474_560}
COLUMNS = ("class", "place", "hand_in", "bytes", "accuracy", "message")
SECONDS, MEMORY = 120, 8 * 1024**3  # of computing; of addresses, most of which torch takes and never touches
HELD_OUT = ("text", "category")  # the columns of a file of held-out headlines


@dataclass(frozen=True)
class Entry:
    """A hand-in, what it weighs, and how many headlines it sorted, or why it was refused."""

    hand_in: str
    size: int
    accuracy: float | None = None
    message: str = ""

    @property
    def size_class(self) -> str:
        """The smallest class that it fits."""
        return next((name for name, most in CLASSES.items() if self.size <= most), "")


def contest(
    folder: Path, output: Path, held_out: Path | None = None, seconds: float = SECONDS
) -> list[Entry]:
    """Weigh and run every file in a folder, or in one of a learner's in it; write the ranks as a table.

    held_out: a tab-separated file of headlines with the columns text and category, instead of the course's
    test rows, which everybody knows. ValueError if there is nothing to weigh.
    """
    from tools.grading import as_csv  # not above: it brings nbformat into the process of each hand-in

    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. Name the folder that holds the hand-ins.")
    files = sorted(path for path in folder.rglob("*") if _is_hand_in(path, folder))
    if not files:
        raise ValueError(
            f"There is no file in {folder}: hand-ins are what write_floppy wrote, one a learner."
        )
    if held_out is not None:
        read_held_out(held_out)  # a fault in it is nobody's hand-in
    entries = ranked(weighed(path, path.relative_to(folder), held_out, seconds) for path in files)
    write_whole(output, as_csv([COLUMNS, *rows(entries)]))
    return entries


def holds_disks(folder: Path) -> bool:
    """Whether what was handed in are the contest's files, and no notebooks."""
    archives = [path for path in folder.rglob("*.zip") if _is_hand_in(path, folder) and path.is_file()]
    return not any(folder.rglob("*.ipynb")) and any(map(_is_disk, archives))


def _is_disk(path: Path) -> bool:
    from lib.compression.floppy import LABELS  # not above: it brings torch

    try:
        with ZipFile(path) as archive:
            return LABELS in archive.namelist()
    except (BadZipFile, OSError):
        return False


def _is_hand_in(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.relative_to(folder).parts)
    return not hidden and (path.is_symlink() or path.is_file())


def weighed(path: Path, name: Path, held_out: Path | None = None, seconds: float = SECONDS) -> Entry:
    """One hand-in, weighed, and run if it may be."""
    learner = name.with_suffix("").as_posix()
    if path.is_symlink():
        return Entry(learner, 0, message="It is a link: hand in the file itself.")
    size, most = path.stat().st_size, max(CLASSES.values())
    if size > most:
        return Entry(learner, size, message=f"It weighs {size:,} bytes, and a floppy disk holds {most:,}.")
    arguments = [str(path.resolve()), *([] if held_out is None else [str(held_out.resolve())])]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tools.contest", *arguments],
            capture_output=True,
            timeout=4 * seconds,  # for a machine that does much else
            env=os.environ | {"CONTEST_SECONDS": str(int(seconds)), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
        )
        answer = json.loads(done.stdout.decode())
    except (subprocess.TimeoutExpired, ValueError):  # it was ended, and has said nothing
        ended = f"It took more than {seconds:g} seconds or {MEMORY // 1024**3} GB, and was ended."
        answer = {"message": ended}
    return Entry(learner, size, answer.get("accuracy"), answer.get("message", ""))


def ranked(entries: Iterable[Entry]) -> list[Entry]:
    """By class, the smallest first; the best first, of equal ones the smaller file; the refused come last."""
    order = list(CLASSES)
    return sorted(
        entries,
        key=lambda entry: (
            (len(order), 0.0, entry.size, entry.hand_in)
            if entry.accuracy is None
            else (order.index(entry.size_class), -entry.accuracy, entry.size, entry.hand_in)
        ),
    )


def rows(entries: Sequence[Entry]) -> list[list[str]]:
    """What stands in the table, in the order of COLUMNS."""
    from tools.grading import shown

    table: list[list[str]] = []
    places: dict[str, int] = {}
    for entry in entries:
        size_class, place, accuracy = "refused", "", ""
        if entry.accuracy is not None:
            size_class, accuracy = entry.size_class, f"{entry.accuracy:.4f}"
            places[size_class] = places.get(size_class, 0) + 1
            place = str(places[size_class])
        cells = (size_class, place, entry.hand_in, str(entry.size), accuracy, entry.message)
        table.append([shown(cell) for cell in cells])
    return table


def summary(entries: Sequence[Entry]) -> str:
    """The table for a screen."""
    lines = [f"{'class':<8}  {'place':>5}  {'bytes':>9}  {'headlines':>9}  hand-in"]
    for size_class, place, hand_in, size, accuracy, message in rows(entries):
        share = f"{100 * float(accuracy):.1f}%" if accuracy else ""
        lines.append(f"{size_class:<8}  {place:>5}  {int(size):>9,}  {share:>9}  {hand_in}")
        if message:
            lines.append(f"{'':8}  {message}")
    return "\n".join(lines)


def read_held_out(path: Path) -> tuple[list[str], list[str]]:
    """The headlines and their categories; ValueError for a file that has other columns or categories."""
    from lib.text.tasks.own import CATEGORIES

    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    if not lines or any(not line.get(name) for line in lines for name in HELD_OUT):
        raise ValueError(f"{path} lacks headlines, or one of the columns {', '.join(HELD_OUT)}, tab between.")
    texts, categories = ([line[name] for line in lines] for name in HELD_OUT)
    if unknown := sorted(set(categories) - set(CATEGORIES)):
        raise ValueError(f"{path} has the category {unknown[0]!r}: there are {', '.join(CATEGORIES)}.")
    return texts, categories


def judge(path: Path, held_out: Path | None = None) -> float:
    """The share of the held-out headlines that a file sorts right. ValueError says why it is refused."""
    from lib.compression.floppy import read_floppy
    from lib.text.tasks.own import CATEGORIES, headlines

    floppy = read_floppy(path)
    if sorted(floppy.labels) != sorted(CATEGORIES):
        raise ValueError(f"Its {len(floppy.labels)} labels are not the categories of the headlines.")
    if held_out is None:
        test = headlines("test")
        texts, right = [row.first for row in test], [CATEGORIES[int(row.label or 0)] for row in test]
    else:
        texts, right = read_held_out(held_out)
    predicted = [floppy.labels[place] for place in floppy.predict(texts)]
    return sum(label == category for label, category in zip(predicted, right, strict=True)) / len(right)


def _main() -> None:
    """In the process of one hand-in: its limits, its accuracy or its refusal, as JSON on a line."""
    if sys.platform != "win32":
        import resource

        seconds = int(os.environ["CONTEST_SECONDS"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    path, *rest = map(Path, sys.argv[1:])
    try:
        answer: dict[str, object] = {"accuracy": judge(path, *rest)}
    except MemoryError:
        answer = {"message": f"It needs more than {MEMORY // 1024**3} GB."}
    except Exception as error:  # whatever a file's numbers bring about
        answer = {"message": " ".join(str(error).replace(str(path), "The file").split())[:300]}
    print(json.dumps(answer))


if __name__ == "__main__":
    _main()
