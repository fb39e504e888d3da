"""One point between two models as a picture: from their weights to the height that is drawn."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from torch import Tensor

from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_mean(model: Mapping[str, Tensor], texts: int) -> tuple["Figure", str]:
    """Draw how the height halfway between two models is found: mix all weights, read texts, note the loss.

    model: the weights of either. texts: how many the loss is the mean of.
    """
    count = sum(tensor.numel() for tensor in model.values())
    page = Schematic(9.6, 2.3)
    page.text(
        4.8, 2.1, "One height: mix all weights, read the texts, note the loss", weight="bold", fontsize=12
    )
    weights = f"{count:,} numbers"
    first = page.box(0.15, 1.15, 2.15, 0.6, "model A", weights)
    second = page.box(0.15, 0.35, 2.15, 0.6, "model B", weights)
    mixed = page.box(3.25, 0.6, 2.4, 0.88, "(1 − t)·A + t·B", "t = 0.5", "tint")
    read = page.box(6.05, 0.6, 1.55, 0.88, "forward", f"{texts} texts")
    loss = page.box(8.0, 0.6, 1.45, 0.88, "height", "the loss in nats", "lit")
    for box in (first, second):
        page.arrow(box.east, (2.8, box.east[1]), (2.8, mixed.west[1]), mixed.west)
    page.arrow(mixed.east, read.west)
    page.arrow(read.east, loss.west)
    alt = (
        f"How one height on a line is found. Of models A and B, of {count:,} weights each, every"
        f" weight is mixed, half and half. This third model reads {texts} texts without an update."
        " Its loss in nats is the height."
    )
    return page.figure, alt
