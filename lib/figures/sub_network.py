"""Which parts of one network run at a size: its layers as rows, the heads of each as cells."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .schematic import Schematic, rounded
from .style import FAINT, INK, LIT, QUIET, TINT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, CELL = 0.5, 0.34  # inches
LEFT, GAP = 1.25, 0.35
HEAD, FOOT = 1.0, 0.85
MOST_LAYERS, MOST_HEADS = 12, 16


def draw_sub_network(
    layers: Sequence[int], heads: int, of_layers: int, of_heads: int, told: str, title: str
) -> "Figure":
    """Draw a stack of layers, the first at the bottom, each with its heads and a bar for its neurons.

    Dark is what runs: the first `heads` of `of_heads` in each of `layers`, and the same share of the neurons.
    A layer that is left out is empty, and a line leads past it. `told` stands below, such as what it costs.
    """
    _check(layers, heads, of_layers, of_heads)
    width = LEFT + CELL * of_heads + GAP + CELL * of_heads + 0.4
    page = Schematic(width, HEAD + ROW * of_layers + FOOT)
    top = FOOT + ROW * of_layers
    page.text(0.15, top + 0.72, title, ha="left", fontsize=13, weight="bold")
    neurons = LEFT + CELL * of_heads + GAP
    page.text(LEFT, top + 0.2, f"{of_heads} heads", ha="left", color=QUIET)
    page.text(neurons, top + 0.2, "neurons", ha="left", color=QUIET)
    for layer in range(of_layers):
        bottom, runs = FOOT + ROW * layer, layer in layers
        page.text(LEFT - 0.15, bottom + ROW / 2, f"layer {layer}", ha="right", color=INK if runs else QUIET)
        for head in range(of_heads):
            look = {
                "facecolor": LIT if runs and head < heads else "white",
                "edgecolor": QUIET if runs else FAINT,
            }
            rounded(page.axes, (LEFT + CELL * head + 0.03, bottom + 0.07, CELL - 0.06, ROW - 0.14), **look)
        share = heads / of_heads if runs else 0.0
        place = (neurons, bottom + 0.07, CELL * of_heads, ROW - 0.14)
        rounded(page.axes, place, facecolor="white", edgecolor=QUIET if runs else FAINT)
        if share:
            filled = (neurons, bottom + 0.07, CELL * of_heads * share, ROW - 0.14)
            rounded(page.axes, filled, facecolor=TINT, edgecolor=LIT, zorder=3)
        else:
            middle = bottom + ROW / 2
            page.axes.plot(
                [LEFT, neurons + CELL * of_heads], [middle, middle], color=QUIET, linewidth=1.0, zorder=4
            )
    page.text(0.15, 0.4, told, ha="left", fontsize=12)
    return page.figure


def describe_sub_network(layers: Sequence[int], heads: int, of_layers: int, of_heads: int, told: str) -> str:
    """Say in words what `draw_sub_network` shows."""
    _check(layers, heads, of_layers, of_heads)
    return (
        f"Of {of_layers} layers run {', '.join(map(str, layers))}, counted from 0; in each of them the first"
        f" {heads} of {of_heads} heads and as large a share of the neurons. {told}"
    )


def _check(layers: Sequence[int], heads: int, of_layers: int, of_heads: int) -> None:
    if not (1 <= of_layers <= MOST_LAYERS and 1 <= heads <= of_heads <= MOST_HEADS):
        raise ValueError(f"Draw at most {MOST_LAYERS} layers of {MOST_HEADS} heads, of which some run.")
    if not layers or not all(0 <= layer < of_layers for layer in layers):
        raise ValueError(f"The layers {list(layers)} of {of_layers}: give numbers from 0 to {of_layers - 1}.")
