"""The drawings of notebook 26: a row under a mask, weights that moved, and curves over sparsity."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch


# ---------------------------------------------------------------------------------------------
# One row of weights under a mask: what flows forward, and which gradients flow back to what.

ROWS = (
    ("score S", "ranked: the highest are kept"),
    ("mask M", "1 = kept"),
    ("weight W", "what is stored"),
    ("M · W", "what the model computes with"),
    ("gradient G of M · W", "comes back from the loss"),
    ("to the weight: G · M", "stops at the mask"),
    ("to the score: G · W", "straight through, also where M = 0"),
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
# Where weights stood before training, how far they moved in it, and which of them a rule kept.

MOST_PANELS = 3
#: of one rule: weights before [N], after [N], and 1 for each that is kept [N]
Moved = tuple[Any, Any, Any]


def draw_moved_weights(panels: Mapping[str, Moved], title: str | None = None) -> tuple["Figure", str]:
    """Draw up to three panels of points, the weight before on the x axis and its change on the y axis.

    What moved away from 0 lies at the upper right and the lower left. Kept weights are dark dots, pruned ones
    light crosses.
    """
    tables = _panels(panels)
    reach = 1.05 * max(float(np.abs(table[0]).max()) for table in tables.values())
    change = 1.05 * max(float(np.abs(table[1] - table[0]).max()) for table in tables.values())
    with style():
        figure = canvas(4.3 * len(tables) + 0.6, 4.4, title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (name, (before, after, kept)) in zip(every, tables.items(), strict=True):
            is_kept = kept > 0
            axes.scatter(
                before[~is_kept], (after - before)[~is_kept], s=16, marker="x", color=SERIES[2],
                linewidth=0.9, label="pruned",
            )  # fmt: skip
            axes.scatter(before[is_kept], (after - before)[is_kept], s=18, color=LIT, label="kept", zorder=3)
            axes.axhline(0, color=QUIET, linewidth=0.6)
            axes.axvline(0, color=QUIET, linewidth=0.6)
            axes.set(title=f"{name}: {is_kept.mean():.0%} kept", xlabel="weight before")
            axes.set(xlim=(-reach, reach), ylim=(-change, change))
        every[0].set_ylabel("change in training")
        handles, labels = every[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    phrases = []
    for name, (before, after, kept) in tables.items():
        is_kept = kept > 0
        away = (np.sign(before) * (after - before)) > 0
        phrases.append(
            f"{name}: {is_kept.mean():.0%} of {len(kept)} weights are kept; their smallest |weight| before is"
            f" {np.abs(before[is_kept]).min():.3f}, and {away[is_kept].mean():.0%} of them moved away from 0,"
            f" of the pruned ones {away[~is_kept].mean():.0%}"
        )
    return figure, "; ".join(phrases) + "."


def _panels(panels: Mapping[str, Moved]) -> dict[str, Array]:
    """Each panel as [3, N]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    tables = {}
    for name, parts in panels.items():
        rows = [to_array(part, repr(name), "N") for part in parts]
        if len({len(row) for row in rows}) > 1:
            raise ValueError(f"{name!r} has {[len(row) for row in rows]} numbers: give as many of each.")
        if not 0 < (rows[2] > 0).sum() < len(rows[2]):
            raise ValueError(f"All weights of {name!r} are kept, or none: there is nothing to compare.")
        tables[name] = np.stack(rows)
    return tables


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
    """Draw up to six lines over sparsity, 0 to 1, each at sparsities of its own: mean and range over seeds.

    A rule that was tried at one sparsity alone is a point. `baselines`, by name, are dashed lines.
    """
    tables = _tables(curves)
    with style():
        figure = canvas(8.6, 4.2, title)
        axes = figure.subplots()
        for number, (name, (levels, table)) in enumerate(tables.items()):
            low, high, mean = table.min(axis=1), table.max(axis=1), table.mean(axis=1)
            color = SERIES[number]
            if len(levels) > 1:
                axes.fill_between(100 * levels, low, high, color=color, alpha=0.18, linewidth=0)
            else:
                axes.vlines(100 * levels, low, high, color=color, linewidth=1.4)
            axes.plot(
                100 * levels, mean, color=color, linestyle=DASHES[number], marker=MARKERS[number], label=name
            )
        for name, value in (baselines or {}).items():
            axes.axhline(value, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.text(
                0.01, value, f"{name} {value:.2f}", va="bottom", fontsize=10,
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
        + ", ".join(f"{level:.0%} {row.mean():.3f}" for level, row in zip(levels, table, strict=True))
        for name, (levels, table) in _tables(curves).items()
    ]
    dashed = "".join(f" {name} {value:.3f}." for name, value in (baselines or {}).items())
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
