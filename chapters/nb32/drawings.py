"""The drawings of notebook 32: times predicted and measured, designs and their front, kernels by heart."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE
from lib.figures.style import FAINT, HATCHES, INK, LIT, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_corners(
    ways: Mapping[str, Sequence[int]], heads: int, columns: tuple[int, int], title: str
) -> tuple["Figure", str]:
    """Draw a query matrix for each way to keep rows, what a design computes with in color.

    ways[name] are the rows that are kept, of all `heads` together; columns are how many features of how many.
    """
    kept, features = columns
    rows = 1 + max(row for way in ways.values() for row in way)
    size = -(-rows // heads)
    with style():
        figure = canvas(4.4 * len(ways), 3.9, title)
        for number, (name, way) in enumerate(ways.items()):
            axes = figure.add_subplot(1, len(ways), number + 1)
            table = np.zeros((heads * size, features))
            table[np.ix_(list(way), range(kept))] = 1.0
            axes.imshow(table, cmap="Blues", vmin=-0.12, vmax=1.35, aspect="auto")
            for column in range(1, features):
                axes.axvline(column - 0.5, color="white", linewidth=1.5)
            for row in range(1, heads * size):
                axes.axhline(row - 0.5, color="white", linewidth=1.5)
            for head in range(1, heads):
                axes.axhline(head * size - 0.5, color=INK, linewidth=1.8)
            axes.set_xticks([(kept - 1) / 2, (kept + features - 1) / 2], [f"{kept} features", "left out"])
            axes.set_yticks(
                [head * size + (size - 1) / 2 for head in range(heads)],
                [f"head {head}" for head in range(heads)],
            )
            axes.tick_params(length=0)
            axes.set_title(name, loc="center", fontsize=11)
    description = "; ".join(f"{name}: rows {', '.join(map(str, way))}" for name, way in ways.items())
    return (
        figure,
        f"A query matrix of {heads} heads. {description}; of each row the first {kept} of {features}"
        " features.",
    )


def draw_designs(
    milliseconds: Sequence[float],
    accuracy: Sequence[float],
    front: Sequence[int],
    limit: float,
    title: str,
) -> tuple["Figure", str]:
    """Draw designs by time and accuracy (0 to 1), those on the front joined, and a limit of milliseconds."""
    times = to_array(milliseconds, "milliseconds", "N")
    heights = 100 * to_array(accuracy, "accuracy", "N")
    with style():
        figure = canvas(8.0, 4.4, title)
        axes = figure.subplots()
        axes.plot(times, heights, "o", color=QUIET, markersize=4.5, alpha=0.6)
        places = list(front)
        axes.plot(times[places], heights[places], "-o", color=LIT, markersize=7, zorder=3)
        axes.axvline(limit, color=INK, linestyle=BASELINE, linewidth=1.3)
        axes.annotate(
            "your limit", (limit, 0.03), (6, 0), xycoords=("data", "axes fraction"),
            textcoords="offset points", fontsize=10.5,
        )  # fmt: skip
        axes.set(xlabel="predicted milliseconds for one text", ylabel="accuracy, %")
        axes.grid(color=FAINT)
    first, last = places[0], places[-1]
    description = (
        f"{len(times)} designs by predicted milliseconds and accuracy; {len(places)} are on the front, from"
        f" {heights[first]:.1f}% in {times[first]:.1f} ms to {heights[last]:.1f}% in {times[last]:.1f} ms."
        f" The limit is {limit:.1f} ms."
    )
    return figure, description


def draw_kernels(kernels: Mapping[str, Mapping[str, Sequence[float]]], title: str) -> tuple["Figure", str]:
    """Draw kernels as bars, a row for each convolution and a column for each text.

    kernels[convolution][text] has a number for each place, the middle one for the token itself.
    """
    tables: dict[str, dict[str, Array]] = {
        kind: {text: to_array(values, "a kernel", "K") for text, values in by_text.items()}
        for kind, by_text in kernels.items()
    }
    texts = list(next(iter(tables.values())))
    with style():
        figure = canvas(4.0 * len(texts) + 1.2, 1.75 * len(tables) + 0.6, title)
        every = figure.subplots(len(tables), len(texts), sharey=True, sharex=True, squeeze=False)
        for row, (kind, by_text) in enumerate(tables.items()):
            for column, (text, values) in enumerate(by_text.items()):
                axes = every[row][column]
                places = np.arange(len(values)) - len(values) // 2
                axes.bar(places, values, 0.7, color=SERIES[row], hatch=HATCHES[row], edgecolor="white")
                axes.set_xticks(places, [f"{place:+d}" if place else "itself" for place in places])
                axes.set_ylim(0, 1.05)
                axes.axhspan(0, 1.05, color=TINT, alpha=0.25, linewidth=0, zorder=0)
                if row == 0:
                    axes.set_title(text, loc="center", fontsize=11)
                if column == 0:
                    axes.set_ylabel(kind)
    description = "; ".join(
        f"{kind}, {text}: " + ", ".join(f"{value:.2f}" for value in values)
        for kind, by_text in tables.items()
        for text, values in by_text.items()
    )
    return figure, f"The weight of each place around the middle token. {description}."
