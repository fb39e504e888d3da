"""Numbers with how sure they are: intervals, and seeds of experiments."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens, to_array
from .charts import BASELINE, legend_outside
from .style import FAINT, INK, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ARMS = 24


def draw_ranges(
    labels: Sequence[str],
    ranges: Mapping[str, Any],
    xlabel: str,
    marks: Mapping[str, Any] | None = None,
    title: str | None = None,
    baseline: tuple[str, float] | None = None,
) -> "Figure":
    """Draw for each label a point with its interval, and points without one; the first label on top.

    Each of `ranges` is `[N, 3]`: low, middle, high; each of `marks` is `[N]`. Up to six of both.
    `baseline`, such as `("chance", 0.5)`, is a dashed line from top to bottom, with its name on it.
    """
    tables = {name: to_array(table, repr(name), "N, 3") for name, table in ranges.items()}
    points = {name: to_array(row, repr(name), "N") for name, row in (marks or {}).items()}
    if not tables or len(tables) + len(points) > len(SERIES):
        raise ValueError(f"draw_ranges takes one to {len(SERIES)} series, one of them with intervals.")
    names = check_tokens(labels, len(next(iter(tables.values()))), "intervals")
    for name, drawn in {**tables, **points}.items():
        check_tokens(labels, len(drawn), f"numbers of {name!r}")
        if drawn.ndim == 2 and not (np.diff(drawn, axis=1) >= 0).all():
            raise ValueError(f"{name!r} has an interval that is out of order: give low, middle, high.")
    places = np.arange(len(names))
    with style():
        figure = canvas(8.0, 1.2 + 0.26 * len(names) * max(1, 0.7 * len(tables)), title)
        axes = figure.subplots()
        for number, (name, table) in enumerate(tables.items()):
            rows = places + 0.24 * (number - (len(tables) - 1) / 2)
            axes.hlines(rows, table[:, 0], table[:, 2], color=SERIES[number], linewidth=2.2)
            axes.plot(table[:, 1], rows, MARKERS[number], color=SERIES[number], label=name)
        for number, (name, row) in enumerate(points.items(), start=len(tables)):
            axes.plot(row, places, MARKERS[number], color=SERIES[number], markerfacecolor="white", label=name)
        axes.set_yticks(places, names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(xlabel)
        axes.grid(axis="both")
        axes.tick_params(axis="y", length=0)
        if baseline is not None:
            name, value = baseline
            axes.axvline(value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.annotate(
                f"{name} {value:g}", xy=(value, 0.02), xycoords=("data", "axes fraction"), xytext=(4, 0),
                textcoords="offset points", fontsize=10, va="bottom",
            )  # fmt: skip
        if len(tables) + len(points) > 1:
            legend_outside(figure, title)
    return figure


def describe_ranges(labels: Sequence[str], ranges: Mapping[str, Any], digits: int = 2) -> str:
    """Say in words what `draw_ranges` shows of intervals: each middle, with low and high in brackets."""
    phrases = [
        f"{name}, {label} {middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
        for name, table in ranges.items()
        for label, (low, middle, high) in zip(labels, to_array(table, repr(name), "N, 3"), strict=True)
    ]
    return "; ".join(phrases) + "."


def draw_seeds(
    arms: Mapping[str, Any],
    xlabel: str,
    baseline: str | None = None,
    title: str | None = None,
    digits: int = 2,
    xlim: tuple[float, float] | None = None,
) -> tuple["Figure", str]:
    """Draw what several designs measured: a dot for each seed, a bar from the lowest to the highest.

    `arms` maps a design to the values of its seeds, as many as it has; 2 to 24 designs, which are sorted by
    their mean, the lowest on top. A tick marks the mean, which stands at the end with `digits` decimals.
    A gray band goes from the mean of `baseline`, one of the designs, as far to either side as its seeds are
    apart: a design with its mean in the band, or nearer to the baseline's mean than its own bar is long, is
    not told apart from the baseline by these seeds. `xlim` fixes the ends of the x axis.
    """
    rows = _sorted_arms(arms, baseline)
    with style():
        figure = canvas(8.0, 1.1 + 0.27 * len(rows), title)
        axes = figure.subplots()
        if baseline is not None:
            _shade_around(axes, rows[baseline])
        for place, (name, values) in enumerate(rows.items()):
            bar, dots = (INK, INK) if name == baseline else (SERIES[2], SERIES[0])
            _draw_arm(axes, place, values, bar, dots)
            axes.annotate(
                f"{values.mean():,.{digits}f}", (1.01, place), xycoords=("axes fraction", "data"),
                va="center", fontsize=10, annotation_clip=False,
            )  # fmt: skip
        axes.set_yticks(np.arange(len(rows)), list(rows))
        for label in axes.get_yticklabels():
            label.set_fontweight("bold" if label.get_text() == baseline else "normal")
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(f"{xlabel} (dot: one seed; tick and number: mean)")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        if xlim is not None:
            axes.set_xlim(xlim)
    phrases = [
        f"{name}{' (the baseline)' if name == baseline else ''} {values.mean():,.{digits}f}"
        f" ({values.min():,.{digits}f} to {values.max():,.{digits}f}, seeds: {len(values)})"
        for name, values in rows.items()
    ]
    alt = f"{len(rows)} designs by their mean over seeds, with lowest and highest: {'; '.join(phrases)}."
    return figure, alt


def _shade_around(axes: "Axes", values: Array) -> None:
    """Shade a band around the mean of a design's seeds, as far to either side as they are apart."""
    mean, spread = values.mean(), values.max() - values.min()
    axes.axvspan(mean - spread, mean + spread, color=FAINT, alpha=0.8, linewidth=0, zorder=0)
    axes.axvline(mean, color=QUIET, linewidth=1.1, linestyle=BASELINE, zorder=0.5)


def _draw_arm(axes: "Axes", place: int, values: Array, bar: str, dots: str) -> None:
    """Draw a design's seeds as dots on a bar from the lowest to the highest, and a tick at their mean."""
    axes.hlines(place, values.min(), values.max(), color=bar, linewidth=6, alpha=0.45, zorder=1)
    row = [place] * len(values)
    axes.plot(values, row, "o", color=dots, markersize=5.5, markeredgecolor="white", zorder=2)
    axes.plot(values.mean(), place, "|", color=INK, markersize=13, markeredgewidth=2.2, zorder=3)


def _sorted_arms(arms: Mapping[str, Any], baseline: str | None) -> dict[str, Array]:
    if not 2 <= len(arms) <= MOST_ARMS:
        raise ValueError(f"There are {len(arms)} designs to compare; give 2 to {MOST_ARMS}.")
    if baseline is not None and baseline not in arms:
        raise ValueError(f"The baseline {baseline!r} is none of the designs {', '.join(arms)}.")
    rows = {name: to_array(values, repr(name), "N") for name, values in arms.items()}
    return dict(sorted(rows.items(), key=lambda row: row[1].mean()))
