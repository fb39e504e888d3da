"""The roofline: how fast a layer runs, under the roof that memory and multiplications put over it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Point(NamedTuple):
    """The seconds of a layer that reads so many rows: at least, by the roof, and as two clocks have it."""

    rows: int
    least: float
    cached: float  # with weights that lie in the cache
    fetched: float  # with weights that come from memory

    @property
    def name(self) -> str:
        """Such as "1 row", or "1,024 rows"."""
        return f"{self.rows:,} row{'s' * (self.rows > 1)}"


def draw_roofline(
    points: Sequence[Point], seconds_of: Callable[[int], float], few: int = 9
) -> tuple["Figure", str]:
    """Draw a layer's speed over its rows, in percent of the roof's flat part, under the roof.

    seconds_of(rows): what the roof allows; it is flat where the most rows are. few: the rows whose distance
    from the roof is told, and which are compared with the most.
    """
    short, long = _pair(points, few)
    rows = np.unique(np.geomspace(1, long.rows, 200).astype(int))
    fastest = long.rows / long.least  # rows a second
    roof = np.array([100 * int(number) / seconds_of(int(number)) / fastest for number in rows])
    ridge = rows[np.argmax(roof > 99.5)]
    below = short.fetched / short.least
    title = (
        f"{long.name} against {short.rows}: {long.least / short.least:,.0f} times as long by the roof,"
        f" {long.fetched / short.fetched:,.0f} by the clock"
    )
    with style():
        figure = canvas(9.2, 4.6, title)
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", xlim=(0.7, 1.6 * long.rows), ylim=(1.5, 220))
        axes.axvspan(0.7, ridge, color=TINT, linewidth=0, zorder=0)
        axes.plot(rows, roof, color=INK, linewidth=2.2, label="the roof")
        for x, words in (
            ((0.7 * ridge) ** 0.5, "fetching\ntakes longer"),
            ((ridge * 1.6 * long.rows) ** 0.5, "multiplying takes longer"),
        ):
            axes.text(x, 1.75, words, ha="center", va="bottom", color=QUIET)
        places = [one.rows for one in points]
        axes.plot(
            places, [_percent(one, one.cached, fastest) for one in points], "^", color="white",
            markeredgecolor=INK, markersize=9, label="weights cached", zorder=4,
        )  # fmt: skip
        axes.plot(
            places, [_percent(one, one.fetched, fastest) for one in points], "o", color=SERIES[1],
            markeredgecolor=INK, markersize=8, label="weights fetched", zorder=5,
        )  # fmt: skip
        for one in points:
            axes.annotate(
                one.name, (one.rows, _percent(one, one.fetched, fastest)), (9, -5),
                textcoords="offset points", fontsize=10.5, color=INK, va="top",
            )  # fmt: skip
        top, bottom = _percent(short, short.least, fastest), _percent(short, short.fetched, fastest)
        axes.annotate(
            "", (short.rows, 1.1 * bottom), (short.rows, top),
            arrowprops={"arrowstyle": "->", "color": LIT, "linewidth": 1.6}, zorder=3,
        )  # fmt: skip
        axes.annotate(
            f"{below:.1f} times slower\nthan allowed", (short.rows, bottom), (8, 12),
            textcoords="offset points", color=LIT,
        )  # fmt: skip
        axes.set_xticks(places, [f"{number:,}" for number in places])
        axes.set_yticks([2, 5, 10, 20, 50, 100], ["2", "5", "10", "20", "50", "100"])
        axes.minorticks_off()
        axes.set(xlabel="rows that the layer reads", ylabel="speed, the roof's best = 100")
        axes.grid(color=FAINT)
        axes.legend(loc="center right")
    sentences = [
        f"{one.name}: at most {_percent(one, one.least, fastest):.0f}, with weights fetched"
        f" {_percent(one, one.fetched, fastest):.0f}, cached {_percent(one, one.cached, fastest):.0f}."
        for one in points
    ]
    alt = (
        f"{title}. A roof over the speed of a layer, its best = 100, flat from about {ridge} rows on."
        f" {' '.join(sentences)} {short.name} run {below:.1f} times slower than the roof allows."
    )
    return figure, alt


def tabulate_roof(
    points: Sequence[Point], whole: float, few: int = 9
) -> tuple[dict[str, list[Any]], str, int]:
    """What a call takes at least, with cached and with fetched weights; last, the most rows beside few.

    whole: the seconds that are told as 100.
    """
    short, long = _pair(points, few)
    columns: dict[str, list[Any]] = {"rows": [f"{one.rows:,}" for one in points]}
    for title, at in (("by the roof", 1), ("weights cached", 2), ("weights fetched", 3)):
        columns[title] = [f"{100 * one[at] / whole:.1f}" for one in points]
        columns[title].append(f"{long[at] / short[at]:.0f} times")
    columns["fetched - cached"] = [f"{100 * (one.fetched - one.cached) / whole:.1f}" for one in points]
    columns["fetched - cached"].append("")
    columns["rows"].append(f"{long.rows:,} against {short.rows}")
    return columns, "Time of one layer; whole MiniLM, for one text of 9, takes 100", 1


def _percent(point: Point, seconds: float, fastest: float) -> float:
    """How fast, of 100."""
    return 100 * point.rows / seconds / fastest


def _pair(points: Sequence[Point], few: int) -> tuple[Point, Point]:
    """The point of few rows, and that of the most."""
    chosen = [one for one in points if one.rows == few]
    if not chosen:
        raise ValueError(f"No layer reads {few} rows: give such a one, and others.")
    for one in points:
        for number in one[1:]:
            if not 0 < number < float("inf"):
                raise ValueError(f"{one.name}: {number:g} seconds; give finite numbers above 0.")
    return chosen[0], max(points, key=lambda point: point.rows)
