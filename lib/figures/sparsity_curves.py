"""What is left of a model with more and more of its weights at 0, rule by rule, over seeds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .charts import BASELINE
from .style import DASHES, INK, MARKERS, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
    found = _tables(curves)
    with style():
        figure = canvas(8.6, 4.2, title)
        axes = figure.subplots()
        for number, (name, (levels, table)) in enumerate(found.items()):
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
        figure.legend(loc="outside lower center", ncols=min(3, len(found)))
    return figure


def describe_sparsity_curves(
    curves: Mapping[str, Curve], baselines: Mapping[str, float] | None = None
) -> str:
    """Say in words what `draw_sparsity_curves` shows: the means over seeds."""
    told = [
        f"{name}: "
        + ", ".join(f"{level:.0%} {row.mean():.3f}" for level, row in zip(levels, table, strict=True))
        for name, (levels, table) in _tables(curves).items()
    ]
    dashed = "".join(f" {name} {value:.3f}." for name, value in (baselines or {}).items())
    return "; ".join(told) + "." + dashed


def _tables(curves: Mapping[str, Curve]) -> dict[str, tuple[Array, Array]]:
    """Each curve's sparsities [N], ascending, and values [N, S]."""
    if not 1 <= len(curves) <= len(SERIES):
        raise ValueError(f"There are {len(curves)} lines; one to {len(SERIES)} can be told apart.")
    found = {}
    for name, (levels, values) in curves.items():
        xs, table = np.asarray(levels, dtype=float), np.asarray(values, dtype=float)
        if table.ndim not in (1, 2) or len(table) != len(xs) or not table.size:
            raise ValueError(
                f"{name!r} has the shape {list(table.shape)}: give a number, or a row of seeds, for each of"
                f" {len(xs)} sparsities."
            )
        if (np.diff(xs) <= 0).any() or xs.min() < 0 or xs.max() > 1:
            raise ValueError(f"The sparsities of {name!r} are {xs.tolist()}: give shares, the lowest first.")
        found[name] = xs, table.reshape(len(xs), -1)
    return found
