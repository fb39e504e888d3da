"""The picture that grows: accuracy on headlines over bytes and over milliseconds, a dot for each model.

Each notebook of part 4 adds its dots to those of the notebooks before it, and the reader's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING, Any, Protocol

from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GUESS = 100 / 9  # percent, of nine categories
#: the models of earlier notebooks that keep their names, so that a reader finds the way back to them
FIXED = ("TF-IDF", "MiniLM", "8 bits, onnxruntime", "3 layers, taught", "bags in 100 kB")
PALE = "#9aa5b0"  # the other models of earlier notebooks
BESIDE = 6.0  # points between a dot and its name up to which no line has to join them
CLEAR = 9.0  # points by which any other dot has to be further from such a name
RADIUS = 4.5  # points around another dot that stay free of lines
GAP = 3.0  # points that stay free around a name

Box = tuple[float, float, float, float]  # left, bottom, right, top


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
    """Draw models up to a notebook: its own in color, the reader's a black diamond, earlier ones gray.

    Names stand beside the notebook's own, the reader's and those of `FIXED`; a line joins a name to its dot
    unless it stands right beside it and no other dot is near.
    """
    if not dots:
        raise ValueError("There are no models to draw: give one or more.")
    with style():
        figure = canvas(12.0, 5.0, "Higher and further left is better: what an accuracy costs")
        left, right = figure.subplots(1, 2)
        for axes, cost, label in (
            (left, "megabytes", "megabytes of the file"),
            (right, "milliseconds", "milliseconds for one text of nine pieces"),
        ):
            axes.set_xscale("log")
            costs = [getattr(dot, cost) for dot in dots]
            axes.set_xlim(min(costs) / 2.5, 2.5 * max(costs))
            for dot in dots:
                _draw_dot(axes, getattr(dot, cost), dot, notebook)
            axes.set(xlabel=label, ylim=(min(dot.accuracy for dot in dots) - 4, 87))
            axes.xaxis.set_major_formatter(lambda cost, _place: f"{cost:,g}")
            axes.grid(axis="both", color=FAINT)
        left.set(ylabel=f"accuracy on headlines, % (a guess: {GUESS:.0f})")
        right.set_yticklabels([])
        figure.draw_without_rendering()  # from here on the places are known
        for axes, cost in ((left, "megabytes"), (right, "milliseconds")):
            _write_names(axes, cost, dots, notebook)
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
    if not dot.notebook:
        marker, color, size = "D", "black", 10.0
    elif dot.notebook == notebook:
        marker, color, size = "o", LIT, 10.5
    else:
        marker, color, size = "o", QUIET if dot.name in FIXED else PALE, 7.0
    axes.plot([cost], [dot.accuracy], marker, color=color, markersize=size, markeredgecolor="white", zorder=3)


def _look_of_name(dot: Dot, notebook: str) -> dict[str, Any]:
    """Gray for the models of earlier notebooks, bold for the reader's own."""
    if dot.notebook not in ("", notebook):
        return {"color": QUIET}
    return {"color": INK, "weight": "normal" if dot.notebook else "bold"}


def _write_names(axes: Axes, cost: str, dots: Sequence[Dot], notebook: str) -> None:
    """Write the names of some dots, each as near to it as no dot, no other name and no line stands."""
    from matplotlib.text import Text

    points = 72 / axes.figure.dpi
    placed = [axes.transData.transform((getattr(dot, cost), dot.accuracy)) * points for dot in dots]
    places = [(float(x), float(y)) for x, y in placed]
    panel = axes.get_window_extent()
    edges = panel.x0 * points, panel.y0 * points, panel.x1 * points, panel.y1 * points
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in places]
    written: list[Box] = []
    named = [
        pair
        for pair in zip(dots, places, strict=True)
        if pair[0].notebook in ("", notebook) or pair[0].name in FIXED
    ]
    for dot, (x, y) in reversed(named):  # the reader's own and the newest stand nearest
        text = axes.annotate(
            f"{dot.name}{' (yours)' * (not dot.notebook)}", (getattr(dot, cost), dot.accuracy), (0, 0),
            textcoords="offset points", fontsize=11, va="center", ha="center", zorder=4,
            arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 4},
            **_look_of_name(dot, notebook),
        )  # fmt: skip
        extent = Text.get_window_extent(text)  # without the line
        half = extent.width * points / 2 + GAP, extent.height * points / 2 + GAP
        others = [place for other, place in zip(dots, places, strict=True) if other is not dot]
        offer, joined = _free_place((x, y), half, [*taken, *written], written, others, edges)
        text.set_position(offer)
        written.append(_box_at((x, y), offer, half))
        if joined:
            written += [(a - 1, b - 1, a + 1, b + 1) for a, b in _line((x, y), offer, half)]
        elif text.arrow_patch is not None:
            text.arrow_patch.set_visible(False)


