"""How often numbers fall where: bars between edges, for several groups, with a threshold."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .charts import series_of
from .style import HATCHES, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_histogram(
    edges: Sequence[float],
    counts: Mapping[str, Any],
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    threshold: float | None = None,
) -> "Figure":
    """Draw how many numbers of each group lie between neighboring edges; a line at the threshold.

    `edges` is `[N + 1]`, ascending; each of `counts` is `[N]`. Groups stand side by side within a bin.
    """
    places, groups = _inputs(edges, counts)
    wide = np.diff(places) * 0.86 / len(groups)
    with style():
        figure = canvas(8.0, 3.7, title)
        axes = figure.subplots()
        for number, (name, row) in enumerate(groups.items()):
            left = places[:-1] + np.diff(places) * 0.07 + number * wide
            drawn = axes.bar(
                left, row, wide, align="edge", label=name, color=SERIES[number], hatch=HATCHES[number],
                edgecolor="white", linewidth=0.5,
            )  # fmt: skip
            axes.bar_label(drawn, labels=[f"{count:g}" if count else "" for count in row], fontsize=10)
        axes.set_xticks(places, [f"{edge:.2f}" for edge in places])
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.tick_params(axis="y", labelcolor=QUIET)
        axes.grid(axis="y")
        axes.margins(y=0.12)
        if threshold is not None:
            axes.axvline(threshold, color=INK, linewidth=1.6, linestyle=(0, (4, 3)))
            axes.annotate(
                f"threshold {threshold:.2f}", xy=(threshold, 0.97), xycoords=("data", "axes fraction"),
                xytext=(5, 0), textcoords="offset points", fontsize=10, va="top",
            )  # fmt: skip
        figure.legend(loc="outside lower center" if title else "outside upper right", ncols=len(groups))
    return figure


def describe_histogram(
    edges: Sequence[float], counts: Mapping[str, Any], threshold: float | None = None
) -> str:
    """Say in words what `draw_histogram` shows."""
    places, groups = _inputs(edges, counts)
    told = "; ".join(f"{name}: {', '.join(f'{count:g}' for count in row)}" for name, row in groups.items())
    line = "" if threshold is None else f" The threshold is {threshold:.2f}."
    return f"Counts between the edges {', '.join(f'{edge:.2f}' for edge in places)}. {told}.{line}"


def _inputs(edges: Sequence[float], counts: Mapping[str, Any]) -> tuple[Array, dict[str, Array]]:
    places = to_array(edges, "edges", "N")
    if len(places) < 2 or not (np.diff(places) > 0).all():
        raise ValueError("Give two edges or more, each larger than the one before it.")
    return places, series_of(counts, len(places) - 1)
