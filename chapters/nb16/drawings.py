"""Freezing as a picture: how far the gradient goes back, and what a training step has to hold for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class FrozenStack:
    """A model of which the parts from `cut` on learn, and the megabytes that a training step holds.

    parts: from the embeddings to the head. cut: how many of them, from the bottom, are frozen.
    """

    name: str
    parts: Sequence[str]
    cut: int
    weights: float
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
    def rounded(self) -> tuple[float, float, float]:
        """Gradients, optimizer and activations as they are written: with one decimal."""
        return round(self.gradients, 1), round(self.optimizer, 1), round(self.activations, 1)

    @property
    def total(self) -> float:
        """Megabytes of all three as they are written, so that a reader can add them up."""
        return sum(self.rounded)


def draw_freezing(stacks: Sequence[FrozenStack], title: str) -> tuple["Figure", str]:
    """Draw the stacks under one another: dark what learns, pale what is frozen, the cut and the way back."""
    row, width = 1.75, 9.6
    page = Schematic(width, 0.45 + row * len(stacks))
    page.text(width / 2, 0.22 + row * len(stacks), title, weight="bold", fontsize=12)
    for number, stack in enumerate(stacks):
        bottom = row * (len(stacks) - 1 - number)
        _draw_stack(page, stack, bottom)
    alt = " ".join(
        f"{stack.name}: frozen are {', '.join(stack.parts[: stack.cut]) or 'none'}; learning are"
        f" {', '.join(stack.parts[stack.cut :])}, down to where the gradient goes back. A step holds"
        f" {stack.rounded[0]:.1f} MB of gradients, {stack.rounded[1]:.1f} MB of AdamW's numbers and"
        f" {stack.rounded[2]:.1f} MB of activations, {stack.total:.1f} MB together, beside"
        f" {stack.weights:.1f} MB of weights."
        for stack in stacks
    )
    return page.figure, alt


def _draw_stack(page: Schematic, stack: FrozenStack, bottom: float) -> None:
    """One stack in its row: name, boxes, the way forward above them and the way back below."""
    page.text(0.1, bottom + 1.58, stack.name, ha="left", weight="bold")
    room, gap = 6.9, 0.14
    size = (room - gap * (len(stack.parts) - 1)) / len(stack.parts)
    boxes = [
        page.box(
            0.1 + place * (size + gap), bottom + 0.62, size, 0.58, part,
            "learns" if place >= stack.cut else "frozen", "lit" if place >= stack.cut else "plain",
        )
        for place, part in enumerate(stack.parts)
    ]  # fmt: skip
    ahead, back = bottom + 1.34, bottom + 0.42
    left, right = boxes[0].left, boxes[-1].left + boxes[-1].width
    page.arrow((left, ahead), (right, ahead))
    page.text(right, ahead + 0.16, "forward, through all parts", ha="right", fontsize=10)
    ends = boxes[stack.cut].left
    page.arrow((boxes[-1].below[0], bottom + 0.62), (boxes[-1].below[0], back), (ends, back))
    way = "backward, down to the cut" if stack.cut else "backward, through all parts"
    page.text(ends, back - 0.18, way, ha="left", fontsize=10)
    if stack.cut:
        border = ends - gap / 2
        page.axes.plot([border, border], [bottom + 0.2, ahead + 0.1], color=INK, linewidth=2, linestyle=":")
        page.text(border - 0.08, back - 0.1, "cut", ha="right", weight="bold")
    gradients, optimizer, activations = stack.rounded
    costs = f"gradients {gradients:.1f} MB\nAdamW {optimizer:.1f} MB\nactivations {activations:.1f} MB"
    page.text(7.25, bottom + 1.12, costs, ha="left", fontsize=10, linespacing=1.35)
    page.text(7.25, bottom + 0.62, f"together {stack.total:.1f} MB", ha="left", weight="bold", color=LIT)
    page.text(7.25, bottom + 0.38, f"beside {stack.weights:.1f} MB of weights", ha="left", fontsize=10)
