"""Freezing as a picture: how far the gradient goes back, and what a training step has to hold for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class FrozenStack:
    """A model of which the parts from `cut` on learn, and the megabytes that a training step holds beside it.

    parts: from the embeddings to the head. cut: how many of them, from the bottom, are frozen.
    """

    name: str
    parts: Sequence[str]
    cut: int
    gradients: float
    optimizer: float
    activations: float

    def __post_init__(self) -> None:
        if not 0 <= self.cut < len(self.parts):
            raise ValueError(
                f"{self.cut} of {len(self.parts)} parts are frozen: give a number from 0 to"
                f" {len(self.parts) - 1}, so that something learns."
            )

    @property
    def total(self) -> float:
        """Megabytes of all three."""
        return self.gradients + self.optimizer + self.activations


def draw_freezing(stacks: Sequence[FrozenStack], title: str) -> "Figure":
    """Draw the stacks under one another: dark what learns, gray what is frozen, and the way back."""
    row, width = 1.62, 9.6
    page = Schematic(width, 0.45 + row * len(stacks))
    page.text(width / 2, 0.22 + row * len(stacks), title, weight="bold", fontsize=12)
    for number, stack in enumerate(stacks):
        bottom = row * (len(stacks) - 1 - number)
        _draw_stack(page, stack, bottom)
    return page.figure


def _draw_stack(page: Schematic, stack: FrozenStack, bottom: float) -> None:
    """One stack in its row: name, boxes, the way forward through them and the way back below."""
    page.text(0.1, bottom + 1.4, stack.name, ha="left", weight="bold")
    room, gap = 6.9, 0.14
    size = (room - gap * (len(stack.parts) - 1)) / len(stack.parts)
    boxes = [
        page.box(
            0.1 + place * (size + gap), bottom + 0.62, size, 0.58, part,
            "learns" if place >= stack.cut else "frozen", "lit" if place >= stack.cut else "quiet",
        )
        for place, part in enumerate(stack.parts)
    ]  # fmt: skip
    for one, other in pairwise(boxes):
        page.arrow(one.east, other.west)
    left = boxes[stack.cut].left
    back = bottom + 0.42
    page.arrow((boxes[-1].below[0], bottom + 0.62), (boxes[-1].below[0], back), (left, back))
    if stack.cut:
        page.text(left - 0.08, back, "the gradient stops here", ha="right", fontsize=10, color=QUIET)
    else:
        whole = "the gradient goes all the way back"
        page.text(left, back - 0.17, whole, ha="left", fontsize=10, color=QUIET)
    told = (
        f"gradients {stack.gradients:.0f} MB\nAdamW {stack.optimizer:.0f} MB\n"
        f"activations {stack.activations:.0f} MB"
    )
    page.text(7.2, bottom + 0.98, told, ha="left", fontsize=10, color=INK, linespacing=1.35)
    page.text(7.2, bottom + 0.46, f"together {stack.total:.0f} MB", ha="left", weight="bold", color=LIT)


def describe_freezing(stacks: Sequence[FrozenStack]) -> str:
    """Say in words what `draw_freezing` shows, with its numbers."""
    return " ".join(
        f"{stack.name}: frozen are {', '.join(stack.parts[: stack.cut]) or 'none'}; learning are"
        f" {', '.join(stack.parts[stack.cut :])}, down to where the gradient goes back. A step holds"
        f" {stack.gradients:.0f} MB of gradients, {stack.optimizer:.0f} MB of AdamW's numbers and"
        f" {stack.activations:.0f} MB of activations, {stack.total:.0f} MB together."
        for stack in stacks
    )
