"""Freezing in pictures: how far the gradient goes back, what a step holds for it, and two ways in between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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


def draw_gentle(
    parts: Sequence[str],
    rates: Sequence[float],
    starts: Sequence[int],
    steps: int,
    accuracies: Mapping[str, Sequence[float]],
    title: str,
) -> tuple["Figure", str]:
    """Draw how fast each part learns, from when on, and what both bring.

    parts: from the bottom to the top. rates: of each its learning rate, where each layer has its own. starts:
    the step from which each part learns, where one more thaws at a time. accuracies: in %, one a seed.
    """
    with style():
        figure = canvas(10.6, 3.7, title)
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 0.95, 1.5))
        places = range(len(parts))
        for axes, begins, name in ((left, [0] * len(parts), "layer rates"), (middle, starts, "gradual")):
            for place, begin in zip(places, begins, strict=True):
                strength = rates[place] / max(rates) if axes is left else 1.0
                axes.barh(place, begin, 0.8, color="white", edgecolor=FAINT, linewidth=0.8)
                axes.barh(place, steps - begin, 0.8, left=begin, color=LIT, alpha=strength, linewidth=0)
            axes.set(xlim=(0, steps), ylim=(-0.6, len(parts) - 0.4), xlabel="step", title=name)
            axes.set_yticks(places, parts if axes is left else [""] * len(parts))
            axes.tick_params(axis="y", length=0)
        for place, rate in zip(places, rates, strict=True):
            color = "white" if rate > 0.55 * max(rates) else INK
            left.text(steps / 2, place, f"{rate:.5f}", ha="center", va="center", color=color, fontsize=10)
        for place, begin in zip(places, starts, strict=True):
            if begin > steps / 4:
                middle.text(begin / 2, place, "frozen", ha="center", va="center", color=QUIET, fontsize=9.5)
        _draw_dots(right, accuracies)
    description = "; ".join(
        f"{part}: rate {rate:.5f}, or frozen until step {begin}"
        for part, rate, begin in zip(parts, rates, starts, strict=True)
    )
    dots = "; ".join(
        f"{name} {sum(values) / len(values):.1f} ({min(values):.1f} to {max(values):.1f})"
        for name, values in accuracies.items()
    )
    return (
        figure,
        f"Two ways, over {steps} steps. {description}. Accuracy in %, mean (lowest to highest seed): {dots}.",
    )


def _draw_dots(axes: "Axes", accuracies: Mapping[str, Sequence[float]]) -> None:
    """A column of dots for each way, its mean as a line with its number."""
    for place, values in enumerate(accuracies.values()):
        mean = sum(values) / len(values)
        axes.scatter(
            [place] * len(values),
            values,
            color=SERIES[place],
            marker=MARKERS[place],
            s=28,
            linewidth=0,
        )
        axes.plot([place - 0.28, place + 0.28], [mean, mean], color=INK, linewidth=1.6)
        axes.text(place + 0.34, mean, f"{mean:.1f}", va="center", ha="left", fontsize=10, weight="bold")
    axes.set_xticks(range(len(accuracies)), list(accuracies))
    axes.set(xlim=(-0.5, len(accuracies) - 0.1), title="accuracy, %")
