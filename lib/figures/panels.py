"""Several measures of the same few choices, side by side: what each gains, and what it costs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens
from .charts import BASELINE
from .style import HATCHES, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
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
    places = np.arange(len(names))
    with style():
        figure = canvas(9.6, 1.5 + 0.42 * len(names), title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for number, (axes, (measure, table)) in enumerate(zip(every, tables.items(), strict=True)):
            means = table.mean(axis=1)
            axes.barh(
                places, means, 0.66, color=SERIES[number], hatch=HATCHES[number], edgecolor="white",
                linewidth=0.5,
            )  # fmt: skip
            if table.shape[1] > 1:
                for color, width in (("white", 4.0), (INK, 1.8)):  # to be seen on the bar and beyond it
                    axes.hlines(
                        places, table.min(axis=1), table.max(axis=1), color, linewidth=width, zorder=3
                    )
            decimals = (digits or {}).get(measure, 0)
            for place, value, highest in zip(places, means, table.max(axis=1), strict=True):
                axes.annotate(  # beyond the line of the seeds
                    f"{value:,.{decimals}f}", (highest, place), (6, 0), textcoords="offset points",
                    va="center", fontsize=10,
                )  # fmt: skip
            axes.set_xlim(0, 1.38 * float(table.max()))
            axes.set_xlabel(measure)
            axes.set_xticks([])
            if baselines and measure in baselines:
                name, value = baselines[measure]
                axes.axvline(value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=2)
                axes.set_xticks([value], [f"{name} {value:,.{decimals}f}"])
            axes.axvline(0, color=QUIET, linewidth=0.9)
            axes.tick_params(length=0)
            axes.spines[["left", "bottom"]].set_visible(False)
        every[0].set_yticks(places, names)
        every[0].invert_yaxis()
    alt = (
        "; ".join(
            f"{label}: "
            + ", ".join(
                f"{measure} {table[place].mean():,.{(digits or {}).get(measure, 0)}f}"
                for measure, table in tables.items()
            )
            for place, label in enumerate(labels)
        )
        + "."
    )
    return figure, alt


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
