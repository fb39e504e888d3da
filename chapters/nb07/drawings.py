"""The drawings of notebook 07: layer norm on one token, and what four norms average over."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from lib import figures
from lib.analysis.vectors import similarity
from lib.figures.arrays import to_array
from lib.figures.schematic import Box, Schematic
from lib.figures.style import INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from arrays import Array
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# Layer norm on one token: which numbers it shares, and the vector after each of its steps.

WIDE, TALL, ROW = 0.85, 0.42, 0.6  # of a box with one number, and from one feature to the next, in inches
SHARED = 1.0  # the width of a box that belongs to all features
GAP = 0.95  # for an arrow with its sum
LEFT, BOTTOM = 1.2, 0.55


def draw_layer_norm(steps: Mapping[str, Any], weight: Any, bias: Any, title: str) -> tuple["Figure", str]:
    """Draw one token's vector after each step, left to right, a box for each number.

    `steps` maps four names to vectors [D], in order: the token's own vector, without its mean, divided by
    its standard deviation, and with `weight` and `bias` [D]. The mean and the standard deviation ("spread")
    are tall boxes into which all features go; weight and bias stand on the arrow of their own feature.
    """
    vectors = _vectors(steps, weight, bias)
    token, deviation, *_, weights, biases = vectors
    size = len(token)
    height = BOTTOM + size * ROW + 0.95
    stride = WIDE + GAP / 2 + SHARED + GAP
    lefts = [LEFT, LEFT + stride, LEFT + 2 * stride, LEFT + 2 * stride + WIDE + 1.6]
    page = Schematic(lefts[-1] + WIDE + 0.75, height)
    page.text(0.15, height - 0.22, title, ha="left", fontsize=13, weight="bold")
    columns: list[list[Box]] = []
    for left, name, numbers, look in zip(
        lefts, steps, vectors[:4], ("plain", "tint", "tint", "lit"), strict=True
    ):
        page.text(left + WIDE / 2, height - 0.66, name, color=LIT, weight="bold")
        columns.append(
            [
                page.box(left, _bottom(feature, size), WIDE, TALL, _written(number), look=look)
                for feature, number in enumerate(numbers)
            ]
        )
        about = f"mean {_written(numbers.mean())}, spread {_written(numbers.std())}"
        page.text(left + WIDE / 2, 0.25, about, color=QUIET, fontsize=10.5)
    for feature, box in enumerate(columns[0]):
        page.text(LEFT - 0.15, box.west[1], f"feature {feature}", ha="right", color=QUIET)
    mean, spread = _written(token.mean()), _written(deviation.std())
    _share(page, columns[0], columns[1], f"mean: {mean}", [f"{_written(x)} − {mean}" for x in token])
    _share(
        page, columns[1], columns[2], f"spread: {spread}", [f"{_written(x)} / {spread}" for x in deviation]
    )
    for start, end, factor, shift in zip(columns[2], columns[3], weights, biases, strict=True):
        page.arrow(start.east, end.west, label=f"× {_written(factor)} + {_written(shift)}")
    description = [
        f"{done}: {_listed(vector)} (mean {_written(vector.mean())}, spread {_written(vector.std())})"
        for done, vector in zip(steps, vectors[:4], strict=True)
    ]
    alt = (
        f"One token's vector, step by step. {'; '.join(description)}. All features share the mean"
        f" {_written(vectors[0].mean())} and the spread {_written(vectors[1].std())}; each has a weight"
        f" ({_listed(weights)}) and a bias ({_listed(biases)}) of its own."
    )
    return page.figure, alt


def _vectors(steps: Mapping[str, Any], weight: Any, bias: Any) -> "list[Array]":
    """The four vectors, the weights and the biases, all [D]."""
    named = [*steps.items(), ("weight", weight), ("bias", bias)]
    vectors = [to_array(vector, repr(name), "D") for name, vector in named]
    if len(steps) != 4 or len({len(vector) for vector in vectors}) != 1:
        raise ValueError("Give the token's vector and three that came of it, weight and bias, of one length.")
    return vectors


def _share(page: Schematic, sources: list[Box], targets: list[Box], label: str, sums: list[str]) -> None:
    """Draw a tall box into which all numbers go, and from it an arrow to each number that comes of it."""
    lowest, highest = sources[-1], sources[0]
    left = highest.left + WIDE + GAP / 2
    tall = page.box(left, lowest.bottom, SHARED, highest.bottom + TALL - lowest.bottom, label, "of all")
    for start, end, written in zip(sources, targets, sums, strict=True):
        page.arrow(start.east, (tall.left, start.east[1]))
        page.arrow((tall.left + SHARED, end.west[1]), end.west, label=written)


def _bottom(feature: int, size: int) -> float:
    """The lower edge of a feature's boxes; feature 0 stands on top."""
    return BOTTOM + (size - 1 - feature) * ROW


def _listed(numbers: "Array") -> str:
    return ", ".join(map(_written, numbers))


