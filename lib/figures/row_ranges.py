"""The rows of a matrix: what one outlier does to the range of all."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, to_array
from .style import FAINT, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_row_ranges(
    largest: Any, row: Any, scales: Mapping[str, float], largest_code: int, title: str | None = None
) -> "Figure":
    """Draw the largest |weight| of every row, and beside it what rounding leaves of one ordinary row.

    largest: [R]. row: [C], the weights of that row. scales: two, by name, that the row may be rounded with;
    each has a panel, where a line stands at every value, scale * code, that the row can take.
    """
    tops, weights, shares = _rows(largest, row, scales)
    worst = int(tops.argmax())
    reach = 1.15 * float(np.abs(weights).max())
    with style():
        figure = canvas(10.4, 4.2, title)
        grid = figure.add_gridspec(2, 2, width_ratios=[1, 1.25])
        left = figure.add_subplot(grid[:, 0])
        left.vlines(np.arange(len(tops)), 0, tops, color=LIT, linewidth=1.0)
        left.set(xlabel="row of the matrix", ylabel="largest |weight| of the row", xlim=(-4, len(tops) + 3))
        left.set_ylim(0, 1.12 * float(tops.max()))
        left.annotate(
            f"row {worst}: {tops[worst]:.2f}", (worst, tops[worst]), (7, 0), textcoords="offset points",
            va="center", fontsize=10,
        )  # fmt: skip
        middle = float(np.median(tops))
        left.annotate(
            f"half of the rows\nstay below {middle:.2f}", (0.72 * len(tops), middle), (0, 52),
            textcoords="offset points", ha="center", fontsize=10,
            arrowprops={"arrowstyle": "-|>", "color": QUIET},
        )  # fmt: skip
        for place, (name, scale) in enumerate(scales.items()):
            axes = figure.add_subplot(grid[place, 1])
            axes.hist(weights, bins=60, range=(-reach, reach), color=FAINT)
            values = scale * np.arange(-largest_code, largest_code + 1)
            axes.vlines(
                values[np.abs(values) <= reach], 0, 1, LIT, linewidth=1.6,
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            axes.set(xlim=(-reach, reach), yticks=[])
            axes.set_title(f"{name}: {shares[name]:.0%} become 0", fontsize=11)
            if place:
                axes.set_xlabel("weights of one ordinary row (gray), and the values they can take (lines)")
            else:
                axes.tick_params(labelbottom=False)
    return figure


def describe_row_ranges(largest: Any, row: Any, scales: Mapping[str, float]) -> str:
    """Say in words what `draw_row_ranges` shows."""
    tops, weights, shares = _rows(largest, row, scales)
    told = "; ".join(
        f"{name} ({scale:.3g} a code): {shares[name]:.0%} of its weights become 0"
        for name, scale in scales.items()
    )
    return (
        f"Largest |weight| of {len(tops)} rows: {tops.max():.2f} in row {int(tops.argmax())}, at the median"
        f" {np.median(tops):.2f}. An ordinary row, from {weights.min():.2f} to {weights.max():.2f}. {told}."
    )


def _rows(largest: Any, row: Any, scales: Mapping[str, float]) -> tuple[Array, Array, dict[str, float]]:
    """The rows' largest, one row, and for each scale the share of that row's weights that becomes 0."""
    tops, weights = to_array(largest, "largest", "R"), to_array(row, "row", "C")
    if len(scales) != 2 or not min(scales.values()) > 0:
        raise ValueError(f"{len(scales)} scales: give two positive ones, by name.")
    shares = {name: float((np.round(weights / scale) == 0).mean()) for name, scale in scales.items()}
    return tops, weights, shares
