"""Drawings of tables of vectors: parts that are added number by number, and large tables as pictures."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import check_tokens, to_array
from .style import INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_sum(
    parts: Mapping[str, Any], tokens: Sequence[str], title: str | None = None, digits: int = 2
) -> "Figure":
    """Draw up to four tables of numbers, with + between them, and their sum.

    Each part is `[T, F]`, the same shape for all, with a row for each token; F of 4 to 6 can be read.
    """
    tables = {name: to_array(part, name, "T, F") for name, part in parts.items()}
    if not 1 <= len(tables) <= 4 or len({table.shape for table in tables.values()}) != 1:
        raise ValueError("draw_sum takes one to four parts of the same shape.")
    tables["sum"] = np.sum(list(tables.values()), axis=0)
    rows, columns = tables["sum"].shape
    names = check_tokens(tokens, rows, "rows")
    width = 0.3 + 0.1 * digits  # inches a number
    left = 0.1 * max(map(len, names)) + 0.2
    with style():
        figure = canvas(
            left + len(tables) * (columns * width + 0.35), 0.3 * rows + (1.0 if title else 0.6), title
        )
        grid = figure.subplots(1, len(tables), squeeze=False)[0]
        for place, (axes, (name, table)) in enumerate(zip(grid, tables.items(), strict=True)):
            last = place == len(tables) - 1
            axes.imshow(np.ones_like(table), cmap="gray", vmin=0, vmax=1, aspect="auto")
            axes.set_facecolor(TINT)
            axes.images[0].set_visible(False)
            axes.set_title(name, loc="center", fontsize=11, color=LIT if last else INK)
            axes.set_yticks(range(rows), names if place == 0 else [""] * rows)
            axes.set_xticks([])
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            if not last:
                sign = "=" if place == len(tables) - 2 else "+"
                axes.text(
                    1.0, 0.5, f" {sign}", transform=axes.transAxes, va="center", fontsize=15, color=QUIET
                )
            for (row, column), value in np.ndenumerate(table):
                axes.text(
                    column, row, f"{round(value, digits) + 0.0:.{digits}f}", ha="center", va="center",
                    fontsize=9.5, weight="bold" if last else "normal",
                )  # fmt: skip
    return figure


def draw_tables(
    tables: Mapping[str, Any],
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    below: tuple[str, float] | None = None,
) -> "Figure":
    """Draw up to three large tables side by side as shades, each on a scale of its own.

    Each table is `[N, M]`, row 0 on top. Dark is high and light is low; the scale leaves out the most
    extreme hundredth of the numbers, which would make all others alike. `below`, such as
    `("new places", 15.5)`, draws a dashed line across every table at that row and names what lies below.
    """
    drawn = {name: to_array(table, name, "N, M") for name, table in tables.items()}
    if not 1 <= len(drawn) <= 3:
        raise ValueError(f"There are {len(drawn)} tables; between one and three fit side by side.")
    with style():
        figure = canvas(8.6, 8.6 / len(drawn) * 0.82 + (0.4 if title else 0.0), title)
        grid = figure.subplots(1, len(drawn), squeeze=False)[0]
        for place, (axes, (name, table)) in enumerate(zip(grid, drawn.items(), strict=True)):
            low, high = np.quantile(table, [0.005, 0.995])
            axes.imshow(table, cmap="Blues", vmin=low, vmax=high, aspect="auto", interpolation="nearest")
            axes.spines[:].set_visible(False)
            axes.set_title(name, loc="center", fontsize=11)
            axes.set_xlabel(xlabel, color=QUIET)
            if below is not None:
                name, row = below
                axes.axhline(row, color=INK, linewidth=1, linestyle=(0, (4, 3)))
                axes.text(table.shape[1] - 1, row + 0.4, name, ha="right", va="top", color=INK, fontsize=10)
            if place == 0:
                axes.set_ylabel(ylabel, color=QUIET)
    return figure
