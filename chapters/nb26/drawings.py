"""The drawings of notebook 26: a row under a mask, the weights of a matrix, curves, bars and ranges.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_scan(scan))`.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np

from lib import stats
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, draw_bars, draw_lines
from lib.figures.ranges import describe_ranges, draw_ranges
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch


# ---------------------------------------------------------------------------------------------
# One row of weights under a mask: what flows forward, and which gradients flow back to what.

ROWS = (
    ("score S", "ranked: the highest are kept"),
    ("mask m", "1 = kept"),
    ("weight w", "what is stored"),
    ("m · w", "what the model computes with"),
    ("gradient g of m · w", "the next one, from the loss"),
    ("to the weight: g · m", "stops at the mask"),
    ("to the score: g · w", "straight through, also where m = 0"),
)


def draw_mask_flow(
    scores: Sequence[float],
    mask: Sequence[int],
    weight: Sequence[float],
    gradient: Sequence[float],
    title: str | None = None,
) -> tuple["Figure", str]:
    """Draw the seven rows of numbers of a masked weight [N], forward above and backward below the line."""
    table = _table(scores, mask, weight, gradient)
    columns = len(table[0])
    with style():
        figure = canvas(9.6, 4.3, title)
        axes = figure.subplots()
        for number, ((name, note), row) in enumerate(zip(ROWS, table, strict=True)):
            y = -number - (0.45 if number > 3 else 0.0)
            axes.text(-0.15, y, name, ha="right", va="center", fontsize=11)
            axes.text(columns + 0.1, y, note, ha="left", va="center", fontsize=10, color=QUIET)
            for place, value in enumerate(row):
                is_kept = bool(mask[place])
                axes.add_patch(_box(place, y, TINT if is_kept else "white", LIT if is_kept else FAINT))
                shown = f"{value:g}" if number == 1 else f"{value + 0.0:.2f}"
                axes.text(place + 0.5, y, shown, ha="center", va="center", fontsize=11, color=INK)
        axes.axhline(-3.72, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.set_xlim(-3.2, columns + 4.3)
        axes.set_ylim(-len(ROWS) - 0.1, 0.6)
        axes.axis("off")
    phrases = [
        f"{name}: {', '.join(f'{value + 0.0:g}' for value in row)} ({note})"
        for (name, note), row in zip(ROWS, table, strict=True)
    ]
    return figure, "; ".join(phrases) + "."


def _box(place: int, y: float, face: str, edge: str) -> "Patch":
    from matplotlib.patches import Rectangle

    return Rectangle((place + 0.06, y - 0.4), 0.88, 0.8, facecolor=face, edgecolor=edge, linewidth=1.2)


def _table(
    scores: Sequence[float], mask: Sequence[int], weight: Sequence[float], gradient: Sequence[float]
) -> list[list[float]]:
    """The seven rows, each [N]."""
    inputs = {"scores": scores, "mask": mask, "weight": weight, "gradient": gradient}
    s, m, w, g = (to_array(row, name, "N") for name, row in inputs.items())
    if len({len(s), len(m), len(w), len(g)}) > 1 or not set(m.tolist()) <= {0, 1}:
        raise ValueError("Give as many scores, gradients and weights as the mask has numbers, 0 or 1 each.")
    rows = (s, m, w, m * w, g, g * m, g * w)
    return [[round(float(value), 6) for value in row] for row in rows]


# ---------------------------------------------------------------------------------------------
# The weights of one matrix, and what those carry that go first.

BINS = 120


def draw_weight_histogram(weight: Any, sparsity: float, title: str | None = None) -> tuple["Figure", str]:
    """Draw how many weights of a matrix, of any shape, have which size, the smallest ones, a share, in front.

    What is said of them: between which values they lie, and their share of the sum of squares. The few
    largest weights, one in a thousand, lie outside of the picture.
    """
    flat = to_array(weight.detach().flatten(), "weight", "N")
    if not 0 < sparsity < 1:
        raise ValueError(f"A sparsity of {sparsity}: give a share between 0 and 1.")
    sizes = np.sort(np.abs(flat))
    removed = int(sparsity * len(sizes))
    cut, reach = float(sizes[removed - 1]), float(sizes[int(0.999 * len(sizes))])
    squares = float((sizes[:removed] ** 2).sum() / (sizes**2).sum())
    with style():
        figure = canvas(8.6, 3.6, title)
        axes = figure.subplots()
        edges = np.linspace(-reach, reach, BINS + 1).tolist()
        axes.hist(flat, edges, color=FAINT, edgecolor=QUIET, linewidth=0.4)
        axes.hist(flat[np.abs(flat) <= cut], edges, color=LIT)
        for side in (-cut, cut):
            axes.axvline(side, color=INK, linewidth=1.1, linestyle=(0, (4, 3)))
        axes.text(
            cut + 0.03 * reach, 0.93 * axes.get_ylim()[1],
            f"the smallest {sparsity:.0%} lie between −{cut:.3f} and {cut:.3f}\n"
            f"and carry {squares:.1%} of the sum of squares",
            va="top", fontsize=11, color=INK,
        )  # fmt: skip
        axes.set(xlabel="weight", ylabel="how many")
    return figure, (
        f"A histogram of {len(flat):,} weights, highest at 0. The smallest {sparsity:.0%} of them lie between"
        f" -{cut:.3f} and {cut:.3f} and carry {squares:.1%} of the sum of squares."
    )


# ---------------------------------------------------------------------------------------------
# What is left of a model with more and more of its weights at 0, rule by rule, over seeds.

#: of one rule: sparsities [N], and what was measured there, [N] or [N, S] for S seeds
Curve = tuple[Sequence[float], Any]


def draw_sparsity_curves(
    curves: Mapping[str, Curve],
    ylabel: str,
    title: str | None = None,
    baselines: Mapping[str, float] | None = None,
) -> "Figure":
    """Draw up to six lines of shares, 0 to 1, over sparsities of their own: mean and range over seeds.

    A rule that was tried at one sparsity alone is a point. `baselines`, by name, are dashed lines.
    """
    tables = _tables(curves)
    with style():
        figure = canvas(8.6, 4.2, title)
        axes = figure.subplots()
        for number, (name, (levels, table)) in enumerate(tables.items()):
            low, high, mean = 100 * table.min(axis=1), 100 * table.max(axis=1), 100 * table.mean(axis=1)
            color = SERIES[number]
            if len(levels) > 1:
                axes.fill_between(100 * levels, low, high, color=color, alpha=0.18, linewidth=0)
            else:
                axes.vlines(100 * levels, low, high, color=color, linewidth=1.4)
            axes.plot(
                100 * levels, mean, color=color, linestyle=DASHES[number], marker=MARKERS[number], label=name
            )
        for name, value in (baselines or {}).items():
            axes.axhline(100 * value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.text(
                0.01, 100 * value + 0.8, f"{name} {value:.1%}", va="bottom", fontsize=10,
                transform=axes.get_yaxis_transform(),
            )  # fmt: skip
        axes.set(xlabel="weights of the matrices that are 0, %", ylabel=ylabel)
        axes.grid(axis="y")
        figure.legend(loc="outside lower center", ncols=min(3, len(tables)))
    return figure


def describe_sparsity_curves(
    curves: Mapping[str, Curve], baselines: Mapping[str, float] | None = None
) -> str:
    """Say in words what `draw_sparsity_curves` shows: the means over seeds."""
    phrases = [
        f"{name}: "
        + ", ".join(f"{level:.0%} {row.mean():.1%}" for level, row in zip(levels, table, strict=True))
        for name, (levels, table) in _tables(curves).items()
    ]
    dashed = "".join(f" {name} {value:.1%}." for name, value in (baselines or {}).items())
    return "; ".join(phrases) + "." + dashed


def _tables(curves: Mapping[str, Curve]) -> dict[str, tuple[Array, Array]]:
    """Each curve's sparsities [N], ascending, and values [N, S]."""
    if not 1 <= len(curves) <= len(SERIES):
        raise ValueError(f"There are {len(curves)} lines; one to {len(SERIES)} can be told apart.")
    tables = {}
    for name, (levels, values) in curves.items():
        xs, table = np.asarray(levels, dtype=float), np.asarray(values, dtype=float)
        if table.ndim not in (1, 2) or len(table) != len(xs) or not table.size:
            raise ValueError(
                f"{name!r} has the shape {list(table.shape)}: give a number, or a row of seeds, for each of"
                f" {len(xs)} sparsities."
            )
        if (np.diff(xs) <= 0).any() or xs.min() < 0 or xs.max() > 1:
            raise ValueError(f"The sparsities of {name!r} are {xs.tolist()}: give shares, the lowest first.")
        tables[name] = xs, table.reshape(len(xs), -1)
    return tables


