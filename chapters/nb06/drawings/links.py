"""Drawings for several heads: how features are cut into them, and where one of them points."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_chosen, check_tokens, to_array
from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTER = 0.108  # inches, of a word's letters at 12 points
LONGEST = 11.0  # inches
LEAST = 0.1  # of a word's whole attention: arcs of less are left out


def draw_links(words: Sequence[str], weights: Any, lit: int, title: str | None = None) -> "Figure":
    """Draw an arc from each word to the other word it looks at most, in one head, if that gets a tenth.

    `weights` is `[W, W]`: row i holds what word i looks at. Arcs are as thick as their weight; those to
    word number `lit` are dark, and the words they come from are underlined. Sentences longer than a page
    is wide, about 80 letters, and shapes that do not fit raise a ValueError.
    """
    table, names, looks = _looks(words, weights, lit)
    widths = np.array([LETTER * len(name) for name in names])
    gap = 0.22
    middles = np.cumsum(widths + gap) - widths / 2 - gap  # of each word, in inches
    length = float(middles[-1] + widths[-1] / 2)
    if length > LONGEST:
        raise ValueError(f"A sentence of {len(names)} words is too long to draw; give a shorter one.")
    tops = {place: 0.1 + 0.3 * abs(middles[place] - middles[there]) for place, there in looks.items()}
    tallest = 0.15 + max(tops.values(), default=0.0)
    with style():
        margin = 0.25
        width, height = max(3.4, length + 2 * margin), tallest + 0.75 + (0.4 if title else 0.0)
        figure = canvas(width, height, title)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0.0, 0.0, 1.0, (tallest + 0.75) / height))
        axes.set(xlim=(-margin, width - margin), ylim=(-0.45, tallest + 0.3))
        axes.axis("off")
        for place, name in enumerate(names):
            bold = "bold" if place == lit else "normal"
            axes.text(middles[place], 0, name, ha="center", va="center", fontsize=12, weight=bold, color=INK)
            if looks.get(place) == lit:
                half = widths[place] / 2
                ends = middles[place] - half, middles[place] + half
                axes.plot(ends, [-0.2, -0.2], color=LIT, linewidth=3.5, solid_capstyle="butt")
        for place, there in sorted(looks.items(), key=lambda arc: arc[1] == lit):  # what is lit on top
            weight = float(table[place, there])
            _draw_arc(axes, middles[place], middles[there], tops[place], weight, there == lit)
    return figure


def describe_links(words: Sequence[str], weights: Any, lit: int) -> str:
    """Say in words what `draw_links` shows."""
    table, names, looks = _looks(words, weights, lit)
    lined = [f"{names[place]} ({table[place, lit]:.2f})" for place, there in looks.items() if there == lit]
    others = [
        f"{names[place]} to {names[there]} ({table[place, there]:.2f})"
        for place, there in looks.items()
        if there != lit
    ]
    return (
        "An arc from each word to the other word it looks at most, where that gets a tenth of its attention. "
        f"To {names[lit]} come those of {', '.join(lined) or 'no word'}, underlined. "
        f"The others: {', '.join(others) or 'none'}."
    )


def draw_split(
    vectors: Any, cuts: Mapping[str, Any], tokens: Sequence[str], title: str | None = None
) -> "Figure":
    """Draw how the features of some tokens are cut into heads, each number on its token's shade.

    `vectors` is `[T, D]`, no two numbers alike; `cuts` maps a name to one way of cutting it, `[H, T, K]`.
    Their tokens are named beside the vectors; the heads have row numbers, since a row of a wrong cut is
    no token's. A head in which tokens are mixed shows several shades in a row.
    """
    table = to_array(vectors, "vectors", "T, D")
    names = check_tokens(tokens, len(table), "rows")
    heads = {name: to_array(cut, name, "H, T, K") for name, cut in cuts.items()}
    owner = {float(value): row for row, values in enumerate(table) for value in values}
    if len(owner) != table.size or any(
        float(value) not in owner for cut in heads.values() for value in cut.flat
    ):
        raise ValueError("Every number of vectors should stand in it once, and cuts hold no other numbers.")
    panels = [
        ("before\nthe cut", table),
        *((f"{name}\nhead {h}", part) for name, cut in heads.items() for h, part in enumerate(cut)),
    ]
    with style():
        left = 0.1 * max(map(len, names)) + 0.1
        columns = [part.shape[1] for _, part in panels]
        height = 0.34 * len(table) + (1.1 if title else 0.75)
        figure = canvas(left + 0.42 * sum(columns) + 0.75 * len(panels), height, title)
        grid = figure.subplots(1, len(panels), squeeze=False, width_ratios=columns)[0]
        for place, (axes, (name, part)) in enumerate(zip(grid, panels, strict=True)):
            owners = np.vectorize(lambda value: owner[float(value)])(part)  # [T, K]
            shades = owners / max(1, len(table) - 1) * 0.75
            axes.imshow(shades, cmap="Blues", vmin=0, vmax=1, aspect="auto")
            for (row, column), value in np.ndenumerate(part):
                dark = shades[row, column] > 0.6
                axes.text(
                    column, row, f"{value:g}", ha="center", va="center", fontsize=10.5,
                    color="white" if dark else INK,
                )  # fmt: skip
            axes.set_title(name, fontsize=10.5, loc="center")
            rows = names if place == 0 else [f"row {row}" for row in range(len(part))]
            axes.set_yticks(range(len(part)), rows, fontsize=10.5 if place == 0 else 9)
            axes.set_xticks([])
            axes.tick_params(length=0)
            axes.spines[:].set(visible=True, color=FAINT)
    return figure


def _looks(words: Sequence[str], weights: Any, lit: int) -> tuple[Array, list[str], dict[int, int]]:
    """The weights, the words, and for each word that has one: the other word that gets most, and enough."""
    table = to_array(weights, "weights", "W, W")
    names = check_tokens(words, len(table), "rows")
    check_chosen([lit], len(names), "lit")
    others = np.where(np.eye(len(table), dtype=bool), -1.0, table)
    most = {place: int(row.argmax()) for place, row in enumerate(others)}
    return table, names, {place: there for place, there in most.items() if others[place, there] >= LEAST}


def _draw_arc(axes: "Axes", start: float, end: float, top: float, weight: float, lit: bool) -> None:
    """Half an ellipse from one word up and over to another, an arrow's head at its end."""
    angle = np.linspace(0, np.pi, 60)
    xs = (start + end) / 2 + (start - end) / 2 * np.cos(angle)
    ys = 0.2 + top * np.sin(angle)
    color, above = (LIT, 3) if lit else (QUIET, 2)
    wide = 0.5 + 3.5 * weight
    axes.plot(xs, ys, color=color, linewidth=wide, zorder=above, alpha=1.0 if lit else 0.45)
    axes.plot(
        xs[-1], ys[-1], "v", color=color, markersize=4 + wide, zorder=above + 1, alpha=1.0 if lit else 0.6
    )
