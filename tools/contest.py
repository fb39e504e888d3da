"""The contest of notebook 33: files that are weighed and run, and how many held-out headlines they sort.

A hand-in is one file that `lib.compression.floppy.write_floppy` wrote. Its bytes are what the file weighs,
not what it says. It is read and run in a process of its own, whose time and memory have an end. It brings no
code: whatever is no number, piece, name or allowed alteration is refused, in one sentence.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from lib import root
from lib.files import digest, write_whole

#: the classes by the most bytes of a file, as disks were sold: 1,440, 360 and 100 times 1,024 bytes
CLASSES = {"100 kB": 102_400, "360 kB": 368_640, "1.44 MB": 1_474_560}
REFUSED = "refused"  # the last class
COLUMNS = ("class", "place", "hand_in", "bytes", "accuracy", "message")
SECONDS, MEMORY = 120, 8 * 1024**3  # of computing; of addresses, most of which torch takes and never touches
HELD_OUT = ("text", "category")  # the columns of a file of held-out headlines
XZ = b"\xfd7zXZ\x00"  # with which a sealed one begins
NOT_DISKS = (".csv", ".html", ".ipynb", "thumbs.db", "desktop.ini", "submissions.zip")  # how names end
ARCHIVES = {b"PK": "an archive or a workbook", b"\x1f\x8b": "an archive"}  # by how they begin
OWN = root / "data" / "contest"  # the disks of the course, to be beaten
LUCK, FEWEST = 0.05, 6  # how often luck alone may bring about a lead that counts; 6 to 0 is the shortest


@dataclass(frozen=True)
class Entry:
    """A hand-in, what it weighs, and how many headlines it sorted, or why it was refused.

    learner: who handed it in. right: for each headline 1 if it sorted it right, else 0. digest: the same for
    equal files. has_place: what is the course's, or a learner's further file, is listed without.
    """

    hand_in: str
    size: int
    accuracy: float | None = None
    message: str = ""
    learner: str = ""
    right: str = ""
    digest: str = ""
    has_place: bool = True
    lead_that_counts: int = 0  # over the next of its class, in headlines

    @property
    def size_class(self) -> str:
        """The smallest class that it fits, if it was run."""
        if self.accuracy is None:
            return REFUSED
        return next(name for name, most in CLASSES.items() if self.size <= most)

    @property
    def merit(self) -> tuple[float, int]:
        """What places are given by: accuracy, and of equal ones the smaller file."""
        return (self.accuracy or 0.0, -self.size)


def contest(
    folder: Path, output: Path, held_out: Path | None = None, seconds: float = SECONDS
) -> list[Entry]:
    """Weigh and run every file in a folder, or in one of a learner's in it; write the ranks as a table.

    A line is printed of each as it is run. held_out: a file of headlines (`read_held_out`) instead of the
    course's test rows, which everybody knows. ValueError if there is nothing to weigh.
    """
    from tools.grading import as_csv, shown  # not above: they bring nbformat into the process of each hand-in

    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. Name the folder that holds the hand-ins.")
    if output.is_dir():
        raise ValueError(f"{output} is a folder. Name the file for the ranks: -o {output / 'ranks.csv'}")
    files = sorted({_whole(path, folder) for path in folder.rglob("*") if _is_hand_in(path, folder)})
    others = (path for path in folder.rglob("*") if path.name.lower().endswith(NOT_DISKS))
    if passed_over := ", ".join(sorted(path.relative_to(folder).as_posix() for path in others)):
        print(f"Passed over, as nobody's disk: {shown(passed_over)[:500]}.", file=sys.stderr)
    if not files:
        raise ValueError(
            f"There is no file in {folder}: hand-ins are what write_floppy wrote, one a learner."
        )
    if held_out is not None and (remark := _not_new(read_held_out(held_out)[0])):  # or its fault is raised
        print(f"Careful: of the headlines of {held_out}, {remark}.", file=sys.stderr)
    names = {path: Path(f"the course's {path.stem.replace('_', ' ')}") for path in sorted(OWN.glob("*.zip"))}
    names |= {path: path.relative_to(folder) for path in files}
    learners = learners_of(files, folder)
    entries = []
    for number, (path, name) in enumerate(names.items(), 1):
        print(f"{number} of {len(names)}: {shown(name.as_posix())} ... ", end="", flush=True)
        entry = weighed(path, name, held_out, seconds)
        share = "refused" if entry.accuracy is None else f"{100 * entry.accuracy:.1f}%"
        print(f"{share}, {entry.size:,} bytes", flush=True)
        entries.append(replace(entry, learner=learners.get(path, str(path)), has_place=path in learners))
    ranks = with_leads(one_a_learner(entries))
    write_whole(output, as_csv([COLUMNS, *rows(ranks)]))
    return ranks


def learners_of(files: Sequence[Path], folder: Path) -> dict[Path, str]:
    """Who handed in each file: the folder that it lies in; where all lie side by side, each another."""
    together = {path.parent for path in files}
    return {path: str(path if path.parent == folder or len(together) == 1 else path.parent) for path in files}


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
    is_other = hidden or path.name.lower().endswith(NOT_DISKS)
    return not is_other and (path.is_symlink() or path.is_file())


def _whole(path: Path, folder: Path) -> Path:
    """A file, or the folder that a browser has unpacked the disk into that it is a part of."""
    unpacked = path.parent != folder and (path.parent / "labels.txt").is_file()
    return path.parent if unpacked else path


def _not_new(texts: Sequence[str]) -> str:
    """How many held-out headlines are no measure, in words; "" if all are new."""
    from lib.text.tasks.own import headlines

    known = {row.first for row in [*headlines("train"), *headlines("test")]}
    seen, again = sum(text in known for text in texts), len(texts) - len({*texts})
    remarks = [f"{seen} are rows of the course, which everybody knows"] if seen else []
    return " and ".join([*remarks, *([f"{again} stand there again"] if again else [])])


def weighed(path: Path, name: Path, held_out: Path | None = None, seconds: float = SECONDS) -> Entry:
    """One hand-in, weighed, and run if it may be."""
    hand_in = name.with_suffix("").as_posix()
    if path.is_symlink():
        return Entry(hand_in, 0, message="It is a link: hand in the file itself.")
    if path.is_dir():
        return Entry(hand_in, 0, message="It was unpacked: hand in the zip file that write_floppy wrote.")
    size, most = path.stat().st_size, max(CLASSES.values())
    if size > most:
        return Entry(hand_in, size, message=f"It weighs {size:,} bytes, and a floppy disk holds {most:,}.")
    arguments = [str(path.resolve()), *([] if held_out is None else [str(held_out.resolve())])]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tools.contest", *arguments],
            capture_output=True,
            timeout=4 * seconds,  # for a machine that does much else
            env=os.environ | {"CONTEST_SECONDS": str(int(seconds)), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.DEVNULL,
        )
        said = json.loads(done.stdout.decode())
    except (subprocess.TimeoutExpired, ValueError):  # it was ended, and has said nothing
        ended = f"It took more than {seconds:g} seconds or {MEMORY // 1024**3} GB, and was ended."
        said = {"message": ended}
    right = said.get("right", "")
    if not right:
        return Entry(hand_in, size, message=said["message"])
    return Entry(hand_in, size, right.count("1") / len(right), right=right, digest=digest(path))


def ranked(entries: Iterable[Entry]) -> list[Entry]:
    """By class, the smallest first; the best first, of equal ones the smaller file; the refused come last."""
    order = [*CLASSES, REFUSED]
    return sorted(
        entries,
        key=lambda entry: (
            order.index(entry.size_class),
            -(entry.accuracy or 0.0),
            entry.size,
            entry.has_place or bool(entry.message),  # a copy comes after the course's own
            entry.hand_in,
        ),
    )


def one_a_learner(entries: Sequence[Entry]) -> list[Entry]:
    """The ranks, in which the best file of each learner has a place, and no copy of the course's own."""
    ranks = [entry for entry in entries if entry.accuracy is None]
    judged = ranked(entry for entry in entries if entry.accuracy is not None)
    best = {entry.learner: entry for entry in sorted(judged, key=lambda entry: entry.merit)}  # the last stays
    firsts: dict[str, Entry] = {}
    for entry in judged:
        if (mine := best[entry.learner]) is not entry:
            said = f"One file a learner: {mine.hand_in[:60]} counts."
            entry = replace(entry, has_place=False, message=said)
        elif (first := firsts.setdefault(entry.digest, entry)) is not entry:
            said = f"It is the same file as {first.hand_in[:60]}."
            entry = replace(entry, has_place=first.has_place, message=said)
        ranks.append(entry)
    return ranked(ranks)