# ---------------------------------------------------------------------------------------------
# What the notebook's record and its own runs found.

TASK = "headlines"
#: what the lines of the recorded picture are called, and of which arms they are made
RECORDED = {
    "smallest, no training": [f"magnitude 0.{tenth}, untrained" for tenth in range(1, 10)],
    "random, no training": [f"random 0.{tenth}, untrained" for tenth in (1, 3, 5, 7, 9)],
    "smallest, 100 steps": ["magnitude 0.5", "magnitude 0.7", "magnitude 0.9"],
    "random, 100 steps": ["random 0.5", "random 0.9"],
}
COMPARED = (
    ("random 0.3, untrained", "magnitude 0.3, untrained"),
    ("magnitude 0.7, untrained", "magnitude 0.7"),
)
TICKETS = {
    "whole": "dense",
    "ticket": "ticket",
    "random mask": "random mask",
    "values shuffled": "shuffled weights",
}


def draw_recorded_sparsity(table: Any) -> tuple["Figure", str]:
    """Draw what the record of this notebook has of accuracy over sparsity, by size and at random."""
    curves = {}
    for name, arms in RECORDED.items():
        levels = [mean(table.values(TASK, arm, "sparsity")) for arm in arms]
        curves[name] = levels, [table.values(TASK, arm) for arm in arms]
    lines = {
        "whole model": mean(table.values(TASK, "whole")),
        "one answer": table.values(TASK, "one answer")[0],
    }
    title = "Small weights are hardly missed, and training makes up for many"
    figure = draw_sparsity_curves(curves, "accuracy, %", title, lines)
    verdicts = []
    for first, second in COMPARED:
        gap = stats.paired_difference(table.values(TASK, first), table.values(TASK, second))
        verdicts.append(f"{second} over {first}: {_verdict(gap)}")
    return figure, f"{describe_sparsity_curves(curves, lines)} {'; '.join(verdicts)}."


