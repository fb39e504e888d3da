"""The drawings of notebook 27: the worth of heads, rules for layers, and a pruned layer."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# What every head is worth: all of them as a map, and the estimate beside what its absence really does.


def draw_head_worth(estimate: Any, change: Any, title: str | None = None) -> tuple["Figure", str]:
    """Draw the estimates [L, H] as a map, dark where a head is worth much, and a dot for each head.

    change: [L, H], by how much the loss differs without a head, of which the size counts. The dots have
    logarithmic axes, since heads differ by orders of magnitude, and a line where both are equal.
    """
    worth, moved = _tables(estimate, change)
    with style():
        figure = canvas(10.4, 3.9, title)
        left, right = figure.subplots(1, 2, width_ratios=(1.5, 1.0))
        left.imshow(worth / worth.max(), cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (layer, head), value in _every(worth):
            share = value / worth.max()
            ink = "white" if share > 0.6 else INK
            left.text(head, layer, f"{100 * share:.0f}", ha="center", va="center", color=ink, fontsize=10)
        left.set(xlabel="head", ylabel="layer", title="estimate, % of the largest")
        left.set_xticks(range(worth.shape[1]))
        left.set_yticks(range(worth.shape[0]))
        left.tick_params(length=0)
        left.spines[:].set_visible(False)
        right.plot(worth.ravel(), moved.ravel(), "o", color=LIT, alpha=0.7, markersize=5)
        both_ways = [max(worth.min(), moved.min()), min(worth.max(), moved.max())]
        right.plot(both_ways, both_ways, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
        right.set(xscale="log", yscale="log", xlabel="estimate", ylabel="|change of the loss| without it")
        right.set_title("a dot for each head; dashed: equal")
        right.grid(color=QUIET, alpha=0.2)
    ranked = sorted(_every(worth), key=lambda one: one[1])

    def in_words(place: tuple[int, int]) -> str:
        return f"layer {place[0]}, head {place[1]} (loss {moved[place]:.4f} other without it)"

    few = max(1, worth.size // 4)
    needed = {place for place, _ in sorted(_every(moved), key=lambda one: -one[1])[:few]}
    shared = len(needed & {place for place, _ in ranked[-few:]})
    description = (
        f"{worth.size} heads. The largest estimate is of {in_words(ranked[-1][0])}, the smallest of"
        f" {in_words(ranked[0][0])}. Of the {few} heads that change the loss most, {shared} are among"
        f" the {few} largest estimates."
    )
    return figure, description


def _every(table: Array) -> list[tuple[tuple[int, int], float]]:
    rows, columns = table.shape
    return [((row, column), float(table[row, column])) for row in range(rows) for column in range(columns)]


def _tables(estimate: Any, change: Any) -> tuple[Array, Array]:
    worth, moved = to_array(estimate, "estimate", "L, H"), abs(to_array(change, "change", "L, H"))
    if worth.shape != moved.shape:
        raise ValueError(
            f"There are {worth.shape} estimates and {moved.shape} changes; give one for each head."
        )
    if worth.min() <= 0:
        raise ValueError("An estimate is not above 0; a logarithmic axis has no place for it.")
    return worth, moved.clip(min=1e-7)


# ---------------------------------------------------------------------------------------------
# Which layers each rule keeps, and what that costs before and after training.


def draw_layer_rules(
    kept: Mapping[str, Sequence[int]],
    num_layers: int,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    xlabel: str,
    title: str | None = None,
    whole: float | None = None,
) -> tuple["Figure", str]:
    """Draw a row for each rule: the layers that stay, dark, the first at the left, and what is reached.

    before, after: a number for each rule, or one for each seed, of which the mean is marked, an open dot and
    a full one, and a line goes from the lowest to the highest. whole: the same of all layers.
    """
    rows = _rows(kept, num_layers, before, after)
    places = np.arange(len(rows))
    with style():
        figure = canvas(10.2, 1.5 + 0.42 * len(rows), title)
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(0.8, 1.6))
        for place, (name, (first, second)) in enumerate(rows.items()):
            for layer in range(num_layers):
                left.add_patch(_square(layer, place, layer in kept[name]))
            for values, face, offset in ((first, "white", -0.14), (second, LIT, 0.14)):
                right.hlines(
                    place + offset, values.min(), values.max(), color=SERIES[2], linewidth=5, alpha=0.4
                )
                right.plot(
                    values.mean(), place + offset, "o", markerfacecolor=face, markeredgecolor=LIT,
                    markersize=8, markeredgewidth=1.8,
                )  # fmt: skip
        left.set(xlim=(-0.6, num_layers - 0.4), ylim=(len(rows) - 0.5, -0.5), xlabel="layers that stay")
        left.set_xticks(range(num_layers))
        left.set_yticks(places, list(rows))
        for axes in (left, right):
            axes.tick_params(length=0)
        left.spines[:].set_visible(False)
        right.grid(axis="x")
        right.set_xlabel(f"{xlabel} (open: before training; full: after)")
        if whole is not None:
            right.axvline(whole, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            right.text(
                whole, 1.01, f"all layers {whole:.1f}", ha="right", va="bottom", fontsize=10,
                transform=right.get_xaxis_transform(),
            )  # fmt: skip
    phrases = [
        f"{name} keeps {', '.join(map(str, kept[name]))}:"
        f" {first.mean():.1f} before, {second.mean():.1f} after"
        for name, (first, second) in rows.items()
    ]
    return figure, "; ".join(phrases) + "."


def _square(layer: int, place: int, stays: bool) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(
        (layer - 0.4, place - 0.3), 0.8, 0.6, facecolor=LIT if stays else "white", edgecolor=FAINT,
        linewidth=1.2,
    )  # fmt: skip


def _rows(
    kept: Mapping[str, Sequence[int]], num_layers: int, before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, tuple[Array, Array]]:
    if not kept or not set(before) == set(after) == set(kept):
        raise ValueError(
            "Give the layers that stay, and what is reached before and after, of the same rules."
        )
    for name, layers in kept.items():
        if not all(0 <= layer < num_layers for layer in layers):
            raise ValueError(f"{name!r} keeps a layer that is not there: they are 0 to {num_layers - 1}.")
    return {
        name: (np.atleast_1d(np.asarray(before[name], float)), np.atleast_1d(np.asarray(after[name], float)))
        for name in kept
    }


# ---------------------------------------------------------------------------------------------
# The six matrices of a layer, and which rows and columns of them leave with a part.

WIDTH, HEIGHT, SCALE = 10.8, 4.1, 1.25  # inches, and inches for the hidden size
GONE = ("heads", "neurons", "features")
#: what a matrix loses: its rows with one part, its columns with another
LOSSES = {
    "query": ("heads", "features"),
    "key": ("heads", "features"),
    "value": ("heads", "features"),
    "attention output": ("features", "heads"),
    "feed-forward in": ("neurons", "features"),
    "feed-forward out": ("features", "neurons"),
}
COLORS = {"heads": SERIES[1], "neurons": SERIES[3], "features": SERIES[4]}
HATCHED = {"heads": "///", "neurons": "\\\\\\", "features": "..."}


def draw_pruned_layer(shares: Mapping[str, float], neurons: float, title: str) -> tuple["Figure", str]:
    """Draw the matrices of a layer, rows (outputs) downward, and shade what leaves them, and say it in words.

    shares: of "heads", "neurons" and "features", how large a share goes; what is missing stays. neurons: how
    many times as many neurons as features a layer has. Rows and columns that go are put together at the end.
    """
    _check(shares)
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    high, wide = SCALE, SCALE * min(neurons, 2.2)  # a feed-forward matrix is drawn shorter than it is
    places = {
        "query": (0.5, 2.1, SCALE, high),
        "key": (2.1, 2.1, SCALE, high),
        "value": (3.7, 2.1, SCALE, high),
        "attention output": (2.1, 0.35, SCALE, high),
        "feed-forward in": (5.7, 0.75, SCALE, wide),
        "feed-forward out": (7.6, 1.5, wide, high),
    }
    for name, place in places.items():
        _draw_matrix(page, name, place, shares)
    for number, part in enumerate(part for part in GONE if shares.get(part)):
        y = 0.85 - 0.27 * number
        _shade(page, (7.7, y - 0.08, 0.32, 0.17), part)
        page.text(8.15, y, f"goes with {part}: {shares[part]:.0%}", ha="left", fontsize=10)
    phrases = []
    for name, (rows, columns) in LOSSES.items():
        lost = [
            f"{shares[part]:.0%} of its {what} with {part}"
            for what, part in (("rows", rows), ("columns", columns))
            if shares.get(part)
        ]
        phrases.append(f"{name}: {' and '.join(lost) or 'loses nothing'}")
    return page.figure, f"The six matrices of a layer. {'; '.join(phrases)}."


def _draw_matrix(
    page: Schematic, name: str, place: tuple[float, float, float, float], shares: Mapping[str, float]
) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    page.axes.add_patch(
        Rectangle((left, bottom), width, height, facecolor=TINT, edgecolor=LIT, linewidth=1.2)
    )
    rows, columns = LOSSES[name]
    if gone := shares.get(rows, 0.0):
        _shade(page, (left, bottom, width, height * gone), rows)  # the last rows stand at the foot
    if gone := shares.get(columns, 0.0):
        _shade(page, (left + width * (1 - gone), bottom, width * gone, height), columns)
    page.text(left + width / 2, bottom + height + 0.14, name, color=INK, fontsize=10)


def _shade(page: Schematic, place: tuple[float, float, float, float], part: str) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": COLORS[part], "hatch": HATCHED[part]}
    page.axes.add_patch(Rectangle((left, bottom), width, height, linewidth=1.0, alpha=0.85, **look))
    page.axes.plot([left, left + width], [bottom + height] * 2, color=QUIET, linewidth=0.6)


def _check(shares: Mapping[str, float]) -> None:
    if unknown := sorted(set(shares) - set(GONE)):
        raise ValueError(f"{unknown[0]!r} is no part of a layer that can go; use {', '.join(GONE)}.")
    if not shares or not all(0 < share < 1 for share in shares.values()):
        raise ValueError("Give the share of at least one part that goes, between 0 and 1.")
