"""Line and bar charts that can be read from the last row, and without color."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens, to_array
from .style import DASHES, FAINT, HATCHES, INK, LIT, MARKERS, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BASELINE = (0, (4, 3))  # unlike every dash of a series
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind a number, so that no line crosses it
LINE_OF_TEXT = 0.075  # of the height of the axes: how near two labels may come


def draw_lines(
    x: Any,
    series: Mapping[str, Any],
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    logx: bool = False,
    logy: bool = False,
    ylim: tuple[float, float] | None = None,
    baseline: tuple[str, float] | None = None,
    marked: Sequence[float] | None = None,
    bands: Mapping[str, Any] | None = None,
    beyond: tuple[str, float] | None = None,
) -> "Figure":
    """Draw up to six lines over the same `x`, each with its name at its end.

    `x` and every series have one number for each point. Lines differ in dash and marker as well as
    color. A logarithmic axis needs positive numbers; anything that does not fit raises a ValueError.
    `ylim` fixes the ends of the y axis where pictures are to be compared. `baseline`, such as
    `("chance", 0.1)`, is drawn as a dashed line from end to end. Markers stand at about twelve places, or at
    the `marked` x, which then has to hold them. `bands` gives some of the series, by name, how far `[N]` a
    light band reaches above and below them. `beyond`, such as `("new places", 15.5)`, shades what lies right
    of an x and names it.
    """
    xs = to_array(x, "x", "N")
    lines = series_of(series, len(xs))
    reach = _bands_of(lines, bands or {}, len(xs))
    markers = _marker_places(xs, marked)
    if baseline is not None:
        _check_baseline(baseline, ylim, logy)
    if logx:
        _check_positive({"x": xs})
    if logy:
        _check_positive(lines)
    with style():
        figure = canvas(8.0, 3.9, title)
        axes = figure.subplots()
        _scale_axes(axes, xs, logx, logy)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.grid(axis="y")
        if beyond is not None:
            _shade_beyond(axes, beyond, float(xs.max()))
        for number, (name, values) in enumerate(lines.items()):
            color = SERIES[number]
            if name in reach:
                low, high = values - reach[name], values + reach[name]
                axes.fill_between(xs, low, high, color=color, alpha=0.18, linewidth=0)
            dash, marker = DASHES[number], MARKERS[number]
            axes.plot(xs, values, color=color, linestyle=dash, marker=marker, markevery=markers)
        if ylim is not None:
            axes.set_ylim(ylim)
        ends = [(name, values[xs.argmax()], SERIES[n]) for n, (name, values) in enumerate(lines.items())]
        if baseline is not None:
            axes.axhline(baseline[1], color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            ends.append((*baseline, INK))
        _label_ends(axes, float(xs.max()), ends)
    return figure


def draw_bars(
    labels: Sequence[str],
    values: Any,
    xlabel: str,
    title: str | None = None,
    digits: int = 2,
    xlim: tuple[float, float] | None = None,
    baseline: tuple[str, float] | None = None,
) -> "Figure":
    """Draw horizontal bars with their numbers, the first label on top.

    `values` has a number for each label, or is a dict of up to six such series, which stand side by
    side with different hatches. Numbers are printed with `digits` decimals. `xlim` fixes the ends of the
    x axis where pictures are to be compared. `baseline`, such as `("chance", 0.1)`, is a dashed line
    through all bars, with its name and number under it.
    """
    if baseline is not None:
        _check_baseline(baseline, xlim)
    series = values if isinstance(values, Mapping) else {"": values}
    bars = series_of(series, len(labels))
    names = check_tokens(labels, len(labels), "bars")
    thickness = 0.8 / len(bars)
    places = np.arange(len(names))
    with style():
        figure = canvas(8.0, min(8.0, 1.0 + len(names) * max(0.42, 0.27 * len(bars))), title)
        axes = figure.subplots()
        for number, (name, numbers) in enumerate(bars.items()):
            drawn = axes.barh(
                places + (number + 0.5) * thickness - 0.4, numbers, thickness * 0.92, label=name,
                color=SERIES[number], hatch=HATCHES[number], edgecolor="white", linewidth=0.5,
            )  # fmt: skip
            written = [f"{value:,.{digits}f}" for value in numbers]
            axes.bar_label(drawn, labels=written, padding=4, fontsize=10, bbox=PAPER, zorder=3)
        _bare_axes(axes, names, xlabel)
        axes.axvline(0, color=QUIET, linewidth=0.9)
        lowest = min(values.min() for values in bars.values())
        axes.margins(x=0.12 if lowest >= 0 else 0.2)  # room for the numbers, left as well if need be
        if xlim is not None:
            axes.set_xlim(xlim)
        if baseline is not None:
            axes.axvline(baseline[1], color="white", linewidth=3, zorder=1.5)  # so that it shows on dark bars
            draw_baseline(axes, baseline, digits, 1.6)
        if len(bars) > 1:
            legend_outside(figure, title)
    return figure


def draw_stacked_bars(
    labels: Sequence[str],
    parts: Mapping[str, Any],
    xlabel: str,
    title: str | None = None,
    baseline: tuple[str, float] | None = None,
) -> "Figure":
    """Draw horizontal bars that are made of two parts or more, the first label on top; whole numbers.

    Each of `parts` is `[N]`, with no negative number. The whole stands at the end of a bar, and a part keeps
    its hatch in all of them. `baseline`, such as `("English", 10)`, is a dashed line with its name under it.
    """
    if baseline is not None:
        _check_baseline(baseline, None)
    stacked = series_of(parts, len(labels))
    names = check_tokens(labels, len(labels), "bars")
    for name, numbers in stacked.items():
        if numbers.min() < 0:
            raise ValueError(f"{name!r} holds {numbers.min():g}; a part of a bar cannot be negative.")
    looks = [LIT, "white", TINT, *SERIES][: len(stacked)]  # their grays are far apart
    with style():
        figure = canvas(8.0, min(8.0, 1.4 + 0.36 * len(names)), title)
        axes = figure.subplots()
        places, ends = np.arange(len(names)), np.zeros(len(names))
        for number, (name, numbers) in enumerate(stacked.items()):
            axes.barh(
                places, numbers, 0.7, left=ends, label=name,
                color=looks[number], hatch=HATCHES[number], edgecolor=INK, linewidth=0.7,
            )  # fmt: skip
            ends = ends + numbers
        for place, end in zip(places, ends, strict=True):
            axes.annotate(
                f"{end:,.0f}", (end, place), xytext=(4, 0), textcoords="offset points",
                fontsize=10, va="center", bbox=PAPER, zorder=3,
            )  # fmt: skip
        _bare_axes(axes, names, xlabel)
        axes.margins(x=0.12)  # room for the numbers
        if baseline is not None:
            draw_baseline(axes, baseline, 0, 0.5)
        legend_outside(figure, title)
    return figure


def series_of(series: Mapping[str, Any], length: int) -> dict[str, Array]:
    """The series of a chart as arrays [N]; ValueError where there are too many, or one has another length."""
    if not 1 <= len(series) <= len(SERIES):
        raise ValueError(f"There are {len(series)} series; between 1 and {len(SERIES)} can be told apart.")
    arrays = {name: to_array(values, repr(name), "N") for name, values in series.items()}
    for name, values in arrays.items():
        if len(values) != length:
            raise ValueError(f"{name!r} has {len(values)} numbers; {length} are needed.")
    return arrays


def draw_baseline(axes: "Axes", baseline: tuple[str, float], digits: int, zorder: float) -> None:
    """Draw a dashed line through bars, with its name and number under it, `digits` decimals."""
    name, value = baseline
    axes.axvline(value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=zorder)
    axes.set_xticks([value], [f"{name} {value:,.{digits}f}"])


def legend_outside(figure: "Figure", title: str | None) -> None:
    """Name the series beside the axes: below them where the title is above."""
    figure.legend(loc="outside lower center" if title else "outside upper right", ncols=3)


def _bare_axes(axes: "Axes", names: Sequence[str], xlabel: str) -> None:
    """Leave of the axes what bars with their numbers need: names, the first on top, and what is measured."""
    axes.set_yticks(np.arange(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel(xlabel)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _scale_axes(axes: "Axes", xs: Array, logx: bool, logy: bool) -> None:
    """Make the axes linear or logarithmic, with a tick for each of a few x."""
    axes.set(xscale="log" if logx else "linear", yscale="log" if logy else "linear")
    for axis, is_log in ((axes.xaxis, logx), (axes.yaxis, logy)):
        if is_log:
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
    if len(xs) <= 10:
        axes.set_xticks(xs, [f"{value:g}" for value in xs])
        axes.minorticks_off()


def _shade_beyond(axes: "Axes", beyond: tuple[str, float], last: float) -> None:
    """Shade what lies right of an x, up to the last, and name it."""
    name, start = beyond
    axes.axvspan(start, last, color=FAINT, alpha=0.6, linewidth=0, zorder=0)
    place = axes.get_xaxis_transform()
    axes.text(start, 0.985, f" {name}", transform=place, va="top", color=INK, fontsize=10)


def _marker_places(xs: Array, marked: Sequence[float] | None) -> int | list[int]:
    """At which points lines have their markers: the `marked` x, or every so many, about twelve in all."""
    if marked is None:
        return max(1, len(xs) // 12)
    if missing := sorted(set(marked) - set(xs.tolist())):
        raise ValueError(f"{missing[0]:g} is to be marked, and x does not hold it.")
    return [number for number, value in enumerate(xs.tolist()) if value in marked]


def _bands_of(lines: Mapping[str, Array], bands: Mapping[str, Any], length: int) -> dict[str, Array]:
    """The bands of some of the lines as arrays [N]; there may be none."""
    reach = series_of(bands, length) if bands else {}
    if unknown := sorted(reach.keys() - lines.keys()):
        raise ValueError(f"The band {unknown[0]!r} belongs to none of the series {', '.join(lines)}.")
    return reach


def _check_positive(series: Mapping[str, Array]) -> None:
    for name, values in series.items():
        if values.min() <= 0:
            raise ValueError(f"{name!r} holds {values.min():g}; a log axis needs positive numbers.")


def _check_baseline(
    baseline: tuple[str, float], limits: tuple[float, float] | None, log: bool = False
) -> None:
    name, value = baseline
    if not np.isfinite(value) or (log and value <= 0):
        raise ValueError(f"The baseline {name!r} is {value:g}, which has no place on the axis.")
    if limits is not None and not limits[0] <= value <= limits[1]:
        low, high = limits
        raise ValueError(f"The baseline {name!r} is {value:g}, outside of the axis from {low:g} to {high:g}.")


def _label_ends(axes: "Axes", last: float, ends: Sequence[tuple[str, float, str]]) -> None:
    """Write each line's name right of its end, moved up or down where two would overlap.

    last: where the lines end. ends: the name, last value and color of each.
    """
    to_axes = axes.transData + axes.transAxes.inverted()
    axes.autoscale_view()
    places = [float(to_axes.transform((last, value))[1]) for _, value, _ in ends]
    order = np.argsort(places)
    heights = np.array(places)[order]
    for _ in range(50):  # push neighbors apart until all fit
        gaps = np.diff(heights)
        tight = np.nonzero(gaps < LINE_OF_TEXT - 1e-6)[0]
        if not len(tight):
            break
        for lower in tight:
            push = (LINE_OF_TEXT - (heights[lower + 1] - heights[lower])) / 2
            heights[lower] -= push
            heights[lower + 1] += push
    for height, number in zip(heights, order, strict=True):
        name, value, color = ends[number]
        axes.annotate(
            name, (last, value), (1.03, height), textcoords="axes fraction", va="center", color=INK,
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 1, "shrinkA": 2},
            annotation_clip=False,
        )  # fmt: skip
