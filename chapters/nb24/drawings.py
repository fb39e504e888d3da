"""One training step of a student, once for each way to teach it: what every way changes is dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("text", "teacher", "target", "distance")
HEADS = ("which text", "who teaches", "what the student shall say", "compared by")
LEFT, WIDTHS, GAP = 2.05, (2.35, 1.75, 2.5, 1.55), 0.28  # inches
HEIGHT, STEP = 0.42, 0.62
MOST_ROWS = 9


@dataclass(frozen=True)
class TeachingRow:
    """A way to teach: its name, what stands in each column, and the columns that it changes."""

    name: str
    text: str
    teacher: str
    target: str
    distance: str
    changed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if unknown := set(self.changed) - set(COLUMNS):
            raise ValueError(f"{self.name} changes {min(unknown)!r}: name some of {', '.join(COLUMNS)}.")


def draw_teaching_step(rows: Sequence[TeachingRow], title: str) -> tuple["Figure", str]:
    """Draw every way as a row of four boxes from the text to the distance, the changed ones dark."""
    _check(rows)
    height = STEP * len(rows) + 1.15
    page = Schematic(LEFT + sum(WIDTHS) + 3 * GAP + 0.15, height)
    page.text(0.15, height - 0.25, title, ha="left", weight="bold", fontsize=13)
    x = LEFT
    for head, width in zip(HEADS, WIDTHS, strict=True):
        page.text(x + width / 2, height - 0.68, head, fontsize=10)
        x += width + GAP
    for number, row in enumerate(rows):
        y = height - 0.95 - STEP * number - HEIGHT
        page.text(0.15, y + HEIGHT / 2, row.name, ha="left", weight="bold", fontsize=10)
        x, before = LEFT, None
        for column, width in zip(COLUMNS, WIDTHS, strict=True):
            look = "lit" if column in row.changed else "plain"
            box = page.box(x, y, width, HEIGHT, "", look=look)
            ink = {"color": "white"} if look == "lit" else {}
            page.text(x + width / 2, y + HEIGHT / 2, getattr(row, column), fontsize=10, **ink)
            if before is not None:
                page.arrow(before.east, box.west)
            before, x = box, x + width + GAP
    phrases = []
    for row in rows:
        parts = ", ".join(
            f"{head}: {getattr(row, column)}{' (changed)' if column in row.changed else ''}"
            for head, column in zip(HEADS, COLUMNS, strict=True)
        )
        phrases.append(f"{row.name}. {parts}")
    alt = f"One training step in {len(rows)} ways, each a row of four boxes. {'; '.join(phrases)}."
    return page.figure, alt


def _check(rows: Sequence[TeachingRow]) -> None:
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ValueError(f"There are {len(rows)} ways to teach; 1 to {MOST_ROWS} fit.")
