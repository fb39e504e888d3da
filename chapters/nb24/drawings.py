"""Where a student's texts come from: a ladder from tokens at random to real texts, and who reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, WIDTH, HEIGHT, STEP = 0.25, 3.7, 0.5, 0.62  # of the rungs, in inches
READERS, LOSS, RIGHT = 5.0, 7.4, 9.35
FLOOR, MOST_RUNGS = 0.4, 8


@dataclass(frozen=True)
class Rung:
    """A kind of text: its name, how it is made, and whether the student's errors choose it."""

    name: str
    made: str
    by_errors: bool = False


def draw_ladder(rungs: Sequence[Rung], title: str) -> tuple["Figure", str]:
    """Draw the kinds of text one above the other, the first on top; teacher and student read from them.

    A kind that the student's errors choose is tinted, and an arrow leads from the loss back to it.
    """
    if not 2 <= len(rungs) <= MOST_RUNGS:
        raise ValueError(f"There are {len(rungs)} kinds of text; 2 to {MOST_RUNGS} fit.")
    top = FLOOR + STEP * len(rungs)
    page = Schematic(RIGHT + 0.1, top + 0.45)
    page.text(LEFT, top + 0.22, title, ha="left", weight="bold", fontsize=13)
    middle = FLOOR + (top - FLOOR - STEP + HEIGHT) / 2
    loss = page.box(LOSS, middle - 0.3, 1.6, 0.6, "KL", "how far apart")
    for name, y, end in (("teacher", middle + 0.75, loss.top), ("student", middle - 0.75, loss.below)):
        reader = page.box(READERS, y - 0.3, 1.6, 0.6, name, "answers")
        page.arrow((LEFT + WIDTH + 0.1, middle), (READERS - 0.5, middle), (READERS - 0.5, y), reader.west)
        page.arrow(reader.east, (end[0], y), end)
    for number, rung in enumerate(rungs):
        y = top - STEP * (number + 1)
        look = "tint" if rung.by_errors else "plain"
        box = page.box(LEFT, y, WIDTH, HEIGHT, rung.name, rung.made, look)
        if rung.by_errors:  # around everything, back to the rung
            x, west = loss.east[0] + 0.2, box.west
            page.arrow(loss.east, (x, middle), (x, 0.15), (0.08, 0.15), (0.08, west[1]), west)
    description = "; ".join(
        f"{rung.name}, {rung.made}{' (chosen by the KL)' if rung.by_errors else ''}" for rung in rungs
    )
    alt = (
        f"{len(rungs)} kinds of text, the top one first: {description}. Teacher and student read a text,"
        " and the KL says how far apart their answers are."
    )
    return page.figure, alt
