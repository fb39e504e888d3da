"""The drawings of notebook 29: where three values lie, and a product without multiplications."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import to_array
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, LEFT = 9.6, 1.75  # inches


def draw_three_values(
    weights: Any, ways: Mapping[str, tuple[float, float]], title: str
) -> tuple["Figure", str]:
    """Draw the histogram of a row's weights once for each way, what becomes 0 in gray; and say it in words.

    weights: [N]. ways: by name, the size beyond which a weight is kept, and the scale that it then gets.
    """
    numbers = to_array(weights, "weights", "N")
    edge = 1.1 * float(abs(numbers).max())
    description = []
    with style():
        figure = canvas(9.6, 1.0 + 1.6 * len(ways), title)
        every = figure.subplots(len(ways), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, (beyond, scale)) in zip(every, ways.items(), strict=True):
            counts, edges = _histogram(numbers, edge)
            middle = (edges[1:] + edges[:-1]) / 2
            for kept, color in ((False, FAINT), (True, LIT)):
                part = (abs(middle) > beyond) == kept
                axes.bar(middle[part], counts[part], edges[1] - edges[0], color=color, edgecolor="white")
            axes.vlines(
                [-scale, 0, scale], 0, 1, INK, linewidth=1.6, linestyle=(0, (4, 2)),
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            axes.vlines(
                [-beyond, beyond], 0, 1, INK, linewidth=1.6, linestyle="dotted",
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            share = float((abs(numbers) <= beyond).mean())
            axes.set_title(f"{name}: {share:.0%} become 0", fontsize=11)
            axes.set(xlim=(-edge, edge), ylabel="weights")
            description.append(
                f"{name}: beyond {beyond:.3f} a weight becomes ±{scale:.3f}, {share:.0%} become 0"
            )
        every[-1].set_xlabel("weight; gray: becomes 0; dotted: the threshold; dashed: the three values")
    return figure, f"{len(numbers)} weights of a row. {'; '.join(description)}."


def _histogram(numbers: Any, edge: float) -> tuple[Any, Any]:
    import numpy as np

    return np.histogram(numbers, bins=61, range=(-edge, edge))


def draw_sums(
    features: Sequence[float], codes: Sequence[int], scale: float, title: str
) -> tuple["Figure", str]:
    """Draw one output of a ternary layer: what is added, what is taken away, and the scale at the end."""
    page = Schematic(WIDTH, 3.5)
    page.text(0.15, 3.28, title, ha="left", fontsize=12, weight="bold")
    for y, words in ((2.6, "features"), (1.75, "codes"), (0.85, "added, taken away")):
        page.text(0.15, y, words, ha="left", color=QUIET, fontsize=10.5)
    side = (WIDTH - LEFT - 0.2) / len(features)
    for place, (feature, code) in enumerate(zip(features, codes, strict=True)):
        left = LEFT + side * place
        look = {1: "lit", -1: "tint", 0: "quiet"}[code]
        first = page.box(left + 0.04, 2.37, side - 0.08, 0.46, f"{feature:g}")
        second = page.box(left + 0.04, 1.52, side - 0.08, 0.46, f"{code:+d}" if code else "0", look=look)
        page.arrow(first.below, second.top)
        if code:
            last = page.box(left + 0.04, 0.62, side - 0.08, 0.46, f"{code * feature:+g}", look=look)
            page.arrow(second.below, last.top)
    total = sum(code * feature for feature, code in zip(features, codes, strict=True))
    result = f"sum {total:g}, times the scale {scale:g}: {scale * total:.4g}"
    page.text(LEFT, 0.25, result, ha="left", fontsize=11, weight="bold")
    named = ", ".join(f"{code:+d} for {feature:g}" for feature, code in zip(features, codes, strict=True))
    return page.figure, f"Codes {named}. The {result}."
