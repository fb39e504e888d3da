"""All maps of a two-layer student: what each scored, as a table, and in order with all of its seeds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .attention import SHADES
from .style import FAINT, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Map = tuple[int, int]
MOST_MAPS = 40


def draw_map_table(
    scores: Mapping[Map, Any],
    title: str,
    unit: str,
    digits: int = 1,
    limits: tuple[float, float] | None = None,
) -> "Figure":
    """Draw a cell for each map (layer that teaches the first, and the second; 0: none) with its mean.

    `scores` maps a pair to the numbers of its seeds. The best is framed, and so is (0, 0), the map without
    any teaching inside. Cells of maps that are not there stay empty. `limits` are the scores of the lightest
    and the darkest shade; fix them where pictures are to be compared.
    """
    rows = _checked(scores)
    means = {pair: float(values.mean()) for pair, values in rows.items()}
    low, high = limits or (min(means.values()), max(means.values()))
    size = 1 + max(max(pair) for pair in rows)
    table = np.full((size, size), np.nan)
    for pair, mean in means.items():
        table[pair] = mean
    with style():
        figure = canvas(7.4, 0.52 * size + 1.5, title)
        axes = figure.subplots()
        image = axes.imshow(table, cmap=SHADES, vmin=low, vmax=high, aspect="auto")
        for (first, second), mean in means.items():
            dark = high > low and (mean - low) / (high - low) > 0.55
            axes.text(
                second, first, f"{mean:.{digits}f}", ha="center", va="center", fontsize=10.5,
                color="white" if dark else INK,
            )  # fmt: skip
        for pair, line in ((max(means, key=lambda one: means[one]), "-"), ((0, 0), (0, (3, 2)))):
            if pair in means:
                _frame(axes, pair, line)
        names = ["none", *map(str, range(1, size))]
        axes.set_xticks(range(size), names)
        axes.set_yticks(range(size), names)
        axes.tick_params(length=0)
        axes.spines[:].set(visible=True, color=FAINT)
        axes.set_xlabel("teaches the student's layer 2   (framed: the best; dashed: no layer teaches)")
        axes.set_ylabel("teaches the student's layer 1")
        bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
        bar.set_label(unit, color=QUIET)
        bar.outline.set_visible(False)
    return figure


def describe_map_table(scores: Mapping[Map, Any], unit: str, digits: int = 1) -> str:
    """Say in words what `draw_map_table` shows."""
    rows = _checked(scores)
    means = {pair: float(values.mean()) for pair, values in rows.items()}
    ranked = sorted(means, key=lambda pair: -means[pair])
    told = ", ".join(f"{_name(pair)} {means[pair]:.{digits}f}" for pair in ranked)
    return f"{len(rows)} maps of a student of two layers by their mean, {unit}, best first: {told}."


def draw_map_seeds(scores: Mapping[Map, Any], title: str, unit: str) -> "Figure":
    """Draw the maps from the lowest mean to the highest, with a mark for each seed, a line for the mean."""
    rows = _checked(scores)
    ranked = sorted(rows, key=lambda pair: float(rows[pair].mean()))
    seeds = {len(values) for values in rows.values()}
    if len(seeds) != 1 or max(seeds) > len(SERIES):
        raise ValueError(f"Give each map equally many seeds, {len(SERIES)} at most.")
    with style():
        figure = canvas(9.6, 4.0, title)
        axes = figure.subplots()
        places = np.arange(len(ranked))
        for seed in range(seeds.pop()):
            values = [rows[pair][seed] for pair in ranked]
            axes.plot(
                places, values, linestyle="none", marker="os^DvP"[seed], color=SERIES[seed], markersize=5.5,
                label=f"seed {seed}",
            )  # fmt: skip
        axes.plot(places, [rows[pair].mean() for pair in ranked], color=INK, linewidth=1.6, label="mean")
        axes.set_xticks(places, [_name(pair) for pair in ranked], rotation=90)
        axes.set_ylabel(unit)
        axes.grid(axis="y")
        axes.tick_params(axis="x", length=0)
        axes.margins(x=0.02)
        figure.legend(loc="outside lower center", ncols=5)
    return figure


def describe_map_seeds(scores: Mapping[Map, Any], unit: str, digits: int = 1) -> str:
    """Say in words what `draw_map_seeds` shows: the ends of the order, and how far seeds are apart."""
    rows = _checked(scores)
    ranked = sorted(rows, key=lambda pair: float(rows[pair].mean()))
    apart = sorted(float(values.max() - values.min()) for values in rows.values())
    ends = [
        f"{_name(pair)} {rows[pair].mean():.{digits}f} ({rows[pair].min():.{digits}f} to"
        f" {rows[pair].max():.{digits}f})"
        for pair in (ranked[0], ranked[-1])
    ]
    return (
        f"{len(rows)} maps in order of their mean, {unit}: the lowest {ends[0]}, the highest {ends[1]}. Two"
        f" seeds of one map are up to {apart[-1]:.{digits}f} apart, at the median"
        f" {apart[len(apart) // 2]:.{digits}f}."
    )


def _frame(axes: Any, pair: Map, line: Any) -> None:
    from matplotlib.patches import Rectangle

    corner = (pair[1] - 0.46, pair[0] - 0.46)
    axes.add_patch(
        Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=SERIES[1], linewidth=2.4, linestyle=line)
    )


def _name(pair: Map) -> str:
    return f"{pair[0]},{pair[1]}"


def _checked(scores: Mapping[Map, Any]) -> dict[Map, Array]:
    if not 2 <= len(scores) <= MOST_MAPS or any(len(pair) != 2 or min(pair) < 0 for pair in scores):
        raise ValueError(f"Give 2 to {MOST_MAPS} maps, each a pair of layers from 0.")
    return {pair: to_array(values, repr(pair), "N") for pair, values in scores.items()}