def _written(number: float) -> str:
    """A number with at most two decimals, no zero behind them, and a real minus."""
    return f"{round(float(number), 2) + 0.0:g}".replace("-", "−")


# ---------------------------------------------------------------------------------------------
# What a normalization averages over, drawn on sentences of different lengths.

PAD = "[PAD]"
LIGHT, AVERAGED = "white", "#7fa6cb"
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
        color = LIT if marked == (row, column) else AVERAGED if value else LIGHT
        square = Rectangle(
            (column - 0.5, row - 0.5), 1, 1, facecolor=color, edgecolor=QUIET if padding[row] else GRID,
            linewidth=0.8, hatch="////" if padding[row] else None,
        )  # fmt: skip
        axes.add_patch(square)
    length, size = felt.shape
    axes.set(xlim=(-0.55, size - 0.45), ylim=(length - 0.45, -0.55), aspect="equal", xticks=[])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


# ---------------------------------------------------------------------------------------------
# What is measured, with its words.


def draw_largest(lines: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the largest number at the input and after each layer, for models with and without norms."""
    ends = ", ".join(_rounded(line[-1]) for line in lines.values())
    said = "; ".join(f"{name}: {', '.join(f'{v:,.1f}' for v in line)}" for name, line in lines.items())
    figure = figures.draw_lines(
        range(7),
        dict(lines),
        "layers passed (0: the input)",
        "largest number (each line: times 10)",
        f"The largest number after six layers: {ends}",
        logy=True,
    )
    return figure, f"The largest number among all features of all tokens, after 0 to 6 layers. {said}."


def _rounded(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}"


def how_far(tried: Mapping[str, Tensor], right: Tensor) -> dict[str, list[str]]:
    """A table: how far each computation lies from the right one, at most."""
    far = [f"{(one - right).abs().max():.7f}" for one in tried.values()]
    return {"our computation": list(tried), "largest difference": far}


def draw_four_norms(
    reached: Mapping[str, Tensor], sentences: Sequence[Sequence[str]], cell: tuple[int, int, int]
) -> tuple["Figure", str]:
    """Draw the numbers that have a say in one number after each of four norms."""
    title = f"Which numbers have a say in feature {cell[2]} of “{sentences[cell[0]][cell[1]]}”?"
    counts = ", ".join(f"{name} norm {int(block.sum())}" for name, block in reached.items())
    where = f"feature {cell[2]} of “{sentences[cell[0]][cell[1]]}”"
    words = (
        "Three sentences of 5, 4 and 3 words, filled up with [PAD], as grids of 5 tokens by 6 features, once"
        f" for each norm. So many numbers have a say in {where}: {counts}. Batch norm: its column in all"
        " sentences; instance norm: its column in its own sentence; group norm: three columns of its own"
        " sentence; layer norm: its row alone."
    )
    return draw_reach(reached, sentences, cell, title, {"group": [3]}), words


def beside_company(vectors: Mapping[str, Mapping[str, Tensor]]) -> dict[str, Any]:
    """A table: a token's vector [D] under each norm, alone (the first of each) and beside others."""
    table: dict[str, Any] = {"norm": [], "beside “bank”": [], "cosine": [], "length": []}
    for norm, places in vectors.items():
        alone = next(iter(places.values())).detach()
        for place, vector in places.items():
            table["norm"].append(norm)
            table["beside “bank”"].append(place)
            table["cosine"].append(float(similarity.cosine(alone[None], vector.detach()[None])))
            table["length"].append(f"{vector.detach().norm():.1f}")
    return table


def draw_silenced(
    odd: Sequence[int], at_zero: Sequence[float], at_mean: Sequence[float], controls: Sequence[float]
) -> tuple["Figure", str]:
    """Draw what is left of a sentence's vector when one feature gets the same number for every token."""
    labels = [f"feature {feature}" for feature in odd]
    far = sum(value < min(controls) - 0.1 for value in at_zero)
    figure = figures.draw_bars(
        labels,
        {"set to 0": list(at_zero), "set to its mean": list(at_mean)},
        "mean cosine with the intact model",
        f"{far} of five odd features matters far more than random ones",
        digits=3,
        xlim=(0, 1.1),
        baseline=("worst of 10 random features, at 0:", min(controls)),
    )
    rows = zip(labels, at_zero, at_mean, strict=True)
    said = "; ".join(f"{label}: {one:.3f} at 0, {other:.3f} at its mean" for label, one, other in rows)
    return figure, f"{said}; 10 random features at 0: {min(controls):.3f} to {max(controls):.3f}."


def parts_of_a_norm(vectors: Mapping[str, Tensor], largest: Mapping[str, float]) -> dict[str, Any]:
    """A table: what is left of each norm, the largest number, the cosine with the intact vectors [N, D]."""
    intact = next(iter(vectors.values()))
    return {
        "of each norm is left": list(vectors),
        "largest number": [f"{number:,.1f}" for number in largest.values()],
        "cosine": [float(similarity.cosine(intact, one).diag().mean()) for one in vectors.values()],
    }
