"""The drawing of notebook 31: which layers run, and which of them share their weights."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lib.figures.style import HATCHES, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_stacks(stacks: Mapping[str, Sequence[int | str]], title: str | None = None) -> tuple["Figure", str]:
    """Draw networks side by side, the first layer at the bottom; equal names are one set of weights."""
    from matplotlib.patches import Rectangle

    most = max(map(len, stacks.values()))
    kinds = list(dict.fromkeys(layer for layers in stacks.values() for layer in layers))
    with style():
        figure = canvas(8.0, 0.8 + 0.42 * most, title)
        axes = figure.subplots()
        for place, (name, layers) in enumerate(stacks.items()):
            for row, layer in enumerate(layers):
                kind = kinds.index(layer)
                color, hatch = kind % len(SERIES), (kind + kind // len(SERIES)) % len(HATCHES)
                axes.add_patch(
                    Rectangle(
                        (place + 0.18, row + 0.1), 0.64, 0.8, facecolor=SERIES[color], alpha=0.35,
                        hatch=HATCHES[hatch], edgecolor="white",
                    )
                )  # fmt: skip
                axes.add_patch(Rectangle((place + 0.18, row + 0.1), 0.64, 0.8, fill=False, edgecolor=INK))
                label = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
                axes.text(place + 0.5, row + 0.5, f"{layer}", ha="center", va="center", bbox=label)
            sets = len(set(layers))
            description = (
                f"{name}\n{sets} set{'s' * (sets > 1)} of weights, {len(layers)} run{'s' * (len(layers) > 1)}"
            )
            axes.text(place + 0.5, -0.25, description, ha="center", va="top", fontsize=10, color=INK)
        axes.text(-0.02, most / 2, "input at the bottom", rotation=90, ha="right", va="center", color=QUIET)
        axes.set_xlim(-0.1, len(stacks))
        axes.set_ylim(-1.35, most + 0.1)
        axes.axis("off")
    alt = "; ".join(
        f"{name}: layers {', '.join(map(str, layers))} run, {len(set(layers))} with weights of their own"
        for name, layers in stacks.items()
    )
    return figure, alt + "."
