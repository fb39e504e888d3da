"""All registered errata of the course, in the order of the notebooks."""

import textwrap
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from importlib import import_module

from lib import root
from lib.errata import DOUBTS, Doubt, Erratum

WIDTH = 100


@dataclass(frozen=True)
class Entry:
    """An erratum and the number of the notebook that it belongs to, such as 05."""

    notebook: str
    erratum: Erratum


def errata_of(notebook: str) -> list[Erratum]:
    """Those that one notebook has registered, by its number."""
    registered: list[Erratum] = import_module(f"chapters.nb{notebook}.errata").ERRATA
    return registered


def entries() -> list[Entry]:
    """Every erratum that a notebook has registered in its `errata.py`."""
    found = []
    for file in sorted((root / "chapters").glob("nb[0-9][0-9]/errata.py")):
        notebook = file.parent.name.removeprefix("nb")
        found += [Entry(notebook, erratum) for erratum in errata_of(notebook)]
    return found


def found_by(doubt: str) -> list[Entry]:
    """Those that one question finds, by its name in `DOUBTS`."""
    if doubt not in DOUBTS:
        raise ValueError(f"There is no question {doubt!r}: use one of {', '.join(DOUBTS)}.")
    return [entry for entry in entries() if entry.erratum.doubt == doubt]


def of_notebooks(numbers: Container[int]) -> list[Entry]:
    """Those of some notebooks."""
    return [entry for entry in entries() if int(entry.notebook) in numbers]


def counts() -> dict[Doubt, int]:
    """How many entries each question finds."""
    found = Counter(entry.erratum.doubt for entry in entries())
    return {doubt: found[doubt] for doubt in DOUBTS}


def text_of(entry: Entry) -> str:
    """An erratum in three paragraphs: the claim and who makes it, what is printed, what is computed now."""
    erratum = entry.erratum
    return wrapped(
        f"{entry.notebook}  {erratum.claim} ({erratum.source})",
        f"    printed: {erratum.printed}",
        f"    computed: {erratum.recompute()}",
    )


def wrapped(*paragraphs: str) -> str:
    """Paragraphs of lines that fit beside a cell, those after the first of each moved in."""
    return "\n".join(
        textwrap.fill(one, WIDTH, subsequent_indent="    ", break_on_hyphens=False) for one in paragraphs
    )
