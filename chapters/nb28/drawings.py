"""The drawings of notebook 28: a step at several widths, a grid of sizes, and a network in a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array
from lib.figures.schematic import Schematic, rounded
from lib.figures.style import FAINT, INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One step of a network that learns at several widths: who reads, who teaches, and what is added up.

WIDTH, SIZE_ROW = 10.4, 0.86  # inches
BAR = 3.3  # inches of a whole network
MOST_SIZES = 4


@dataclass(frozen=True)
class SizeNow:
    """A size in this step: its share of the width, and how far answers and states are from the teacher's."""

    share: float
    heads: int
    answers: float
    states: float


def draw_elastic_step(sizes: Sequence[SizeNow], title: str) -> tuple["Figure", str]:
    """Draw the teacher on top, the same student at each width below it, and the losses at the right.

    What is dark in the student runs; all bars are the same weights. The losses are those of a real batch.
    """
    _check_sizes(sizes)
    height = SIZE_ROW * (len(sizes) + 1) + 0.9
    page = Schematic(WIDTH, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    top = height - 1.15
    middle = (top + 0.3 + 0.5) / 2
    batch = page.box(0.2, middle - 0.3, 1.2, 0.6, "one batch", "of texts")
    teacher = page.box(2.1, top, BAR, 0.56, "teacher", "whole, nothing learns", look="plain")
    page.arrow(batch.east, teacher.west)
    update = page.box(WIDTH - 1.75, middle - 0.35, 1.6, 0.7, "one update", "of all gradients", look="lit")
    for number, size in enumerate(sizes):
        bottom = top - SIZE_ROW * (number + 1)
        rounded(page.axes, (2.1, bottom, BAR, 0.56), facecolor="white", edgecolor=QUIET)
        rounded(page.axes, (2.1, bottom, BAR * size.share, 0.56), facecolor=TINT, edgecolor=LIT, zorder=3)
        label = f"width {size.share:g}: {size.heads} heads"
        page.text(2.1 + BAR - 0.1, bottom + 0.28, label, ha="right", weight="bold")
        page.arrow(batch.east, (2.1, bottom + 0.28))
        loss = page.box(
            6.0, bottom, 2.15, 0.56, f"answers {size.answers:.2f}", f"states {size.states:.3f}", look="edge"
        )
        page.arrow((2.1 + BAR, bottom + 0.28), loss.west)
        page.arrow(loss.east, update.west)
    page.arrow(teacher.east, (7.07, top + 0.28), (7.07, top - SIZE_ROW + 0.56))
    page.text(7.2, top + 0.4, "is compared with each", ha="left", color=QUIET, fontsize=10)
    losses = "; ".join(
        f"width {size.share:g} with {size.heads} heads, answers {size.answers:.2f}, states {size.states:.3f}"
        for size in sizes
    )
    said = (
        "One batch is read by the whole teacher, in which nothing learns, and by one student at"
        f" {len(sizes)} widths with the same weights. Losses against the teacher: {losses}. All gradients are"
        " added before one update."
    )
    return page.figure, said


def _check_sizes(sizes: Sequence[SizeNow]) -> None:
    if not 1 <= len(sizes) <= MOST_SIZES or not all(0 < size.share <= 1 for size in sizes):
        raise ValueError(f"Give one to {MOST_SIZES} sizes, each a share of the width above 0.")


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


# ---------------------------------------------------------------------------------------------
# Which parts of one network run at a size: its layers as rows, the heads of each as cells.

LAYER_ROW, CELL = 0.5, 0.34  # inches
LEFT, GAP = 1.25, 0.35
HEAD, FOOT = 1.0, 0.85
MOST_LAYERS, MOST_HEADS = 12, 16


def draw_sub_network(
    layers: Sequence[int], heads: int, of_layers: int, of_heads: int, caption: str, title: str
) -> "Figure":
    """Draw a stack of layers, the first at the bottom, each with its heads and a bar for its neurons.

    Dark is what runs: the first `heads` of `of_heads` in each of `layers`, and the same share of the neurons.
    A layer that is left out is empty, and a line leads past it. `caption` stands below, such as the costs.
    """
    _check_parts(layers, heads, of_layers, of_heads)
    width = LEFT + CELL * of_heads + GAP + CELL * of_heads + 0.4
    page = Schematic(width, HEAD + LAYER_ROW * of_layers + FOOT)
    top = FOOT + LAYER_ROW * of_layers
    page.text(0.15, top + 0.72, title, ha="left", fontsize=13, weight="bold")
    neurons = LEFT + CELL * of_heads + GAP
    page.text(LEFT, top + 0.2, f"{of_heads} heads", ha="left", color=QUIET)
    page.text(neurons, top + 0.2, "neurons", ha="left", color=QUIET)
    for layer in range(of_layers):
        bottom, runs = FOOT + LAYER_ROW * layer, layer in layers
        page.text(
            LEFT - 0.15, bottom + LAYER_ROW / 2, f"layer {layer}", ha="right", color=INK if runs else QUIET
        )
        for head in range(of_heads):
            look = {
                "facecolor": LIT if runs and head < heads else "white",
                "edgecolor": QUIET if runs else FAINT,
            }
            rounded(
                page.axes, (LEFT + CELL * head + 0.03, bottom + 0.07, CELL - 0.06, LAYER_ROW - 0.14), **look
            )
        share = heads / of_heads if runs else 0.0
        place = (neurons, bottom + 0.07, CELL * of_heads, LAYER_ROW - 0.14)
        rounded(page.axes, place, facecolor="white", edgecolor=QUIET if runs else FAINT)
        if share:
            filled = (neurons, bottom + 0.07, CELL * of_heads * share, LAYER_ROW - 0.14)
            rounded(page.axes, filled, facecolor=TINT, edgecolor=LIT, zorder=3)
        else:
            middle = bottom + LAYER_ROW / 2
            page.axes.plot(
                [LEFT, neurons + CELL * of_heads], [middle, middle], color=QUIET, linewidth=1.0, zorder=4
            )
    page.text(0.15, 0.4, caption, ha="left", fontsize=12)
    return page.figure


def describe_sub_network(
    layers: Sequence[int], heads: int, of_layers: int, of_heads: int, caption: str
) -> str:
    """Say in words what `draw_sub_network` shows."""
    _check_parts(layers, heads, of_layers, of_heads)
    return (
        f"Of {of_layers} layers run {', '.join(map(str, layers))}, counted from 0; in each of them the first"
        f" {heads} of {of_heads} heads and as large a share of the neurons. {caption}"
    )


def _check_parts(layers: Sequence[int], heads: int, of_layers: int, of_heads: int) -> None:
    if not (1 <= of_layers <= MOST_LAYERS and 1 <= heads <= of_heads <= MOST_HEADS):
        raise ValueError(f"Draw at most {MOST_LAYERS} layers of {MOST_HEADS} heads, of which some run.")
    if not layers or not all(0 <= layer < of_layers for layer in layers):
        raise ValueError(f"The layers {list(layers)} of {of_layers}: give numbers from 0 to {of_layers - 1}.")
