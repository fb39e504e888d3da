"""One row of weights under a mask: what flows forward, and which gradients flow back to what."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .arrays import to_array
from .style import FAINT, INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

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
) -> "Figure":
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
    return figure


def describe_mask_flow(
    scores: Sequence[float], mask: Sequence[int], weight: Sequence[float], gradient: Sequence[float]
) -> str:
    """Say in words what `draw_mask_flow` shows."""
    table = _table(scores, mask, weight, gradient)
    told = [
        f"{name}: {', '.join(f'{value + 0.0:g}' for value in row)} ({note})"
        for (name, note), row in zip(ROWS, table, strict=True)
    ]
    return "; ".join(told) + "."


def _box(place: int, y: float, face: str, edge: str) -> "Patch":
    from matplotlib.patches import Rectangle

    return Rectangle((place + 0.06, y - 0.4), 0.88, 0.8, facecolor=face, edgecolor=edge, linewidth=1.2)


def _table(
    scores: Sequence[float], mask: Sequence[int], weight: Sequence[float], gradient: Sequence[float]
) -> list[list[float]]:
    """The seven rows, each [N]."""
    given = {"scores": scores, "mask": mask, "weight": weight, "gradient": gradient}
    s, m, w, g = (to_array(row, name, "N") for name, row in given.items())
    if len({len(s), len(m), len(w), len(g)}) > 1 or not set(m.tolist()) <= {0, 1}:
        raise ValueError("Give as many scores, gradients and weights as the mask has numbers, 0 or 1 each.")
    rows = (s, m, w, m * w, g, g * m, g * w)
    return [[round(float(value), 6) for value in row] for row in rows]
