"""BERT's input as a picture: three lookups for each token, added up; and large tables as shades."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TOKENS = 8  # more do not fit side by side
LABELS, COLUMN, GAP, ROW = 1.75, 1.05, 0.14, 0.55  # inches
TITLE = "Each token looks up three rows, and BERT adds them (of each, the first of {} numbers)"
TABLES = (("word", "which token?"), ("+ position", "at which place?"), ("+ token type", "in which text?"))


def draw_input_sum(
    tokens: Sequence[str], types: Sequence[int], words: Any, positions: Any, token_types: Any
) -> tuple["Figure", str]:
    """Draw what each token looks up in three tables, and the sums, by the first number of each vector.

    `types` are 0 or 1, one for each of up to eight tokens; `words`, `positions` and `token_types` are
    `[T, D]`, the rows that were looked up.
    """
    names, parts = _checked(tokens, types, words, positions, token_types)
    width = LABELS + len(names) * (COLUMN + GAP) + 0.1
    page = Schematic(width, 4.05)
    page.text(width / 2, 3.87, TITLE.format(parts[0].shape[1]), weight="bold", fontsize=12)
    labels = (names, [str(place) for place in range(len(names))], [str(kind) for kind in types])
    for row, ((table, asks), keys, rows) in enumerate(zip(TABLES, labels, parts, strict=True)):
        bottom = 3.05 - row * (ROW + 0.12)
        page.text(0.12, bottom + 0.38, table, ha="left", weight="bold")
        page.text(0.12, bottom + 0.15, asks, ha="left", fontsize=10)
        for column, (key, number) in enumerate(zip(keys, rows[:, 0], strict=True)):
            page.box(_left(column), bottom, COLUMN, ROW, key, f"{number:.4f} ...")
    page.text(0.12, 1.24, "= sum", ha="left", weight="bold", color=LIT)
    page.text(0.12, 1.02, f"[{len(names)}, {parts[0].shape[1]}]", ha="left", fontsize=10)
    norm = page.box(_left(0), 0.12, width - LABELS - GAP - 0.1, 0.42, "layer norm, then dropout", look="lit")
    for column, number in enumerate(np.sum(parts, axis=0)[:, 0]):
        total = page.box(_left(column), 0.94, COLUMN, 0.42, f"{number:.4f} ...", look="tint")
        page.arrow(total.below, (total.below[0], norm.bottom + norm.height))
    description = "; ".join(
        f"{name}: word {word:.4f}, position {place} {position:.4f}, token type {kind} {token_type:.4f}, "
        f"sum {word + position + token_type:.4f}"
        for place, (name, kind, word, position, token_type) in enumerate(
            zip(names, types, *(rows[:, 0] for rows in parts), strict=True)
        )
    )
    alt = (
        f"What each token looks up in three tables, by the first of {parts[0].shape[1]} numbers."
        f" {description}. The sums go on to layer norm."
    )
    return page.figure, alt


def _left(column: int) -> float:
    """The left edge of a token's boxes, in inches."""
    return LABELS + column * (COLUMN + GAP)


def _checked(tokens: Sequence[str], types: Sequence[int], *parts: Any) -> tuple[list[str], list[Array]]:
    """The tokens and the three parts [T, D], each with a row for each token."""
    names = check_tokens(tokens, len(types), "types")
    arrays = [
        to_array(part, name, "T, D")
        for name, part in zip(("words", "positions", "token_types"), parts, strict=True)
    ]
    if not 1 <= len(names) <= MOST_TOKENS or {part.shape for part in arrays} != {
        (len(names), arrays[0].shape[1])
    }:
        raise ValueError(
            f"draw_input_sum takes one to {MOST_TOKENS} tokens and a row of each table for each."
        )
    return names, arrays


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
