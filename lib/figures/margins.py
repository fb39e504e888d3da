"""How far "no answer" outscores the best words of each question, and the threshold of staying silent."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens, to_array
from .style import INK, LIT, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_margins(
    names: Sequence[str], margins: Any, threshold: float, xlim: tuple[float, float], title: str | None = None
) -> "Figure":
    """Draw a dot for each question at its no-answer margin, and shade the side where it gets no answer.

    margins: [N], as many as `names`; the first is on top. A margin above `threshold` is silent: its dot is
    empty. `xlim` fixes the ends of the scale, so that pictures of other thresholds can be compared.
    """
    labels, places, silent = _inputs(names, margins, threshold, xlim)
    low, high = xlim
    rows = np.arange(len(labels))
    with style():
        figure = canvas(8.0, 1.5 + 0.42 * len(labels), title)
        axes = figure.subplots()
        axes.axvspan(threshold, high, color=TINT, linewidth=0, zorder=0)
        axes.axvline(threshold, color=INK, linewidth=1.3, linestyle=(0, (4, 3)), zorder=1.5)
        for row, place, is_silent in zip(rows, places, silent, strict=True):
            axes.plot(place, row, "o", color=LIT, markerfacecolor="white" if is_silent else LIT, markersize=8)
            axes.annotate(
                f"{place:.1f}",
                (place, row),
                xytext=(9, 0),
                textcoords="offset points",
                va="center",
                fontsize=10,
            )
        axes.set_yticks(rows, labels)
        axes.set(xlim=xlim, ylim=(len(labels) - 0.4, -0.6))
        axes.set_xlabel(
            f"no-answer margin; shaded, right of the threshold {threshold:g}: the model stays silent"
        )
        axes.set_xticks(np.arange(np.ceil(low / 4) * 4, high + 0.1, 4))
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure


def describe_margins(names: Sequence[str], margins: Any, threshold: float) -> str:
    """Say in words what `draw_margins` shows."""
    labels, places, silent = _inputs(names, margins, threshold, None)
    told = "; ".join(
        f"{name} {place:.1f}, {'silent' if is_silent else 'answered'}"
        for name, place, is_silent in zip(labels, places, silent, strict=True)
    )
    return f"No-answer margins at threshold {threshold:g}: {told}."


def _inputs(
    names: Sequence[str], margins: Any, threshold: float, xlim: tuple[float, float] | None
) -> tuple[list[str], Array, list[bool]]:
    places = to_array(margins, "margins", "N")
    labels = check_tokens(names, len(places), "margins")
    for value in (*places.tolist(), threshold):
        if xlim is not None and not xlim[0] <= value <= xlim[1]:
            raise ValueError(
                f"{value:g} lies outside of the scale from {xlim[0]:g} to {xlim[1]:g}: widen it."
            )
    return labels, places, [place > threshold for place in places.tolist()]
