"""One point of a loss landscape as a picture: from the weights to the height that is drawn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.figures.schematic import Schematic
from lib.figures.style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class SliceNumbers:
    """What one point of a plane is made of.

    weights: how many numbers the model has. a, b: how far the point lies along the two directions. texts: how
    many the loss is the mean of. loss: at this point, in nats; at_center: where both are 0. points: of the
    whole plane.
    """

    weights: int
    a: float
    b: float
    texts: int
    loss: float
    at_center: float
    points: int


def draw_slice(numbers: SliceNumbers) -> tuple["Figure", str]:
    """Draw how the height of one point is found: move all weights, read the texts, note the loss."""
    page = Schematic(9.6, 2.75)
    page.text(
        4.8, 2.56, "One height: move every weight, read the texts, note the loss", weight="bold", fontsize=12
    )
    weights = f"{numbers.weights:,} numbers"
    left, width = 0.15, 2.15
    center = page.box(left, 1.68, width, 0.6, "model θ₀", weights)
    one = page.box(left, 0.94, width, 0.6, "direction d₁", weights)
    other = page.box(left, 0.2, width, 0.6, "direction d₂", weights)
    moved = page.box(
        3.35,
        0.8,
        2.3,
        0.88,
        "θ₀ + a·d₁ + b·d₂",
        f"a = {numbers.a:g}, b = {numbers.b:g}".replace("-", "−"),
        "tint",
    )
    read = page.box(6.05, 0.8, 1.55, 0.88, "forward", f"{numbers.texts} texts")
    loss = page.box(8.0, 0.8, 1.45, 0.88, "height", f"{numbers.loss:.2f} nats", "lit")
    for box in (center, one, other):
        page.arrow(box.east, (2.85, box.east[1]), (2.85, moved.west[1]), moved.west)
    page.arrow(moved.east, read.west)
    page.arrow(read.east, loss.west)
    page.text(
        6.4,
        0.4,
        f"at a = b = 0: {numbers.at_center:.2f} nats; again for each of {numbers.points} points",
        fontsize=10,
        color=QUIET,
    )
    alt = (
        f"How one height of a landscape is found. To the model's {numbers.weights:,} weights are added"
        f" {numbers.a:g} times the first and {numbers.b:g} times the second direction, each of as many"
        f" numbers. This model reads {numbers.texts} texts without an update. Its loss, {numbers.loss:.2f}"
        f" nats, is the height; in the middle it is {numbers.at_center:.2f}. The same is done for each of"
        f" {numbers.points} points."
    ).replace(" -", " −")
    return page.figure, alt
