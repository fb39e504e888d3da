"""The drawings of notebook 28: one step at several sizes, and a grid of sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array
from lib.figures.schematic import Schematic, rounded
from lib.figures.style import LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One step of a network that learns at several sizes: who reads, who teaches, and what is added up.

WIDTH, SIZE_ROW = 10.4, 0.86  # inches
BAR, BAR_HEIGHT = 3.5, 0.56  # inches of a whole network
MOST_SIZES = 4


@dataclass(frozen=True)
class SizeNow:
    """A size in this step: its shares of the width and of the layers, its name, and its loss."""

    width: float
    depth: float
    name: str
    loss: float


def draw_elastic_step(sizes: Sequence[SizeNow], title: str) -> tuple["Figure", str]:
    """Draw the teacher on top, the same student at each size below it, and the losses at the right.

    What is dark in the student runs: as wide as its width, as high as its depth. All bars are the same
    weights. The losses are those of a real batch.
    """
    _check_sizes(sizes)
    height = SIZE_ROW * (len(sizes) + 1) + 0.9
    page = Schematic(WIDTH, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    top = height - 1.15
    middle = (top + 0.3 + 0.5) / 2
    batch = page.box(0.2, middle - 0.3, 1.2, 0.6, "one batch", "of texts")
    teacher = page.box(2.1, top, BAR, BAR_HEIGHT, "teacher", "whole, nothing learns", look="plain")
    page.arrow(batch.east, teacher.west)
    update = page.box(WIDTH - 1.75, middle - 0.35, 1.6, 0.7, "one update", "of all gradients", look="lit")
    for number, size in enumerate(sizes):
        bottom = top - SIZE_ROW * (number + 1)
        rounded(page.axes, (2.1, bottom, BAR, BAR_HEIGHT), facecolor="white", edgecolor=QUIET)
        runs = (2.1, bottom, BAR * size.width, BAR_HEIGHT * size.depth)
        rounded(page.axes, runs, facecolor=TINT, edgecolor=LIT, zorder=3)
        page.text(2.1 + BAR - 0.1, bottom + BAR_HEIGHT / 2, size.name, ha="right", weight="bold")
        page.arrow(batch.east, (2.1, bottom + BAR_HEIGHT / 2))
        loss = page.box(6.2, bottom + 0.06, 1.6, BAR_HEIGHT - 0.12, f"loss {size.loss:.2f}", look="edge")
        page.arrow((2.1 + BAR, bottom + BAR_HEIGHT / 2), loss.west)
        page.arrow(loss.east, update.west)
    page.arrow(teacher.east, (7.0, top + BAR_HEIGHT / 2), (7.0, top - SIZE_ROW + BAR_HEIGHT - 0.06))
    page.text(7.15, top + 0.4, "is compared with each", ha="left", color=QUIET, fontsize=10)
    losses = "; ".join(f"{size.name}: {size.loss:.2f}" for size in sizes)
    said = (
        "One batch is read by the whole teacher, in which nothing learns, and by one student at"
        f" {len(sizes)} sizes with the same weights. Losses against the teacher: {losses}. All gradients are"
        " added before one update."
    )
    return page.figure, said


def _check_sizes(sizes: Sequence[SizeNow]) -> None:
    shares = [share for size in sizes for share in (size.width, size.depth)]
    if not 1 <= len(sizes) <= MOST_SIZES or not all(0 < share <= 1 for share in shares):
        raise ValueError(f"Give one to {MOST_SIZES} sizes, each of shares above 0.")


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