def with_leads(ranks: Sequence[Entry]) -> list[Entry]:
    """The ranks, in which each entry that nothing was said of says how far it is ahead of the next one."""
    explained = {}
    counting = [entry for entry in ranks if entry.right and not entry.message]
    for first, second in pairwise(counting):
        if first.size_class == second.size_class:
            lead = first.right.count("1") - second.right.count("1")
            counts = lead_that_counts(first, second)
            over = f"The lead over {second.hand_in[:60]} is {lead}"
            message = f"{over}; from {counts} headlines on it is more than luck."
            explained[first] = replace(first, message=message, lead_that_counts=counts)
    return [explained.get(entry, entry) for entry in ranks]


def lead_that_counts(first: Entry, second: Entry) -> int:
    """The smallest lead of headlines that luck brings about less often than once in twenty times.

    Only headlines that one of the two alone sorts right can tell them apart (a sign test).
    """
    from lib.stats import uneven_by_luck  # not above: it brings torch

    apart = sum(one != other for one, other in zip(first.right, second.right, strict=True))
    leads = range(2 - apart % 2, apart + 1, 2)
    few = (lead for lead in leads if uneven_by_luck((apart + lead) // 2, (apart - lead) // 2) < LUCK)
    return next(few, FEWEST)


def rows(ranks: Sequence[Entry]) -> list[list[str]]:
    """What stands in the table, in the order of COLUMNS; equal merit shares a place."""
    from tools.grading import shown

    table = []
    for entry in ranks:
        place, accuracy = "", ""
        if entry.accuracy is not None:
            rivals = [one for one in ranks if one.has_place and one.size_class == entry.size_class]
            place = str(1 + sum(one.merit > entry.merit for one in rivals)) if entry.has_place else ""
            accuracy = f"{entry.accuracy:.4f}"
        cells = (entry.size_class, place, entry.hand_in, str(entry.size), accuracy, entry.message)
        table.append([shown(cell) for cell in cells])
    return table


def summary(entries: Sequence[Entry]) -> str:
    """The table for a screen."""
    lines = [f"{'class':<8}  {'place':>5}  {'bytes':>10}  {'right':>9}  hand-in"]
    for size_class, place, hand_in, size, accuracy, message in rows(entries):
        share = f"{100 * float(accuracy):.1f}%" if accuracy else ""
        lines.append(f"{size_class:<8}  {place:>5}  {int(size):>10,}  {share:>9}  {hand_in}")
        if message:
            lines.append(f"{'':8}  {message}")
    return "\n".join(lines)


def judged_on(ranks: Sequence[Entry], held_out: Path | None = None) -> str:
    """On which headlines files were judged, and how large a lead has to be, in a line."""
    right = next((entry.right for entry in ranks if entry.right), "")
    if not right:
        return "No file could be judged."
    which = f"of {held_out}" if held_out else "that the course tests on, which everybody knows: a rehearsal"
    leads = [entry.lead_that_counts for entry in ranks if entry.lead_that_counts]
    counts = f" A lead counts from {min(leads)} to {max(leads)} headlines on, see the rows." if leads else ""
    return f"Judged on the {len(right)} headlines {which}.{counts}"


def read_held_out(path: Path) -> tuple[list[str], list[str]]:
    """The headlines of a table and their categories, `text` and `category`; it may be sealed.

    Between cells stands a tab, or `;` or a comma. Sealed is what xz has compressed. ValueError for a file
    that has other columns or categories.
    """
    from lib.text.tasks.own import CATEGORIES

    content = path.read_bytes()
    if kind := ARCHIVES.get(content[:2]):
        raise ValueError(f"{path} is {kind}: give the table in it, saved as text with tabs between.")
    try:
        text = (lzma.decompress(content) if content.startswith(XZ) else content).decode("utf-8-sig")
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is damaged, or no text in UTF-8 ({error}): save it again.") from None
    lacks = f"{path} lacks headlines, or one of the columns {', '.join(HELD_OUT)}, tab between"
    delimiter = next((mark for mark in "\t;," if mark in text.split("\n", 1)[0]), "\t")
    quoting: Any = csv.QUOTE_MINIMAL if delimiter != "\t" or _is_quoted(text) else csv.QUOTE_NONE
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    lines.fieldnames = [_plain(name) for name in lines.fieldnames or []]
    if text and not {*HELD_OUT} <= {*lines.fieldnames}:
        raise ValueError(f"{lacks}: its columns are {', '.join(lines.fieldnames)[:100]!r}.")
    texts, categories = [], []
    for line in lines:
        if not all(line.get(name) for name in HELD_OUT):
            raise ValueError(f"{lacks}: see line {lines.line_num}.")
        if _plain(line["category"]) not in CATEGORIES:
            wrong = f"Line {lines.line_num} of {path} has the category {line['category'][:60]!r}"
            raise ValueError(f"{wrong}: there are {', '.join(CATEGORIES)}.")
        texts.append(line["text"])
        categories.append(_plain(line["category"]))
    if not texts:
        raise ValueError(f"{lacks}.")
    return texts, categories


def _plain(cell: str) -> str:
    """A cell without capitals and the spaces around it, nor ones that do not break."""
    return unicodedata.normalize("NFKC", cell).strip().lower()


def _is_quoted(text: str) -> bool:
    """Whether marks around a table's cells are a spreadsheet's: around all, or those with marks or commas."""
    cells = [cell for cell in re.split(r"[\t\r\n]", text) if cell]
    marked = [cell for cell in cells if cell.startswith('"')]
    if not marked or not all(re.fullmatch(r'"([^"]|"")*"', cell) for cell in marked):
        return False
    return marked == cells or all(re.search('""|,', cell[1:-1]) for cell in marked)


def judge(path: Path, held_out: Path | None = None) -> list[bool]:
    """Whether a file sorts each of the held-out headlines right. ValueError says why it is refused."""
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
    return [label == category for label, category in zip(predicted, right, strict=True)]


def answer(path: Path, held_out: Path | None = None) -> dict[str, str]:
    """What the process of a hand-in says: `right`, a 1 or 0 for each headline, or why in a `message`."""
    try:
        return {"right": "".join(str(int(right)) for right in judge(path, held_out))}
    except MemoryError:
        return {"message": f"It needs more than {MEMORY // 1024**3} GB."}
    except Exception as error:  # whatever a file's numbers bring about
        return {"message": " ".join(str(error).replace(str(path), "The file").split())[:300]}


def _main() -> None:
    """In the process of one hand-in: its limits, and its answer as JSON on a line."""
    if sys.platform != "win32":
        import resource

        seconds = int(os.environ["CONTEST_SECONDS"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(answer(*map(Path, sys.argv[1:]))))


if __name__ == "__main__":
    _main()
