"""The picture that grows: accuracy on headlines over bytes and over milliseconds, a dot for each model.

Each notebook of part 4 adds its dots to those of the notebooks before it, and the reader's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GUESS = 100 / 9  # percent, of nine categories
CHARACTER, LINE = 5.6, 13.0  # points that a name takes: each letter, and its height


class Dot(Protocol):
    """A model as it is drawn; notebook is "" of the reader's own."""

    @property
    def name(self) -> str: ...
    @property
    def notebook(self) -> str: ...
    @property
    def megabytes(self) -> float: ...
    @property
    def milliseconds(self) -> float: ...
    @property
    def accuracy(self) -> float:
        """In percent."""


def draw_frontier(dots: Sequence[Dot], notebook: str) -> tuple[Figure, str]:
    """Draw models up to a notebook: earlier ones gray, its own in color, the reader's a black diamond."""
    if not dots:
        raise ValueError("There are no models to draw: give one or more.")
    with style():
        figure = canvas(11.5, 4.6, "Higher and further left is better: what an accuracy costs")
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, cost, label in (
            (left, "megabytes", "megabytes of the file"),
            (right, "milliseconds", "milliseconds for one text of nine pieces"),
        ):
            axes.set_xscale("log")
            costs = [getattr(dot, cost) for dot in dots]
            axes.set_xlim(min(costs) / 2.5, 2.5 * max(costs))
            for dot in dots:
                _draw_dot(axes, getattr(dot, cost), dot, notebook)
            axes.set(xlabel=label, ylim=(min(dot.accuracy for dot in dots) - 6, 90))
            axes.xaxis.set_major_formatter(lambda cost, _place: f"{cost:,g}")
            axes.grid(axis="both", color=FAINT)
        left.set(ylabel=f"accuracy on headlines, % (a guess: {GUESS:.0f})")
        figure.draw_without_rendering()  # from here on the places are known
        for axes, cost in ((left, "megabytes"), (right, "milliseconds")):
            _write_names(axes, cost, dots, notebook)
    said = [
        f"{dot.name}{' (yours)' * (not dot.notebook)} {dot.accuracy:.1f}% at {dot.megabytes:.1f} MB and "
        f"{dot.milliseconds:.1f} ms"
        for dot in dots
    ]
    now = [dot.name for dot in dots if dot.notebook == notebook]
    return figure, (
        "Accuracy on headlines over megabytes of the file and over milliseconds for one text of nine pieces. "
        f"{'; '.join(said)}. New in this notebook: {', '.join(now) or 'none'}. A guess: {GUESS:.0f}%."
    )


def _draw_dot(axes: Axes, cost: float, dot: Dot, notebook: str) -> None:
    marker, color, size = ("o", QUIET, 6.5)
    if dot.notebook == notebook:
        marker, color, size = "o", LIT, 9.5
    elif not dot.notebook:
        marker, color, size = "D", "black", 9.5
    axes.plot([cost], [dot.accuracy], marker, color=color, markersize=size, markeredgecolor="white", zorder=3)


def _write_names(axes: Axes, cost: str, dots: Sequence[Dot], notebook: str) -> None:
    """Write each name beside its dot, to the side and height where no other stands."""
    points = 72 / axes.figure.dpi
    places = {dot: axes.transData.transform((getattr(dot, cost), dot.accuracy)) * points for dot in dots}
    left, right = (axes.transAxes.transform((end, 0))[0] * points for end in (0, 1))
    taken = [(x - 6, x + 6, y) for x, y in places.values()]
    for dot in sorted(dots, key=lambda dot: (bool(dot.notebook), dot.notebook != notebook)):
        x, y = places[dot]
        width = CHARACTER * len(dot.name)
        offers = [(side, lift) for lift in (0, 9, -9, 16, -16, 24, -24, 32, -32, 40, -40) for side in (1, -1)]
        for side, lift in offers:
            start = x + 8 if side > 0 else x - 8 - width
            fits = left < start and start + width < right
            if fits and not any(
                start < end and begin < start + width and abs(y + lift - height) < LINE - 2
                for begin, end, height in taken
                if (begin, end, height) != (x - 6, x + 6, y)
            ):
                break
        taken.append((start, start + width, y + lift))
        is_old = dot.notebook not in ("", notebook)
        axes.annotate(
            dot.name, (getattr(dot, cost), dot.accuracy), (8 * side, lift), textcoords="offset points",
            fontsize=9 if is_old else 10.5, color=QUIET if is_old else INK, va="center",
            ha="left" if side > 0 else "right",
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.8} if abs(lift) > LINE else None,
        )  # fmt: skip
