"""How rounding learns: a staircase, and a weight that walks up on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .charts import BASELINE, PAPER
from .style import FAINT, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_staircase(
    scale: float, largest_code: int, walk: Sequence[float], title: str | None = None
) -> "Figure":
    """Draw what rounding makes of a weight, where its gradient is let through, and a weight that walks.

    walk: the latent weight after 0, 1, 2, ... steps; each has a dot at what it is rounded to.
    """
    edge, rounded = _staircase(scale, largest_code, walk)
    reach = 1.45 * edge
    xs = np.linspace(-reach, reach, 2001)
    with style():
        figure = canvas(8.0, 4.0, title)
        axes = figure.subplots()
        for side in ((-reach, -edge), (edge, reach)):
            axes.axvspan(*side, color=FAINT, alpha=0.7, linewidth=0)
            axes.text(sum(side) / 2, -0.86 * edge, "clipped:\ngradient 0", ha="center", fontsize=10)
        axes.text(
            0,
            -0.86 * edge,
            "gradient taken as 1\n(squares: a weight after 0, 1, 2, ... steps)",
            ha="center",
            fontsize=10,
        )
        axes.plot(xs, xs, color=QUIET, linewidth=1.2, linestyle=BASELINE)
        axes.plot(xs, np.clip(np.round(xs / scale), -largest_code, largest_code) * scale, color=LIT)
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True)):
            axes.plot(latent, value, MARKERS[1], color=SERIES[1], markersize=8, zorder=4)
            axes.annotate(
                str(step), (latent, value), (0, -17), textcoords="offset points", ha="center",
                fontsize=11, weight="bold", bbox=PAPER,
            )  # fmt: skip
        axes.set(
            xlabel="latent weight, which learns", ylabel="rounded weight, which is used",
            xlim=(-reach, reach), ylim=(-1.15 * edge, 1.15 * edge),
        )  # fmt: skip
        axes.grid(axis="y")
    return figure


def describe_staircase(scale: float, largest_code: int, walk: Sequence[float]) -> str:
    """Say in words what `draw_staircase` shows."""
    edge, rounded = _staircase(scale, largest_code, walk)
    told = "; ".join(
        f"step {step}: latent {latent:.2f}, rounded {value:.2f}"
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True))
    )
    return (
        f"Rounding is a staircase of {2 * largest_code + 1} steps, {scale:g} high, along the dashed line of"
        f" no rounding. Beyond {edge:g} on either side it is flat, and the gradient is 0; between, it counts"
        f" as 1. A weight walks: {told}."
    )


def _staircase(scale: float, largest_code: int, walk: Sequence[float]) -> tuple[float, list[float]]:
    if not scale > 0 or largest_code < 1:
        raise ValueError(f"A scale of {scale:g} and codes up to {largest_code}: both have to be positive.")
    codes = np.clip(np.round(np.asarray(walk) / scale), -largest_code, largest_code)
    return scale * largest_code, (scale * codes).tolist()
