"""The ways by which what a large model knows reaches a small one that does a task."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Box, Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, RIGHT, WIDTH = 1.75, 7.0, 2.6  # of the boxes, in inches
TOP, BOTTOM, HEIGHT = 2.75, 0.3, 0.75
ENDS = {  # of a transfer: whether the model is large and whether it knows the task, before and after
    1: ((True, False), (True, True)),
    2: ((True, False), (False, False)),
    3: ((False, False), (False, True)),
    4: ((True, False), (False, True)),
    5: ((True, True), (False, True)),
}


@dataclass(frozen=True)
class Transfer:
    """One of the five ways. name: what is done. examples: who does it, or where."""

    number: int
    name: str
    examples: str = ""

    @property
    def description(self) -> str:
        """Name and examples in words."""
        return f"{self.name} ({self.examples})" if self.examples else self.name


def draw_transfers(transfers: Sequence[Transfer], shown: int, title: str) -> tuple["Figure", str]:
    """Draw a large and a small model, before and after they know the task, and the arrows between them.

    shown: the number of the transfer whose words are bold, because the page is about it.
    """
    numbers = [transfer.number for transfer in transfers]
    if sorted(numbers) != list(ENDS) or shown not in ENDS:
        raise ValueError(f"Transfers {numbers}, {shown} shown: give each of 1 to 5 once, and one of them.")
    page = Schematic(10.4, 4.15)
    page.text(0.15, 3.9, title, ha="left", weight="bold", fontsize=13)
    boxes = {
        (is_large, knows_task): page.box(
            RIGHT if knows_task else LEFT, TOP if is_large else BOTTOM, WIDTH, HEIGHT,
            "large model" if is_large else "small model", "knows the task" if knows_task else "knows English",
            look=("lit" if knows_task else "plain") if not is_large else "tint",
        )
        for is_large in (True, False) for knows_task in (False, True)
    }  # fmt: skip
    for transfer in transfers:
        before, after = (boxes[end] for end in ENDS[transfer.number])
        _arrow(page, before, after, transfer, transfer.number == shown)
    phrases = [
        f"{transfer.number}, {_ends(transfer.number)}: {transfer.description}" for transfer in transfers
    ]
    return page.figure, f"Five arrows between a large and a small model. {'; '.join(phrases)}."


def _arrow(page: Schematic, before: Box, after: Box, transfer: Transfer, is_shown: bool) -> None:
    """The arrow of a transfer and its words, which stand where no other arrow does."""
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    look = {"fontsize": 10, "weight": "bold" if is_shown else "normal", "bbox": paper}
    words = f"{transfer.number}  {transfer.name}" + f"\n{transfer.examples}" * bool(transfer.examples)
    if before.bottom == after.bottom:  # along a row
        page.arrow(before.east, after.west)
        page.text((before.east[0] + after.west[0]) / 2, before.east[1], words, **look)
    elif before.left == after.left:  # down a column
        page.arrow(before.below, after.top)
        page.text(before.below[0], (before.bottom + after.top[1]) / 2, words, **look)
    else:
        start, end = (before.east[0] - 0.15, before.bottom), (after.left + 0.15, after.top[1])
        page.arrow(start, end)
        page.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, words, **look)


def _ends(number: int) -> str:
    """Such as "large to small, both know English"."""
    (from_large, before), (to_large, after) = ENDS[number]
    sizes = " to ".join("large" if is_large else "small" for is_large in (from_large, to_large))
    knowledge = [("the task" if knows else "English") for knows in (before, after)]
    return f"{sizes}, from {knowledge[0]} to {knowledge[1]}"
