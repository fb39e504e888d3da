"""The contest of notebook 33: the course's own disks, and headlines by which nothing was chosen or taught."""

from __future__ import annotations

import csv
import io
import lzma

from lib import root
from lib.compression.floppy import Floppy, read_floppy
from lib.text.tasks import TextExample
from lib.text.tasks.own import CATEGORIES

FOLDER = root / "data" / "contest"
DISKS = {
    "the course's disk": "floppy_disk.zip",
    "bags in 360 kB": "bags_in_360_kB.zip",
    "bags in 100 kB": "bags_in_100_kB.zip",
}


def disk_named(name: str) -> Floppy:
    """One of the three disks of the course, each of seed 0 in the record `floppy`."""
    return read_floppy(FOLDER / DISKS[name])


def new_headlines() -> list[TextExample]:
    """The sealed headlines, forty of each category."""
    text = lzma.decompress((FOLDER / "headlines.tsv.xz").read_bytes()).decode()
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [TextExample(row["text"], None, CATEGORIES.index(row["category"])) for row in rows]
