"""Line and bar charts that can be read from the last row, and without color."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens, to_array
from .style import DASHES, HATCHES, INK, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
) -> "Figure":
    """Draw up to six lines over the same `x`, each with its name at its end.

    `x` and every series have one number for each point. Lines differ in dash and marker as well as
    color. A logarithmic axis needs positive numbers; anything that does not fit raises a ValueError.
    `ylim` fixes the ends of the y axis where pictures are to be compared.
    """
    xs = to_array(x, "x", "N")
    lines = series_of(series, len(xs))
    for name, values in {**({"x": xs} if logx else {}), **(lines if logy else {})}.items():
        if values.min() <= 0:
            raise ValueError(f"{name!r} holds {values.min():g}; a log axis needs positive numbers.")
    with style():
        figure = canvas(8.0, 3.9, title)
        axes = figure.subplots()
        axes.set_xscale("log" if logx else "linear")
        axes.set_yscale("log" if logy else "linear")
        every = max(1, len(xs) // 12)
        for number, values in enumerate(lines.values()):
            axes.plot(
                xs, values, color=SERIES[number], linestyle=DASHES[number],
                marker=MARKERS[number], markevery=every,
            )  # fmt: skip
        for axis in [*([axes.xaxis] if logx else []), *([axes.yaxis] if logy else [])]:
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.grid(axis="y")
        if len(xs) <= 10:
            axes.set_xticks(xs, [f"{value:g}" for value in xs])
            axes.minorticks_off()
        if ylim is not None:
            axes.set_ylim(ylim)
        _label_ends(axes, xs, lines)
    return figure


def draw_bars(
    labels: Sequence[str],
    values: Any,
    xlabel: str,
    title: str | None = None,
    digits: int = 2,
    xlim: tuple[float, float] | None = None,
) -> "Figure":
    """Draw horizontal bars with their numbers, the first label on top.

    `values` has a number for each label, or is a dict of up to six such series, which stand side by
    side with different hatches. Numbers are printed with `digits` decimals. `xlim` fixes the ends of the
    x axis where pictures are to be compared.
    """
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
            axes.bar_label(drawn, labels=written, padding=4, fontsize=10)
        axes.set_yticks(places, names)
        axes.invert_yaxis()
        axes.axvline(0, color=QUIET, linewidth=0.9)
        lowest = min(values.min() for values in bars.values())
        axes.margins(x=0.12 if lowest >= 0 else 0.2)  # room for the numbers, left as well if need be
        if xlim is not None:
            axes.set_xlim(xlim)
        axes.set_xlabel(xlabel)
        axes.set_xticks([])
        axes.tick_params(length=0)
        axes.spines[["left", "bottom"]].set_visible(False)
        if len(bars) > 1:
            figure.legend(loc="outside upper right", ncols=min(3, len(bars)))
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


def _label_ends(axes: "Axes", xs: Array, lines: Mapping[str, Array]) -> None:
    """Write each line's name right of its end, moved up or down where two would overlap."""
    last = int(xs.argmax())
    to_axes = axes.transData + axes.transAxes.inverted()
    axes.autoscale_view()
    ends = [float(to_axes.transform((xs[last], values[last]))[1]) for values in lines.values()]
    order = np.argsort(ends)
    heights = np.array(ends)[order]
    for _ in range(50):  # push neighbors apart until all fit
        gaps = np.diff(heights)
        tight = np.nonzero(gaps < LINE_OF_TEXT - 1e-6)[0]
        if not len(tight):
            break
        for lower in tight:
            push = (LINE_OF_TEXT - (heights[lower + 1] - heights[lower])) / 2
            heights[lower] -= push
            heights[lower + 1] += push
    names = list(lines)
    for place, number in enumerate(order):
        values = lines[names[number]]
        axes.annotate(
            names[number],
            xy=(xs[last], values[last]),
            xytext=(1.03, heights[place]),
            textcoords="axes fraction",
            va="center",
            color=INK,
            arrowprops={"arrowstyle": "-", "color": SERIES[number], "linewidth": 1, "shrinkA": 2},
            annotation_clip=False,
        )
