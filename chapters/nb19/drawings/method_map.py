"""The field's methods as a table: what is changed in a model, when, and which of its costs falls."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST, COLUMN, ROW, GAP = 2.15, 2.62, 0.68, 0.1  # inches


class MethodRow(NamedTuple):
    """One thing that can be changed: its name, the costs that fall, and the methods of each column."""

    changed: str
    falls: str
    methods: Sequence[str]  # "" where there are none; two lines fit


def draw_method_map(rows: Sequence[MethodRow], columns: Sequence[str], title: str) -> tuple["Figure", str]:
    """Draw a row for each thing that is changed and a column for each time when; empty cells stay pale."""
    _check(rows, columns)
    width, top = FIRST + COLUMN * len(columns) + 0.2, 0.15 + (ROW + GAP) * len(rows)
    page = Schematic(width, top + 0.85)
    page.text(0.15, top + 0.66, title, ha="left", fontsize=12, weight="bold")
    page.text(0.15, top + 0.2, "what is changed,\nand which costs fall", ha="left", color=QUIET, fontsize=10)
    lefts = [FIRST + 0.1 + COLUMN * number for number in range(len(columns))]
    for left, column in zip(lefts, columns, strict=True):
        page.text(left + (COLUMN - GAP) / 2, top + 0.2, column, weight="bold", color=LIT)
    for number, row in enumerate(rows):
        bottom = top - (ROW + GAP) * (number + 1)
        page.box(0.1, bottom, FIRST - GAP, ROW, row.changed, row.falls, look="tint")
        for left, methods in zip(lefts, row.methods, strict=True):
            page.box(left, bottom, COLUMN - GAP, ROW, "", look="plain" if methods else "quiet")
            page.text(left + (COLUMN - GAP) / 2, bottom + ROW / 2, methods or "–", fontsize=10.5)
    sentences = []
    for row in rows:
        cells = [
            f"{column}: {' '.join(methods.split())}"
            for column, methods in zip(columns, row.methods, strict=True)
            if methods
        ]
        sentences.append(f"{row.changed} ({row.falls}): {'; '.join(cells) or 'nothing'}.")
    description = "What is changed, and in brackets which costs fall. Numbers are notebooks. " + " ".join(
        sentences
    )
    return page.figure, description


def _check(rows: Sequence[MethodRow], columns: Sequence[str]) -> None:
    for row in rows:
        if len(row.methods) != len(columns):
            raise ValueError(
                f"{row.changed!r} has {len(row.methods)} cells and the table {len(columns)} columns: give one"
                " for each, an empty text where there is no method."
            )
    if not rows:
        raise ValueError("The table has no rows: give one or more.")
