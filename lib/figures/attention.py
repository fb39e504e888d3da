"""Drawings of attention: one head, and many heads."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_chosen, check_tokens, to_array, to_layers
from .style import FAINT, INK, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NUMBERS_UP_TO = 12  # tokens; beyond, printed weights would be too small to read
MOST_MAPS = 6
NAMES_UP_TO = 40  # tokens; beyond, names would overlap
SHADES = "Blues"  # one hue, and its gray falls evenly: safe for any eyes and any printer
SPECIAL = ("[CLS]", "[SEP]", "[PAD]")


def draw_attention(
    weights: Any,
    tokens: Sequence[str],
    title: str | None = None,
    darkest: float | None = None,
) -> "Figure":
    """Draw the attention weights of one head as a table of shades.

    `weights` is `[T, T]`: row i holds what token i looks at. Numbers are printed up to 12 tokens. Scores
    before the softmax may be drawn too. `darkest` is the weight of the darkest shade, by default the
    largest; fix it where pictures are to be compared. Shapes that do not fit raise a ValueError.
    """
    table = to_array(weights, "weights", "T, T")
    high = float(table.max()) if darkest is None else darkest
    rows = check_tokens(tokens, table.shape[0], "rows")
    columns = check_tokens(tokens, table.shape[1], "columns")
    side = 0.58 if max(table.shape) <= NUMBERS_UP_TO else 0.24
    longest = max(len(name) for name in rows)
    with style():
        figure = canvas(
            min(9.0, max(3.6, side * len(columns) + 0.09 * longest + 1.4)),
            min(7.5, max(2.6, 0.72 * side * len(rows) + 0.09 * longest + 0.9)),
            title,
        )
        axes = figure.subplots()
        image = _shade(axes, table, high)
        name_tokens(axes, rows, columns)
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        sums_to_one = np.allclose(table.sum(axis=1), 1, atol=0.01) and table.min() >= 0
        axes.set_xlabel("to: what is looked at", color=QUIET)
        axes.set_ylabel("from: each row sums to 1" if sums_to_one else "from", color=QUIET)
        if max(table.shape) <= NUMBERS_UP_TO:
            _print_numbers(axes, table, high)
        else:
            bar = figure.colorbar(image, ax=axes, shrink=0.7, pad=0.02)
            bar.outline.set_visible(False)
    return figure


def draw_heads(
    attentions: Any,
    tokens: Sequence[str],
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    title: str | None = None,
) -> "Figure":
    """Draw many heads as small tables, all on one scale, each titled layer-head.

    `attentions` is one layer's `[H, T, T]`, or every layer's: what a model returns, or
    `[L, H, T, T]`. `layers` and `heads` choose some; they count from 0, as in code. Several layers
    stand one to a row. Where tables are too small for the tokens' names, these stand below all of them.
    """
    one_layer = getattr(attentions, "ndim", 4) == 3
    stack, names, chosen_layers, chosen_heads = _choose(attentions, tokens, layers, heads)
    cells = [
        (layer, head, weights[head])
        for layer, weights in zip(chosen_layers, stack, strict=True)
        for head in chosen_heads
    ]
    columns = len(chosen_heads) if len(chosen_layers) > 1 else min(6, len(cells))
    rows = -(-len(cells) // columns)
    side = min(2.1, 8.6 / columns)  # inches
    named = side >= 1.4 and len(names) <= 12
    darkest = max(float(weights.max()) for _, _, weights in cells)
    with style():
        margin = 0.075 * max(map(len, names)) if named else 0.0
        figure = canvas(
            max(3.4, side * columns + margin + 0.3),
            (side + 0.16) * rows + margin + (0.65 if title else 0.3),
            title,
        )
        grid = figure.subplots(rows, columns, squeeze=False)
        for place, axes in enumerate(grid.flat):
            if place >= len(cells):
                axes.axis("off")
                continue
            layer, head, weights = cells[place]
            _shade(axes, weights, darkest, square=True)
            first, last = place % columns == 0, place + columns >= len(cells)
            name_tokens(axes, names if named and first else [], names if named and last else [], 8.5)
            label = f"head {head}" if one_layer else f"{layer}-{head}"
            axes.set_title(label, fontsize=10 if side > 1 else 8.5, pad=3, loc="center")
        quiet = {"color": QUIET, "fontsize": 10.5}
        figure.supylabel("from", **quiet)
        named_by = "" if one_layer else "; above each: layer-head"
        order = "" if named or len(names) > NUMBERS_UP_TO else f"Rows and columns: {' '.join(names)}\n"
        figure.supxlabel(f"{order}to (darkest = {darkest:.2f}{named_by})", **quiet)
    return figure


def draw_maps(
    maps: Mapping[str, Any], tokens: Sequence[str], title: str | None = None, boundary: int | None = None
) -> "Figure":
    """Draw up to six attention maps side by side, three in a row, each under its name, on one scale.

    Each map is `[T, T]`, of the same tokens, which are written at the left and below; a line before token
    `boundary` parts two texts.
    """
    tables = {name: to_array(table, repr(name), "T, T") for name, table in maps.items()}
    if not 1 <= len(tables) <= MOST_MAPS:
        raise ValueError(f"There are {len(tables)} maps; one to {MOST_MAPS} can be read side by side.")
    names = check_tokens(tokens, len(next(iter(tables.values()))), "rows")
    columns = min(3, len(tables))
    rows = -(-len(tables) // columns)
    darkest = max(float(table.max()) for table in tables.values())
    with style():
        figure = canvas(9.0, 2.9 * rows + 0.6, title)
        grid = figure.subplots(rows, columns, squeeze=False)
        for axes in grid.flat[len(tables) :]:
            axes.axis("off")
        for axes, (name, table) in zip(grid.flat, tables.items(), strict=False):
            _shade(axes, table, darkest, square=True)
            name_tokens(axes, names, names, 8.5)
            if boundary is not None:
                axes.axhline(boundary - 0.5, color=INK, linewidth=0.8)
                axes.axvline(boundary - 0.5, color=INK, linewidth=0.8)
            axes.set_title(name, fontsize=10.5, loc="center", pad=4)
        figure.supxlabel(f"to  (white: 0, darkest: {darkest:.2f})", color=QUIET, fontsize=10.5)
        figure.supylabel("from", color=QUIET, fontsize=10.5)
    return figure


def describe_attention(weights: Any, tokens: Sequence[str]) -> str:
    """Say in words what `draw_attention` shows: the tokens, and where each looks most."""
    table = to_array(weights, "weights", "T, T")
    names = check_tokens(tokens, len(table), "rows")
    looks = [
        f"{name} at {names[int(row.argmax())]} ({row.max():.2f})"
        for name, row in zip(names, table, strict=True)
    ]
    return f"A table of attention weights. Each token looks most at: {'; '.join(looks[:12])}" + (
        "; and so on." if len(looks) > 12 else "."
    )


def describe_heads(
    attentions: Any,
    tokens: Sequence[str],
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
) -> str:
    """Say in words what `draw_heads` shows: how many heads, which token is looked at most, and the
    three heads with the strongest weight from one word to another (not [CLS], [SEP] or itself).
    """
    one_layer = getattr(attentions, "ndim", 4) == 3
    stack, names, chosen_layers, chosen_heads = _choose(attentions, tokens, layers, heads)
    some = stack[:, chosen_heads]  # [L, H', T, T]
    words = np.array([name not in SPECIAL for name in names])
    between = np.outer(words, words) & ~np.eye(len(names), dtype=bool)
    among = np.where(between, some, 0.0) if between.any() else some
    strongest = among.max(axis=(2, 3))  # [L, H']
    pairs = []
    for place in np.argsort(-strongest, axis=None, kind="stable")[:3]:
        layer, head = divmod(int(place), len(chosen_heads))
        row, column = divmod(int(among[layer, head].argmax()), len(names))
        where = f"layer {chosen_layers[layer]} " if not one_layer else ""
        pairs.append(
            f"in {where}head {chosen_heads[head]}, {names[row]} looks at {names[column]} "
            f"({strongest[layer, head]:.2f})"
        )
    received = some.mean(axis=(0, 1, 2))  # [T]
    most = int(received.argmax())
    of = "1 layer" if len(chosen_layers) == 1 else f"{len(chosen_layers)} layers"
    in_each = "1 head" if len(chosen_heads) == 1 else f"{len(chosen_heads)} heads"
    return (
        f"Attention weights of {of} with {in_each} on the {len(names)} tokens {' '.join(names)}. "
        f"Most looked at on average: {names[most]} ({received[most]:.2f}). "
        f"Strongest heads between words: {'; '.join(pairs)}."
    )


def describe_maps(maps: Mapping[str, Any], tokens: Sequence[str]) -> str:
    """Say in words what `draw_maps` shows: what two tokens get most, and what the diagonal gets."""
    sentences = []
    for name, map_ in maps.items():
        table = to_array(map_, repr(name), "T, T")
        names = check_tokens(tokens, len(table), "rows")
        gets = table.mean(axis=0)
        first, second = np.argsort(-gets, kind="stable")[:2]
        near = np.abs(np.subtract.outer(range(len(names)), range(len(names)))) <= 1
        sentences.append(
            f"{name}: most goes to {names[first]} ({gets[first]:.2f}) and {names[second]}"
            f" ({gets[second]:.2f}); a token gives {(table * near).sum() / len(names):.2f} to itself and its"
            " neighbors"
        )
    return f"Attention maps on the {len(tokens)} tokens {' '.join(tokens)}. {'. '.join(sentences)}."


def _choose(
    attentions: Any, tokens: Sequence[str], layers: Sequence[int] | None, heads: Sequence[int] | None
) -> tuple[Array, list[str], list[int], list[int]]:
    """Return the chosen layers `[L, H, T, T]`, the tokens' names, and which layers and heads are meant."""
    is_one = getattr(attentions, "ndim", 4) == 3
    stack, chosen_layers = to_layers([attentions] if is_one else attentions, layers)
    return (
        stack,
        check_tokens(tokens, stack.shape[-1], "rows"),
        chosen_layers,
        check_chosen(heads, stack.shape[1], "heads"),
    )


