"""What a normalization averages over, drawn on sentences of different lengths."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import to_array
from .style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .arrays import Array

PAD = "[PAD]"
LIGHT, SHARED = "white", "#7fa6cb"
GRID = "#98a3ae"  # darker than elsewhere: most of the squares are empty


def draw_reach(
    reached: Mapping[str, Any],
    sentences: Sequence[Sequence[str]],
    cell: tuple[int, int, int],
    title: str | None = None,
    borders: Mapping[str, Sequence[int]] | None = None,
) -> "Figure":
    """Draw, for each of up to six norms, which cells of a block have a say in one of them.

    `reached` maps a norm's name to a boolean block `[N, T, D]`, True where a change is felt in `cell`
    (sentence, token, feature), which is drawn darkest. `sentences` gives N lists of T tokens, "[PAD]"
    where a sentence is filled up; these rows are hatched. Blocks stand one above the other, a sentence
    each, with tokens as rows and features as columns. `borders`, such as `{"group": [3]}`, draws a heavy
    line ahead of a norm's features where a new group begins.
    """
    blocks = {name: _block(block, name) for name, block in reached.items()}
    if not 1 <= len(blocks) <= 6 or len({block.shape for block in blocks.values()}) != 1:
        raise ValueError("draw_reach takes one to six blocks of the same shape.")
    count, length, size = next(iter(blocks.values())).shape
    if [len(tokens) for tokens in sentences] != [length] * count:
        raise ValueError(f"sentences should be {count} lists of {length} tokens, filled up with {PAD}.")
    if not all(block[cell] for block in blocks.values()):
        raise ValueError(f"The cell {cell} does not reach itself; is it the right one?")
    borders = {} if borders is None else borders
    if not borders.keys() <= blocks.keys():
        raise ValueError(f"borders names {sorted(borders.keys() - blocks.keys())}, which no block is called.")
    left = 0.085 * max(len(token) for tokens in sentences for token in tokens) + 0.3
    with style():
        figure = canvas(
            left + len(blocks) * (0.23 * size + 0.25), count * (0.23 * length + 0.1) + 1.05, title
        )
        grid = figure.subplots(count, len(blocks), squeeze=False)
        for column, (name, block) in enumerate(blocks.items()):
            for number, tokens in enumerate(sentences):
                axes = grid[number, column]
                marked = cell[1:] if number == cell[0] else None
                _draw_sentence(axes, block[number], [token == PAD for token in tokens], marked)
                axes.set_yticks(range(length), tokens if column == 0 else [""] * length, fontsize=9.5)
                for feature in borders.get(name, ()):
                    axes.axvline(feature - 0.5, color=INK, linewidth=2.2)
                if number == count - 1:
                    axes.set_xticks(range(size), [str(feature) for feature in range(size)], fontsize=9.5)
            grid[0, column].set_title(name, loc="center", fontsize=11)
        figure.supxlabel(
            "feature   (darkest: the number; shaded: what it depends on; hatched: [PAD])",
            color=QUIET, fontsize=10.5,
        )  # fmt: skip
    return figure


def _block(block: Any, name: str) -> "Array":
    array = to_array(block, name, "N, T, D")
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"The block {name!r} is not boolean; give True where a change is felt.")
    return array


def _draw_sentence(
    axes: "Axes", felt: "Array", padding: Sequence[bool], marked: tuple[int, ...] | None
) -> None:
    """One sentence [T, D], a square for each number."""
    from matplotlib.patches import Rectangle

    for (row, column), value in np.ndenumerate(felt):
        color = LIT if marked == (row, column) else SHARED if value else LIGHT
        square = Rectangle(
            (column - 0.5, row - 0.5), 1, 1, facecolor=color, edgecolor=QUIET if padding[row] else GRID,
            linewidth=0.8, hatch="////" if padding[row] else None,
        )  # fmt: skip
        axes.add_patch(square)
    length, size = felt.shape
    axes.set(xlim=(-0.55, size - 0.45), ylim=(length - 0.45, -0.55), aspect="equal", xticks=[])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
