"""What each size of one network reaches and costs: a table of widths and depths for each measure."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .style import canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 3


def draw_size_grid(
    widths: Sequence[float],
    depths: Sequence[str],
    panels: Mapping[str, Any],
    formats: Mapping[str, str],
    title: str,
) -> "Figure":
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
    return figure


def describe_size_grid(
    widths: Sequence[float], depths: Sequence[str], panels: Mapping[str, Any], formats: Mapping[str, str]
) -> str:
    """Say in words what `draw_size_grid` shows."""
    told = [
        f"{measure}, depth {depth}: "
        + ", ".join(
            f"width {width:g} {format(float(value), formats[measure])}"
            for width, value in zip(widths, row, strict=True)
        )
        for measure, table in _tables(widths, depths, panels).items()
        for depth, row in zip(depths, table, strict=True)
    ]
    return "; ".join(told) + "."


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