def _verdict(gap: Any) -> str:
    return "resolved" if gap.is_resolved else "not resolved"


def draw_scan(scan: Mapping[str, Sequence[tuple[float, float]]]) -> tuple["Figure", str]:
    """Draw the accuracy that is left when one part alone is pruned: pairs (sparsity, accuracy) by part."""
    first = next(iter(scan.values()))
    levels = [100 * sparsity for sparsity, _ in first]
    left = {}
    for name, curve in scan.items():
        left[name] = [100 * accuracy for _, accuracy in curve]
    title = "Not every part misses its weights equally"
    figure = draw_lines(levels, left, "zeros in this part alone, %", "accuracy, %", title)
    phrases = [f"{name} {_listed(values)}" for name, values in left.items()]
    zeros = ", ".join(f"{level:.0f}" for level in levels)
    return figure, f"Accuracy in percent with {zeros}% zeros in one part: {'; '.join(phrases)}."


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)


def draw_brought_back(results: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw the accuracies of models, 0 to 1 by name, before and after training."""
    percent = [100 * share for share in results.values()]
    figure = draw_bars(
        [*results],
        percent,
        "right of the other 600 headlines, %",
        "The chosen sparsities, before training and after it",
        digits=1,
        baseline=("a guess", 100 / 9),
    )
    phrases = [f"{name} {value:.1f}" for name, value in zip(results, percent, strict=True)]
    return figure, f"Right of 600 headlines, in percent: {', '.join(phrases)}. A guess: 11.1."


def draw_tickets(table: Any) -> tuple["Figure", str]:
    """Draw what the record has of a ticket and its controls on SST-2: means and ranges over three seeds."""
    runs = {name: table.values("SST-2", f"all phrases, tickets, {arm}") for name, arm in TICKETS.items()}
    rows = []
    for values in runs.values():
        percent = sorted(100 * value for value in values)
        rows.append((percent[0], mean(percent), percent[-1]))
    ranges = {"accuracy": rows}
    figure = draw_ranges(
        [*runs], ranges, "accuracy on SST-2, %", title="A ticket needs its mask and its old values"
    )
    verdicts = []
    for name in ("random mask", "values shuffled", "whole"):
        gap = stats.paired_difference(runs[name], runs["ticket"])
        verdicts.append(f"the ticket less {name}: {100 * gap.of_means:+.1f} points, {_verdict(gap)}")
    return figure, f"{describe_ranges([*runs], ranges, digits=1)} {'; '.join(verdicts)}."
