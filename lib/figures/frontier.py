"""The picture that grows: accuracy on headlines over bytes and over milliseconds, a dot for each model.

Each notebook of part 4 adds its dots to those of the notebooks before it, and the reader's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GUESS = 100 / 9  # percent, of nine categories
WIDE, HIGH = 14.0, 10.0  # points that a number takes
#: where a number may stand, in points from its dot, the best place first
OFFERS = [
    (14.5, 0), (-14.5, 0), (0, 13), (0, -13), (11, 11), (-11, 11), (11, -11), (-11, -11), (0, 23), (0, -23),
    (25, 0), (-25, 0), (19, 15), (-19, 15), (19, -15), (-19, -15), (0, 33), (0, -33),
    (38, 0), (-38, 0), (32, 15), (-32, 15), (32, -15), (-32, -15),
]  # fmt: skip


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
    """Draw models up to a notebook: earlier ones gray, its own in color, the reader's a black diamond.

    Each dot has a number, and a key at the right has the names: beside the dots they would hide each other.
    """
    if not dots:
        raise ValueError("There are no models to draw: give one or more.")
    with style():
        figure = canvas(12.0, 4.6, "Higher and further left is better: what an accuracy costs")
        left, right, key = figure.subplots(1, 3, width_ratios=(4, 4, 2.1))
        for axes, cost, label in (
            (left, "megabytes", "megabytes of the file"),
            (right, "milliseconds", "milliseconds for one text of nine pieces"),
        ):
            axes.set_xscale("log")
            costs = [getattr(dot, cost) for dot in dots]
            axes.set_xlim(min(costs) / 2, 2 * max(costs))
            for dot in dots:
                _draw_dot(axes, getattr(dot, cost), dot, notebook)
            axes.set(xlabel=label, ylim=(min(dot.accuracy for dot in dots) - 4, 86))
            axes.xaxis.set_major_formatter(lambda cost, _place: f"{cost:,g}")
            axes.grid(axis="both", color=FAINT)
        left.set(ylabel=f"accuracy on headlines, % (a guess: {GUESS:.0f})")
        right.set_yticklabels([])
        _write_key(key, dots, notebook)
        figure.draw_without_rendering()  # from here on the places are known
        for axes, cost in ((left, "megabytes"), (right, "milliseconds")):
            _write_numbers(axes, cost, dots, notebook)
    phrases = [
        f"{dot.name}{' (yours)' * (not dot.notebook)} {dot.accuracy:.1f}% at {dot.megabytes:.1f} MB and "
        f"{dot.milliseconds:.1f} ms"
        for dot in dots
    ]
    now = [dot.name for dot in dots if dot.notebook == notebook]
    return figure, (
        "Accuracy on headlines over megabytes of the file and over milliseconds for one text of nine pieces. "
        f"{'; '.join(phrases)}. New in this notebook: {', '.join(now) or 'none'}. A guess: {GUESS:.0f}%."
    )


def _draw_dot(axes: Axes, cost: float, dot: Dot, notebook: str) -> None:
    marker, color, size = ("o", QUIET, 6.5)
    if dot.notebook == notebook:
        marker, color, size = "o", LIT, 9.5
    elif not dot.notebook:
        marker, color, size = "D", "black", 9.5
    axes.plot([cost], [dot.accuracy], marker, color=color, markersize=size, markeredgecolor="white", zorder=3)


def _look_of_text(dot: Dot, notebook: str) -> dict[str, Any]:
    """Gray for the models of earlier notebooks, bold for the reader's own."""
    if dot.notebook not in ("", notebook):
        return {"color": QUIET}
    return {"color": INK, "weight": "normal" if dot.notebook else "bold"}


def _write_key(axes: Axes, dots: Sequence[Dot], notebook: str) -> None:
    """The number and the name of each dot, one under the other."""
    axes.set_axis_off()
    for number, dot in enumerate(dots, start=1):
        words = f"{number}  {dot.name}{' (yours)' * (not dot.notebook)}"
        height = 1 - (number - 0.5) / max(len(dots), 12)
        axes.text(-0.06, height, words, va="center", fontsize=10.5, **_look_of_text(dot, notebook))


def _write_numbers(axes: Axes, cost: str, dots: Sequence[Dot], notebook: str) -> None:
    """Write each dot's number beside it, where no dot and no other number stands."""
    points = 72 / axes.figure.dpi
    places = [axes.transData.transform((getattr(dot, cost), dot.accuracy)) * points for dot in dots]
    taken = [(x, y) for x, y in places]
    numbered = list(enumerate(zip(dots, places, strict=True), start=1))
    for number, (dot, (x, y)) in reversed(numbered):  # the reader's own and the newest stand nearest
        offer = next(
            (
                (across, up)
                for across, up in OFFERS
                if not any(abs(x + across - a) < WIDE and abs(y + up - b) < HIGH for a, b in taken)
            ),
            OFFERS[0],
        )
        taken.append((x + offer[0], y + offer[1]))
        axes.annotate(
            str(number), (getattr(dot, cost), dot.accuracy), offer, textcoords="offset points",
            fontsize=10, va="center", ha="center", **_look_of_text(dot, notebook),
        )  # fmt: skip
