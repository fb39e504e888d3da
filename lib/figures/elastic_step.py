"""One step of a network that learns at several widths: who reads, who teaches, and what is added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schematic import Schematic, rounded
from .style import LIT, QUIET, TINT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, ROW = 10.4, 0.86  # inches
BAR = 3.3  # inches of a whole network
MOST_SIZES = 4


@dataclass(frozen=True)
class SizeNow:
    """A size in this step: its share of the width, and how far answers and states are from the teacher's."""

    share: float
    heads: int
    answers: float
    states: float


def draw_elastic_step(sizes: Sequence[SizeNow], title: str) -> "Figure":
    """Draw the teacher on top, the same student at each width below it, and the losses at the right.

    What is dark in the student runs; all bars are the same weights. The losses are those of a real batch.
    """
    _check(sizes)
    height = ROW * (len(sizes) + 1) + 0.9
    page = Schematic(WIDTH, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    top = height - 1.15
    middle = (top + 0.3 + 0.5) / 2
    batch = page.box(0.2, middle - 0.3, 1.2, 0.6, "one batch", "of texts")
    teacher = page.box(2.1, top, BAR, 0.56, "teacher", "whole, nothing learns", look="plain")
    page.arrow(batch.east, teacher.west)
    update = page.box(WIDTH - 1.75, middle - 0.35, 1.6, 0.7, "one update", "of all gradients", look="lit")
    for number, size in enumerate(sizes):
        bottom = top - ROW * (number + 1)
        rounded(page.axes, (2.1, bottom, BAR, 0.56), facecolor="white", edgecolor=QUIET)
        rounded(page.axes, (2.1, bottom, BAR * size.share, 0.56), facecolor=TINT, edgecolor=LIT, zorder=3)
        told = f"width {size.share:g}: {size.heads} heads"
        page.text(2.1 + BAR - 0.1, bottom + 0.28, told, ha="right", weight="bold")
        page.arrow(batch.east, (2.1, bottom + 0.28))
        loss = page.box(
            6.0, bottom, 2.15, 0.56, f"answers {size.answers:.2f}", f"states {size.states:.3f}", look="edge"
        )
        page.arrow((2.1 + BAR, bottom + 0.28), loss.west)
        page.arrow(loss.east, update.west)
    page.arrow(teacher.east, (7.07, top + 0.28), (7.07, top - ROW + 0.56))
    page.text(7.2, top + 0.4, "is compared with each", ha="left", color=QUIET, fontsize=10)
    return page.figure


def describe_elastic_step(sizes: Sequence[SizeNow]) -> str:
    """Say in words what `draw_elastic_step` shows."""
    _check(sizes)
    told = "; ".join(
        f"width {size.share:g} with {size.heads} heads, answers {size.answers:.2f}, states {size.states:.3f}"
        for size in sizes
    )
    return (
        "One batch is read by the whole teacher, in which nothing learns, and by one student at"
        f" {len(sizes)} widths with the same weights. Losses against the teacher: {told}. All gradients are"
        " added before one update."
    )


def _check(sizes: Sequence[SizeNow]) -> None:
    if not 1 <= len(sizes) <= MOST_SIZES or not all(0 < size.share <= 1 for size in sizes):
        raise ValueError(f"Give one to {MOST_SIZES} sizes, each a share of the width above 0.")
