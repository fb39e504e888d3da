"""The drawings of notebook 28: one step at several sizes, and a grid of sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array
from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One step of a network that learns at several sizes: who reads, who teaches, and what is added up.

WIDTH, SIZE_ROW = 10.4, 1.1  # inches
BAR, BAR_HEIGHT = 3.5, 0.72  # inches of a whole network
MOST_SIZES = 4


@dataclass(frozen=True)
class SizeNow:
    """A size in this step: its share of the width, the layers that run, its name, and its loss."""

    width: float
    layers: Sequence[int]
    name: str
    loss: float


def draw_elastic_step(sizes: Sequence[SizeNow], num_layers: int, title: str) -> tuple["Figure", str]:
    """Draw the teacher on top, the same student at each size below it, and the losses at the right.

    Each student has a strip for each layer, the first at the foot; what is dark runs. All bars are the same
    weights. The losses are those of a real batch.
    """
    _check_sizes(sizes, num_layers)
    height = SIZE_ROW * (len(sizes) + 1) + 0.75
    page = Schematic(WIDTH, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    top = height - 1.25
    middle = (top + 0.3 + 0.5) / 2
    batch = page.box(0.2, middle - 0.3, 1.2, 0.6, "one batch", "of texts")
    teacher = page.box(2.1, top, BAR, 0.6, "teacher", "whole, nothing learns", look="plain")
    page.arrow(batch.east, teacher.west)
    update = page.box(WIDTH - 1.75, middle - 0.35, 1.6, 0.7, "one update", "of all gradients", look="lit")
    bus = 5.95  # from the teacher down to every loss
    for number, size in enumerate(sizes):
        bottom = top - SIZE_ROW * (number + 1)
        center = bottom + BAR_HEIGHT / 2
        _draw_layers(page, bottom, size, num_layers)
        page.text(2.1, bottom + BAR_HEIGHT + 0.13, size.name, ha="left", weight="bold", fontsize=10)
        page.arrow(batch.east, (2.1, center))
        loss = page.box(6.35, center - 0.22, 1.5, 0.44, f"loss {size.loss:.2f}", look="edge")
        page.arrow((2.1 + BAR, center - 0.11), (loss.west[0], center - 0.11))
        page.arrow(
            (2.1 + BAR, top + 0.3), (bus, top + 0.3), (bus, center + 0.11), (loss.west[0], center + 0.11)
        )
        page.arrow(loss.east, update.west)
    page.text(bus + 0.12, top + 0.3, "is compared with each", ha="left", color=QUIET, fontsize=10)
    losses = "; ".join(f"{size.name}: {size.loss:.2f}" for size in sizes)
    description = (
        "One batch is read by the whole teacher, in which nothing learns, and by one student at"
        f" {len(sizes)} sizes with the same weights. Losses against the teacher: {losses}. All gradients are"
        " added before one update."
    )
    return page.figure, description


def _draw_layers(page: Schematic, bottom: float, size: SizeNow, num_layers: int) -> None:
    """A strip for each layer, and in those that run the part that does."""
    from matplotlib.patches import Rectangle

    high = BAR_HEIGHT / num_layers
    for layer in range(num_layers):
        corner = (2.1, bottom + layer * high)
        page.axes.add_patch(Rectangle(corner, BAR, high, facecolor="white", edgecolor=QUIET, linewidth=0.6))
        if layer in size.layers:
            runs: dict[str, Any] = {"facecolor": TINT, "edgecolor": LIT, "linewidth": 1.0, "zorder": 3}
            page.axes.add_patch(Rectangle(corner, BAR * size.width, high, **runs))


def _check_sizes(sizes: Sequence[SizeNow], num_layers: int) -> None:
    layers = {layer for size in sizes for layer in size.layers}
    if not 1 <= len(sizes) <= MOST_SIZES or not all(0 < size.width <= 1 for size in sizes):
        raise ValueError(f"Give one to {MOST_SIZES} sizes, each of a width above 0.")
    if not layers <= set(range(num_layers)):
        raise ValueError(f"A layer that runs is not there: they are 0 to {num_layers - 1}.")


# ---------------------------------------------------------------------------------------------
# What each size of one network reaches and costs: a table of widths and depths for each measure.

MOST_PANELS = 3


def draw_size_grid(
    widths: Sequence[float],
    depths: Sequence[str],
    panels: Mapping[str, Any],
    formats: Mapping[str, str],
    title: str,
) -> tuple["Figure", str]:
    """Draw up to three tables side by side, a row for each depth and a column for each width.

    panels[measure] is [depths, widths]; the darker, the larger, each panel on its own scale. formats[measure]
    is how its numbers are written, such as ".1%".
    """
    tables = _tables(widths, depths, panels)
    with style():
        figure = canvas(3.5 * len(tables) + 0.8, 0.62 * len(depths) + 1.5, title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (measure, table) in zip(every, tables.items(), strict=True):
            low, high = float(table.min()), float(table.max())
            spread = max(high - low, 1e-9)
            axes.imshow(
                table, cmap="Blues", vmin=low - 0.25 * spread, vmax=high + 0.25 * spread, aspect="auto"
            )
            for (row, column), value in np.ndenumerate(table):
                ink = "white" if (value - low) / spread > 0.6 else "black"
                axes.text(column, row, format(value, formats[measure]), ha="center", va="center", color=ink)
            axes.set_title(measure, loc="center", fontsize=11)
            axes.set_xticks(range(len(widths)), [f"{width:g}" for width in widths])
            axes.set_xlabel("width")
            axes.tick_params(length=0)
            axes.spines[["left", "bottom"]].set_visible(False)
        every[0].set_yticks(range(len(depths)), list(depths))
        every[0].set_ylabel("depth")
    phrases = [
        f"{measure}, depth {depth}: "
        + ", ".join(
            f"width {width:g} {format(float(value), formats[measure])}"
            for width, value in zip(widths, row, strict=True)
        )
        for measure, table in tables.items()
        for depth, row in zip(depths, table, strict=True)
    ]
    return figure, "; ".join(phrases) + "."


def _tables(widths: Sequence[float], depths: Sequence[str], panels: Mapping[str, Any]) -> dict[str, Array]:
    """The panels as arrays [depths, widths]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    tables: dict[str, Array] = {name: np.asarray(values, dtype=float) for name, values in panels.items()}
    for name, table in tables.items():
        if table.shape != (len(depths), len(widths)):
            raise ValueError(
                f"{name!r} has the shape {list(table.shape)}: give a row for each of {len(depths)} depths and"
                f" a column for each of {len(widths)} widths."
            )
    return tables