def _shade(axes: "Axes", table: Array, darkest: float, square: bool = False) -> Any:
    axes.spines[:].set(visible=True, color=FAINT)
    lightest = min(0.0, float(table.min()))
    return axes.imshow(
        table, cmap=SHADES, vmin=lightest, vmax=max(darkest, lightest + 1e-9),
        aspect="equal" if square else "auto", interpolation="nearest",
    )  # fmt: skip


def name_tokens(axes: "Axes", rows: list[str], columns: list[str], size: float = 11) -> None:
    """Write the tokens beside the rows and columns; no names, no ticks."""
    size = size if max(len(rows), len(columns)) <= NUMBERS_UP_TO else 8.5
    axes.tick_params(length=0, labelsize=size)
    rows = rows if len(rows) <= NAMES_UP_TO else []
    columns = columns if len(columns) <= NAMES_UP_TO else []
    axes.set_yticks(range(len(rows)), rows)
    upright = sum(map(len, columns)) > 40 or len(columns) > 8 or size < 10
    axes.set_xticks(range(len(columns)), columns, rotation=90 if upright else 0)


def _print_numbers(axes: "Axes", table: Array, high: float) -> None:
    low = min(0.0, float(table.min()))
    digits = 2 if max(abs(low), float(table.max())) < 10 else 1
    for (row, column), value in np.ndenumerate(table):
        shade = (value - low) / (high - low) if high > low else 0.0
        written = "0" if value == 0 else f"{value:.{digits}f}"  # masked, or only small
        axes.text(
            column, row, written, ha="center", va="center", fontsize=10.5,
            color="white" if shade > 0.55 else QUIET if abs(value) < 0.005 else INK,
        )  # fmt: skip
