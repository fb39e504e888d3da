"""Several measures of the same few choices, side by side: what each gains, and what it costs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens
from .charts import draw_baseline
from .style import HATCHES, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_PANELS = 5


def draw_panels(
    labels: Sequence[str],
    panels: Mapping[str, Any],
    title: str | None = None,
    digits: Mapping[str, int] | None = None,
    baselines: Mapping[str, tuple[str, float]] | None = None,
) -> tuple["Figure", str]:
    """Draw a row of bar charts that share their labels, the first label on top.

    `panels` maps a measure to what each label has of it: [N], or [N, S] for S seeds, of which the bar is the
    mean and a thin line goes from the lowest to the highest. All bars begin at 0. `digits` gives the decimals
    of a panel, none by default; `baselines`, such as `{"accuracy, %": ("TF-IDF", 62.0)}`, is a dashed line.
    """
    tables = _tables(labels, panels)
    names = check_tokens(labels, len(labels), "bars")
    decimals = {measure: (digits or {}).get(measure, 0) for measure in tables}
    with style():
        figure = canvas(9.6, 1.5 + 0.42 * len(names), title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for number, (axes, (measure, table)) in enumerate(zip(every, tables.items(), strict=True)):
            axes.set_xlabel(measure)
            axes.set_xticks([])
            axes.tick_params(length=0)
            axes.spines[["left", "bottom"]].set_visible(False)
            _draw_panel(axes, table, decimals[measure], color=SERIES[number], hatch=HATCHES[number])
            if baselines and measure in baselines:
                draw_baseline(axes, baselines[measure], decimals[measure], 2)
        every[0].set_yticks(np.arange(len(names)), names)
        every[0].invert_yaxis()
    phrases = []
    for place, label in enumerate(labels):
        means = [f"{name} {table[place].mean():,.{decimals[name]}f}" for name, table in tables.items()]
        phrases.append(f"{label}: {', '.join(means)}")
    return figure, "; ".join(phrases) + "."


def _draw_panel(axes: "Axes", table: Array, digits: int, **look: Any) -> None:
    """Draw a bar for each row of a table [N, S], and over it what its seeds span."""
    places, means, highest = np.arange(len(table)), table.mean(axis=1), table.max(axis=1)
    axes.barh(places, means, 0.66, edgecolor="white", linewidth=0.5, **look)
    if table.shape[1] > 1:
        for color, width in (("white", 4.0), (INK, 1.8)):  # to be seen on the bar and beyond it
            axes.hlines(places, table.min(axis=1), highest, color, linewidth=width, zorder=3)
    for place, mean, end in zip(places, means, highest, strict=True):
        axes.annotate(  # beyond the line of the seeds
            f"{mean:,.{digits}f}", (end, place), (6, 0), textcoords="offset points", va="center", fontsize=10
        )
    axes.set_xlim(0, 1.38 * float(table.max()))
    axes.axvline(0, color=QUIET, linewidth=0.9)


def _tables(labels: Sequence[str], panels: Mapping[str, Any]) -> dict[str, Array]:
    """The panels as arrays [N, S]."""
    if not 1 <= len(panels) <= MAX_PANELS:
        raise ValueError(f"There are {len(panels)} panels; between 1 and {MAX_PANELS} fit side by side.")
    tables = {measure: np.asarray(values, dtype=float) for measure, values in panels.items()}
    for measure, table in tables.items():
        if table.ndim not in (1, 2) or len(table) != len(labels) or not table.size or table.min() < 0:
            raise ValueError(
                f"{measure!r} has the shape {list(table.shape)}: give {len(labels)} numbers of 0 or more,"
                " or a row of them, one for each seed."
            )
    return {measure: table.reshape(len(labels), -1) for measure, table in tables.items()}
