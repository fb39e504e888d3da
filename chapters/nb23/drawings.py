"""The drawings of notebook 23: which layers teach which, and all maps of a small student."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.attention import SHADES
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# Which layers of a teacher, put side by side, teach each layer of a student.

PANEL, GAP = 2.3, 0.2  # inches
STEP, BOX = 0.46, 0.32
BOTTOM, MOST = 0.5, 5


def draw_layer_sets(
    panels: Mapping[str, Sequence[Sequence[int]]], teacher_layers: int, title: str
) -> tuple["Figure", str]:
    """Draw for each name the teacher at the left, the student at the right, and a line for each that teaches.

    A panel has for each of the student's layers, from the first, the teacher's layers that teach it, from 1,
    or none. Layers that teach nobody are gray, and so are those that nobody teaches.
    """
    _check(panels, teacher_layers)
    page = Schematic(
        0.3 + len(panels) * PANEL + (len(panels) - 1) * GAP, BOTTOM + STEP * teacher_layers + 0.75
    )
    height = BOTTOM + STEP * teacher_layers
    page.text(0.15, height + 0.55, title, ha="left", weight="bold", fontsize=13)
    for number, (name, sets) in enumerate(panels.items()):
        left = 0.15 + number * (PANEL + GAP)
        page.text(left + PANEL / 2, height + 0.16, name, weight="bold", fontsize=11)
        teaching = {layer for layers in sets for layer in layers}
        boxes = {
            layer: page.box(
                left, BOTTOM + STEP * (layer - 1), 0.72, BOX, str(layer),
                look="tint" if layer in teaching else "quiet",
            )
            for layer in range(1, teacher_layers + 1)
        }  # fmt: skip
        share = STEP * teacher_layers / len(sets)
        for own, layers in enumerate(sets, start=1):
            middle = BOTTOM + share * (own - 0.5)
            look = "lit" if layers else "quiet"
            student = page.box(left + 1.55, middle - 0.2, 0.72, 0.4, str(own), look=look)
            for place, layer in enumerate(sorted(layers), start=1):
                x, y = student.west
                page.arrow(boxes[layer].east, (x, y + 0.3 * (place / (len(layers) + 1) - 0.5)))
        page.text(left + 0.36, 0.24, "teacher", color=QUIET, fontsize=10)
        page.text(left + 1.91, 0.24, "student", color=QUIET, fontsize=10)
    sentences = []
    for name, sets in panels.items():
        pairs = "; ".join(
            f"{', '.join(map(str, layers)) or 'none'} teach layer {own}"
            for own, layers in enumerate(sets, start=1)
        )
        idle = sorted(set(range(1, teacher_layers + 1)) - {layer for layers in sets for layer in layers})
        nobody = f" ({', '.join(map(str, idle))} teach nobody)" if idle else ""
        sentences.append(f"{name}: {pairs}{nobody}")
    return page.figure, f"A teacher of {teacher_layers} layers. {'. '.join(sentences)}."


def _check(panels: Mapping[str, Sequence[Sequence[int]]], teacher_layers: int) -> None:
    named = [layer for sets in panels.values() for layers in sets for layer in layers]
    if not 1 <= len(panels) <= MOST or not named or not 1 <= min(named) <= max(named) <= teacher_layers:
        raise ValueError(f"Give 1 to {MOST} names with sets of layers from 1 to {teacher_layers}.")


# ---------------------------------------------------------------------------------------------
# All maps of a two-layer student: what each scored, as a table, and in order with all of its seeds.

Map = tuple[int, int]
MOST_MAPS = 40


def draw_map_table(
    scores: Mapping[Map, Any],
    title: str,
    unit: str,
    digits: int = 1,
    limits: tuple[float, float] | None = None,
) -> tuple["Figure", str]:
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
    ranked = sorted(means, key=lambda pair: -means[pair])
    listed = ", ".join(f"{_name(pair)} {means[pair]:.{digits}f}" for pair in ranked)
    return figure, f"{len(rows)} maps of a student of two layers by their mean, {unit}, best first: {listed}."


def draw_map_seeds(scores: Mapping[Map, Any], title: str, unit: str) -> tuple["Figure", str]:
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
    apart = sorted(float(values.max() - values.min()) for values in rows.values())
    ends = [
        f"{_name(pair)} {rows[pair].mean():.1f} ({rows[pair].min():.1f} to {rows[pair].max():.1f})"
        for pair in (ranked[0], ranked[-1])
    ]
    alt = (
        f"{len(rows)} maps in order of their mean, {unit}: the lowest {ends[0]}, the highest {ends[1]}. Two"
        f" seeds of one map are up to {apart[-1]:.1f} apart, at the median"
        f" {apart[len(apart) // 2]:.1f}."
    )
    return figure, alt


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
