"""The drawings of notebook 23: which layers teach which, all maps of a student, and what searches win."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from lib import stats
from lib.figures.arrays import Array, to_array
from lib.figures.charts import draw_lines
from lib.figures.schematic import Schematic
from lib.figures.style import INK, QUIET, SERIES, canvas, style

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
# All maps of a two-layer student, in order, with all of their seeds.

Map = tuple[int, int]
MOST_MAPS = 40


def draw_map_seeds(
    scores: Mapping[Map, Any],
    title: str,
    unit: str,
    zero: str | None = None,
    winners: Sequence[Map] = (),
    shaded: int = 0,
) -> tuple["Figure", str]:
    """Draw the maps from the lowest mean to the highest, with a mark for each seed and a dash for the mean.

    `zero` names a line at 0, for scores that are differences; the names of `winners` stand in boxes, and a
    band lies behind so many of the lowest as `shaded` says.
    """
    rows = _checked(scores)
    ranked = sorted(rows, key=lambda pair: float(rows[pair].mean()))
    seeds = {len(values) for values in rows.values()}
    if len(seeds) != 1 or max(seeds) > len(SERIES):
        raise ValueError(f"Give each map equally many seeds, {len(SERIES)} at most.")
    with style():
        figure = canvas(9.6, 4.0, title)
        axes = figure.subplots()
        places = np.arange(len(ranked))
        if shaded:
            axes.axvspan(-0.6, shaded - 0.5, color=QUIET, alpha=0.18, linewidth=0)
        for seed in range(seeds.pop()):
            values = [rows[pair][seed] for pair in ranked]
            axes.plot(
                places, values, linestyle="none", marker="os^DvP"[seed], color=SERIES[seed], markersize=5.5,
                label=f"seed {seed}",
            )  # fmt: skip
        axes.plot(
            places, [rows[pair].mean() for pair in ranked], linestyle="none", marker="_", color=INK,
            markersize=20, markeredgewidth=2.2, label="mean",
        )  # fmt: skip
        if zero is not None:
            axes.axhline(0, color=QUIET, linewidth=1.6, linestyle=(0, (5, 3)), label=zero, zorder=1)
        axes.set_xticks(places, [_name(pair) for pair in ranked], rotation=90)
        for label, pair in zip(axes.get_xticklabels(), ranked, strict=True):
            if pair in winners:
                label.set(weight="bold", bbox={"boxstyle": "round,pad=0.25", "fill": False, "edgecolor": INK})
        if winners:
            axes.set_xlabel("in a box: the best map of a seed's search")
        axes.set_ylabel(unit)
        axes.grid(axis="y")
        axes.tick_params(axis="x", length=0)
        axes.margins(x=0.02)
        figure.legend(loc="outside lower center", ncols=6)
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
    if shaded:
        alt += f" The {shaded} lowest, shaded: {'; '.join(map(_name, ranked[:shaded]))}."
    if winners:
        alt += f" In boxes: {'; '.join(map(_name, winners))}."
    return figure, alt


def draw_all_maps(apart: Mapping[Map, Any], winners: Sequence[Map]) -> tuple["Figure", str]:
    """Draw the leads of all maps over no lesson on the test headlines, the six lowest shaded."""
    title = f"{len(apart)} maps on 720 test headlines, the six lowest shaded"
    figure, said = draw_map_seeds(apart, title, "points over no lesson", "no lesson", winners, shaded=6)
    return figure, f"{title}. {said}"


# ---------------------------------------------------------------------------------------------
# What searches report, and what their winners are worth when they are trained again.

LEADS = (-9.0, 13.0)  # points; fixed, so that pictures can be compared


def draw_leads(reported: Any, again: Any, title: str) -> tuple["Figure", str]:
    """Draw two histograms over one axis: the leads that searches report, and those of their winners, anew.

    reported, again: one number for each search, in points. What lies outside `LEADS` counts at its ends.
    """
    rows = {"reported": to_array(reported, "reported", "N"), "trained again": to_array(again, "again", "N")}
    with style():
        figure = canvas(9.6, 3.7, title)
        axes = figure.subplots()
        edges = np.linspace(*LEADS, 56).tolist()
        looks: list[dict[str, Any]] = [
            {"color": QUIET, "histtype": "stepfilled", "alpha": 0.35},
            {"color": SERIES[0], "histtype": "step", "linewidth": 2.4},
        ]
        for (name, values), look, line in zip(reversed(rows.items()), looks, ((0, (5, 3)), "-"), strict=True):
            mean = float(values.mean())
            share = np.full(len(values), 100 / len(values))
            axes.hist(
                np.clip(values, *LEADS), edges, weights=share, label=f"{name}: mean {mean:+.1f}", **look
            )
            axes.axvline(mean, color=look["color"], linestyle=line, linewidth=2.2)
        axes.set(xlabel="points more than no lesson", ylabel="% of the searches", xlim=LEADS, ylim=(0, 30))
        axes.legend(loc="upper left")
    description = "; ".join(
        f"{name}: mean {values.mean():+.1f}, nine of ten from {np.quantile(values, 0.05):+.1f} to"
        f" {np.quantile(values, 0.95):+.1f}"
        for name, values in rows.items()
    )
    return figure, f"Leads of {len(rows['reported'])} searches in points. {description}."


# ---------------------------------------------------------------------------------------------
# Tables: their columns, and the caption

Table = tuple[dict[str, list[Any]], str]


def signed(points: Sequence[float]) -> list[str]:
    """Leads in points, each with its sign."""
    return [f"{lead:+.1f}" for lead in points]


def table_of_searches(played: Mapping[str, tuple[Tensor, Tensor]]) -> Table:
    """For each kind of search the mean lead that it reports, and that of its winners in a new try."""
    columns: dict[str, list[Any]] = {"how maps differ, and what is tried": list(played)}
    for place, name in enumerate(("lead reported", "lead in a new try")):
        means = [float(leads[place].mean()) for leads in played.values()]
        columns[name] = [f"{mean if abs(mean) >= 0.05 else 0.0:.1f}" for mean in means]
    times = len(next(iter(played.values()))[0])
    return columns, f"Points, mean of {times:,} searches"


def table_of_pairs(rows: Sequence[tuple[Sequence[int], str, float, float]]) -> Table:
    """Two seeds that choose, their map, the lead that they saw, the lead under the third, and the means."""
    pairs, names, seen, under_the_third = zip(*rows, strict=True)
    columns: dict[str, list[Any]] = {
        "seeds that choose": [*(f"{first} and {second}" for first, second in pairs), "mean"],
        "their map": [*names, ""],
        "lead that they saw": signed([*seen, sum(seen) / len(seen)]),
        "lead under the third seed": signed([*under_the_third, sum(under_the_third) / len(seen)]),
    }
    return columns, "Leads over no lesson, in points"


def table_of_gaps(what: str, gaps: Mapping[str, Tensor]) -> Table:
    """Differences in points, seed by seed: their mean, and whether they agree by more than they differ.

    The rule is made for three seeds, so fewer get no verdict.
    """
    paired = {name: stats.paired_difference([0.0] * len(gap), gap.tolist()) for name, gap in gaps.items()}
    verdicts = {True: "yes", False: "no"}
    columns: dict[str, list[Any]] = {
        "": list(gaps),
        "seed by seed": [", ".join(signed(gap.tolist())) for gap in gaps.values()],
        "mean": signed([one.of_means for one in paired.values()]),
        "resolved": [
            verdicts[paired[name].is_resolved] if len(gap) > 2 else "too few seeds"
            for name, gap in gaps.items()
        ],
    }
    return columns, f"Points: {what}"


def line_of_leads(name: str, leads: Mapping[int, float]) -> str:
    """One printed line: a lead in points for each layer that teaches."""
    return f"{name} " + ", ".join(f"{layer}: {lead:+.1f}" for layer, lead in leads.items())


def line_of_three(name: str, reported: Tensor) -> str:
    """One printed line: how far the means of three leads each lie apart, nine of ten of them."""
    threes = reported[: len(reported) // 3 * 3].view(-1, 3).mean(dim=1).numpy()
    low, high = np.quantile(threes, [0.05, 0.95])
    return f"{name}: nine of ten from {low:.1f} to {high:.1f} points"


def line_of_sharing(strays: Tensor, maps: Sequence[Map]) -> str:
    """One printed line: which part of what strays is shared by maps with one second layer, within a seed.

    strays [maps, seeds]: scores without the means of their map and their seed. Of the squares of separate
    strokes of luck, groups of maps hold as large a part as they have of the numbers that are free.
    """
    seconds = sorted({second for _, second in maps})
    within = 0.0
    for second in seconds:
        rows = strays[[place for place, pair in enumerate(maps) if pair[1] == second]]
        within += len(rows) * float(rows.mean(dim=0).square().sum())
    shared = within / float(strays.square().sum())
    by_luck = (len(seconds) - 1) / (len(maps) - 1)
    return f"of what strays, maps with one second layer share {shared:.0%}; of separate luck {by_luck:.0%}"


# ---------------------------------------------------------------------------------------------
# What an explorer plays.

Search = Callable[[Tensor, int, int], tuple[Tensor, Tensor]]


def of_searches(search: Search, truth: Tensor) -> tuple[Callable[..., Any], Callable[..., str]]:
    """For an explorer: what draws `search(truth, maps, seeds)`, and what says so."""

    def drawn(maps: int, seeds: int) -> "Figure":
        several = "s" * (seeds > 1)
        title = f"{maps} equal maps, {seeds} seed{several} each"
        return draw_leads(*search(truth, maps, seeds), title)[0]

    def said(maps: int, seeds: int) -> str:
        return draw_leads(*search(truth, maps, seeds), "")[1]

    return drawn, said


# ---------------------------------------------------------------------------------------------
# Losses of layers that are put together.


def draw_losses(curves: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw a loss over the steps for each form, by its name."""
    steps = len(next(iter(curves.values())))
    title = "The loss of each form"
    figure = draw_lines(range(1, steps + 1), curves, "step", "loss", title)
    ends = "; ".join(
        f"{name}: step 1 {row[0]:.2f}, step {steps} {row[-1]:.2f}" for name, row in curves.items()
    )
    return figure, f"{title}. {ends}."


def _name(pair: Map) -> str:
    return f"{pair[0]},{pair[1]}"


def _checked(scores: Mapping[Map, Any]) -> dict[Map, Array]:
    if not 2 <= len(scores) <= MOST_MAPS or any(len(pair) != 2 or min(pair) < 0 for pair in scores):
        raise ValueError(f"Give 2 to {MOST_MAPS} maps, each a pair of layers from 0.")
    return {pair: to_array(values, repr(pair), "N") for pair, values in scores.items()}