def _free_place(
    dot: tuple[float, float],
    half: tuple[float, float],
    taken: Sequence[Box],
    written: Sequence[Box],
    others: Sequence[tuple[float, float]],
    edges: Box,
) -> tuple[tuple[float, float], bool]:
    """Where a name's middle may stand, in points from its dot, and whether a line has to join them.

    It is the nearest place that is free, and whose line runs over no other dot or name. half: half of the
    name's width and height; taken: where no name may stand; written: names and lines; others: the other dots.
    """
    wide, high = half
    offers: list[tuple[float, float]] = [
        (side * (wide + 5 + reach), up)
        for reach in (0, 12, 24, 40, 60, 85)
        for side in (1, -1)
        for up in (0, 8, -8, 16, -16, 28, -28, 42, -42, 58, -58, 80, -80)
    ]
    offers += [
        (across, side * (high + 5 + reach))
        for reach in (0, 10, 20, 34, 50, 70, 95)
        for side in (1, -1)
        for across in (0, wide / 2, -wide / 2, wide, -wide, 2 * wide, -2 * wide)
    ]
    offers.sort(key=lambda offer: _apart(offer, half))
    crossing = None  # the nearest free place whose line crosses other lines alone
    for offer in offers:
        box = _box_at(dot, offer, half)
        inside = edges[0] < box[0] and edges[1] < box[1] and box[2] < edges[2] and box[3] < edges[3]
        if not inside or any(_overlap(box, other) for other in taken):
            continue
        if not _has_to_be_joined(dot, offer, half, others):
            return offer, False
        line = _line(dot, offer, half)
        near_a_dot = any(hypot(a - x, b - y) < RADIUS for a, b in line for x, y in others)
        met = [other for a, b in line for other in written if _overlap((a, b, a, b), other)]
        if not near_a_dot and not met:
            return offer, True
        if not near_a_dot and all(right - left < 3 for left, _, right, _ in met):
            crossing = crossing or offer
    return crossing or (0.0, -(high + 5)), True


def _has_to_be_joined(
    dot: tuple[float, float],
    offer: tuple[float, float],
    half: tuple[float, float],
    others: Sequence[tuple[float, float]],
) -> bool:
    """Whether a name is apart from its dot, or so near to another that it could be taken for that one's."""
    away = _apart(offer, half)
    middle = dot[0] + offer[0], dot[1] + offer[1]
    nearest = min(
        (
            _apart((middle[0] - x, middle[1] - y), half)
            for x, y in others
            if hypot(x - dot[0], y - dot[1]) > 1
        ),
        default=float("inf"),
    )
    return away > BESIDE or nearest < away + CLEAR


def _line(
    dot: tuple[float, float], offer: tuple[float, float], half: tuple[float, float]
) -> list[tuple[float, float]]:
    """Points of the line from a dot to its name's middle, from the dot's edge to that of the name."""
    length = hypot(*offer)
    points = [
        (dot[0] + offer[0] * step / length, dot[1] + offer[1] * step / length)
        for step in range(4, int(length))
    ]
    left, bottom, right, top = _box_at(dot, offer, half)
    return [(a, b) for a, b in points if not (left < a < right and bottom < b < top)]


def _box_at(dot: tuple[float, float], offer: tuple[float, float], half: tuple[float, float]) -> Box:
    """The box of a name whose middle stands so far from its dot."""
    x, y = dot[0] + offer[0], dot[1] + offer[1]
    return x - half[0], y - half[1], x + half[0], y + half[1]


def _apart(offer: tuple[float, float], half: tuple[float, float]) -> float:
    """How far the edge of a name lies from its dot, in points."""
    gaps = (abs(place) - size for place, size in zip(offer, half, strict=True))
    return float(hypot(*(max(gap, 0.0) for gap in gaps)))


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
