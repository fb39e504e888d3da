"""Which layers each rule keeps, and what that costs before and after tuning."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array
from .charts import BASELINE
from .style import FAINT, INK, LIT, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_layer_rules(
    kept: Mapping[str, Sequence[int]],
    num_layers: int,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    xlabel: str,
    title: str | None = None,
    whole: float | None = None,
) -> "Figure":
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
        right.set_xlabel(f"{xlabel} (open: before tuning; full: after)")
        if whole is not None:
            right.axvline(whole, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            right.text(
                whole, 1.01, f"all layers {whole:.1f}", ha="right", va="bottom", fontsize=10,
                transform=right.get_xaxis_transform(),
            )  # fmt: skip
    return figure


def describe_layer_rules(
    kept: Mapping[str, Sequence[int]], num_layers: int, before: Mapping[str, Any], after: Mapping[str, Any]
) -> str:
    """Say in words what `draw_layer_rules` shows, means over seeds."""
    told = [
        f"{name} keeps {', '.join(map(str, kept[name]))}:"
        f" {first.mean():.1f} before, {second.mean():.1f} after"
        for name, (first, second) in _rows(kept, num_layers, before, after).items()
    ]
    return "; ".join(told) + "."


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
