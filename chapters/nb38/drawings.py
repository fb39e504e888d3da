"""The pictures of notebook 38: digits in rows, how a ViT reads one, cuts, and what a record holds.

Each comes with its text alternative: `figures.show(*drawings.draw_rows(...))`.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import Array, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TASK = "digits"
KINDS = ("regression", "CNN", "ViT")
PAGE_WIDTH = 10.4  # inches
EACH = "each with each, itself included"
NAMES = {"regression": "logistic regression", "CNN": "CNN", "ViT": "ViT"}


def draw_rows(rows: Mapping[str, Any], size: int) -> tuple[Figure, str]:
    """Draw gray pictures [B, 1, H, W] from 0 to 1 in rows with their names, and the edges of patches."""
    figure, grid = _rows(rows)
    for axes in grid.flat:
        _draw_edges(axes, size)
    return figure, f"{_describe_rows(rows)}, each with the edges of its patches of {size} × {size}."


def draw_completed(rows: Mapping[str, Any]) -> tuple[Figure, str]:
    """Draw gray pictures [B, 1, H, W] from 0 to 1 in rows; what stands above the line was given."""
    figure, grid = _rows(rows)
    for axes in grid.flat:
        bottom, top = axes.get_ylim()
        axes.axhline((bottom + top) / 2, color=LIT, linewidth=1.6)
    return figure, f"{_describe_rows(rows)}. The half above the line was given."


def _rows(rows: Mapping[str, Any]) -> tuple[Figure, Any]:
    """A figure with pictures in rows, the name of each row at its left; its axes [rows, B]."""
    tables = {name: _gray(images, name) for name, images in rows.items()}
    if len({len(table) for table in tables.values()}) != 1:
        sizes = {name: len(table) for name, table in tables.items()}
        raise ValueError(f"The rows hold {sizes} pictures: give as many of each.")
    count = len(next(iter(tables.values())))
    with style():
        figure = canvas(0.78 * count + 2.2, 0.82 * len(tables) + 0.1)
        grid = figure.subplots(len(tables), count, squeeze=False)
        for line, (name, table) in zip(grid, tables.items(), strict=True):
            for axes, image in zip(line, table, strict=True):
                _show(axes, image)
            line[0].set_ylabel(name, rotation=0, ha="right", va="center", labelpad=8, color=INK)
    return figure, grid


def _describe_rows(rows: Mapping[str, Any]) -> str:
    """The words for `_rows`."""
    return f"{len(rows)} rows of {len(next(iter(rows.values())))} pictures: {'; '.join(rows)}"


def _draw_edges(axes: Axes, size: int) -> None:
    """Draw the edges of square patches over a picture."""
    for edge in range(size, round(max(axes.get_xlim()) + 0.5), size):
        axes.axhline(edge - 0.5, color=LIT, linewidth=1)
        axes.axvline(edge - 0.5, color=LIT, linewidth=1)


def _gray(images: Any, name: str) -> Array:
    """Gray pictures as [B, H, W]."""
    table = to_array(images, repr(name), "B, 1, H, W")
    if table.shape[1] != 1:
        raise ValueError(f"{name!r} is {list(table.shape)}: gray pictures have one channel.")
    return table[:, 0]


def _show(axes: Axes, image: Array) -> None:
    """Draw one gray picture, dark on white, in a thin frame."""
    axes.imshow(image, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
    axes.set(xticks=[], yticks=[])
    for side in axes.spines.values():
        side.set(visible=True, color=FAINT)


def draw_vit(image: Any, size: int, width: int, digits: int) -> tuple[Figure, str]:
    """Draw how a gray picture [1, H, W] becomes tokens, and tokens a digit, with the shapes at each step."""
    table = _gray(to_array(image, "the picture", "1, H, W")[None], "the picture")[0]
    side = len(table) // size
    count = side * side
    page = Schematic(PAGE_WIDTH, 3.5)
    whole = page.figure.add_axes((0.1 / PAGE_WIDTH, 1.0 / 3.5, 1.5 / PAGE_WIDTH, 1.5 / 3.5))
    _show(whole, table)
    _draw_edges(whole, size)
    page.text(0.85, 2.75, f"{len(table)} × {len(table)} pixels", color=QUIET, fontsize=10)
    patches = page.box(1.95, 1.45, 1.15, 0.6, "patches", f"[{count}, {size * size}]", "tint")
    tokens = page.box(3.4, 1.45, 1.25, 0.6, "nn.Linear", f"[{count}, {width}]", "tint")
    cls = page.box(4.95, 2.6, 1.15, 0.6, "[CLS]", f"[1, {width}]")
    joined = page.box(4.95, 1.45, 1.15, 0.6, "in a row", f"[{1 + count}, {width}]", "quiet")
    positions = page.box(5.95, 0.2, 1.3, 0.6, "positions", f"[{1 + count}, {width}]")
    added = page.box(6.4, 1.5, 0.4, 0.5, "+", look="quiet")
    encoder = page.box(7.15, 1.45, 1.2, 0.6, "encoder", f"[{1 + count}, {width}]", "lit")
    head = page.box(8.7, 1.45, 1.55, 0.6, "head on [CLS]", f"[{digits}]", "tint")
    page.arrow((1.62, 1.75), patches.west)
    page.arrow(patches.east, tokens.west)
    page.arrow(tokens.east, joined.west)
    page.arrow(cls.below, joined.top)
    page.text(5.95, 2.32, "in front", color=QUIET, fontsize=10)
    page.arrow(joined.east, added.west)
    page.arrow(positions.top, added.below)
    page.arrow(added.east, encoder.west)
    page.arrow(encoder.east, head.west)
    return page.figure, (
        f"A picture of {len(table)} × {len(table)} pixels is cut into {count} patches of {size * size}"
        f" numbers. A linear layer makes {count} vectors of {width}, [CLS] is put in front of them, positions"
        f" [{1 + count}, {width}] are added to all, the encoder reads {1 + count} vectors, and a head on"
        f" [CLS] gives {digits} logits."
    )


def draw_cut(images: Mapping[str, Any], size: int) -> Figure:
    """Draw gray pictures [1, H, W] with the edges of square patches, and count tokens and pairs."""
    with style():
        figure = canvas(2.3 * len(images) + 3.2, 2.6)
        panels = figure.subplots(1, len(images) + 1)
        for axes, (name, image) in zip(panels, images.items(), strict=False):
            table = _gray(to_array(image, repr(name), "1, H, W")[None], name)[0]
            _show(axes, table)
            axes.set_title(name, fontsize=11, loc="center")
            _draw_edges(axes, size)
        panels[-1].axis("off")
        tokens = (len(table) // size) ** 2
        words = f"patches of {size} × {size}\n\n{tokens} patches\n{tokens * tokens:,} pairs\n({EACH})"
        panels[-1].text(0.0, 0.5, words, va="center", fontsize=12, transform=panels[-1].transAxes)
    return figure


def describe_cut(images: Mapping[str, Any], size: int) -> str:
    """The words for `draw_cut`."""
    side = to_array(next(iter(images.values())), "the picture", "1, H, W").shape[-1]
    tokens = (side // size) ** 2
    return (
        f"{', '.join(images)}, {side} × {side} pixels, cut into patches of {size} × {size}: {tokens} patches,"
        f" {tokens * tokens:,} pairs ({EACH})."
    )


def recorded_rows(table: Any) -> list[int]:
    """The numbers of pictures that the record has."""
    return sorted({int(arm.split(", ")[1]) for arm in table.arms(TASK) if arm.startswith("ViT, ")})


def draw_learning(table: Any, yours: Mapping[str, float], rows: int) -> tuple[Figure, str]:
    """Draw the share of test digits named right over the pictures learned from, three seeds each.

    yours: shares of your own run by name, from `rows` pictures, in black.
    """
    counts = recorded_rows(table)
    phrases = []
    lowest = min(yours.values(), default=1.0)
    with style():
        figure = canvas(8.4, 4.5, "Digits named right, by the pictures learned from (bands: three seeds)")
        axes = figure.subplots()
        for number, kind in enumerate(KINDS):
            values = [table.values(TASK, f"{kind}, {count}", "right") for count in counts]
            means = [100 * mean(each) for each in values]
            low, high = [100 * min(each) for each in values], [100 * max(each) for each in values]
            lowest = min([lowest, *(min(each) for each in values)])
            axes.fill_between(counts, low, high, color=SERIES[number], alpha=0.18, linewidth=0)
            look = {"color": SERIES[number], "linestyle": DASHES[number], "marker": MARKERS[number]}
            axes.plot(counts, means, label=NAMES[kind], **look)
            phrases.append(f"{NAMES[kind]} {', '.join(f'{one:.0f}' for one in means)}")
        for name, share in yours.items():
            look = {"marker": MARKERS[KINDS.index(name)], "markersize": 10, "linestyle": "none"}
            label = f"yours: {NAMES[name]}, {rows:,} pictures"
            axes.plot([rows], [100 * share], color="black", label=label, zorder=4, **look)
        axes.set_xscale("log")
        axes.set_xticks(counts, [f"{count:,}" for count in counts])
        axes.minorticks_off()
        floor = int(10 * lowest) * 10
        axes.set_ylim(floor, 101)
        axes.set_xlabel("pictures learned from (logarithmic axis)")
        axes.set_ylabel(f"% of 500 test digits, from {floor}")
        axes.grid(axis="y")
        figure.legend(loc="outside lower center", ncols=2 if yours else 1)
    own = ", ".join(f"{NAMES[name]} {100 * share:.0f}" for name, share in yours.items())
    return figure, (
        f"Percent of digits named right from {', '.join(f'{count:,}' for count in counts)} pictures, means of"
        f" three seeds: {'; '.join(phrases)}. Yours from {rows:,}: {own or 'none'}."
    )


def draw_positions(positions: Any) -> tuple[Figure, str]:
    """Draw the cosines between each position of a square grid and all others, positions [N, D] in panels."""
    table = to_array(positions, "positions", "N, D")
    side = round(len(table) ** 0.5)
    unit = table / (table**2).sum(axis=1, keepdims=True) ** 0.5
    cosines = unit @ unit.T
    near, far = [], []
    with style():
        figure = canvas(5.2, 4.9)
        panels = figure.subplots(side, side, squeeze=False)
        for place in range(len(table)):
            axes = panels[place // side, place % side]
            shown = axes.imshow(cosines[place].reshape(side, side), cmap="PuOr_r", vmin=-1, vmax=1)
            axes.set(xticks=[], yticks=[])
            for other in range(len(table)):
                apart = abs(place // side - other // side) + abs(place % side - other % side)
                if apart == 1:
                    near.append(float(cosines[place, other]))
                elif apart > 1:
                    far.append(float(cosines[place, other]))
        figure.colorbar(shown, ax=panels, shrink=0.8, label="cosine")
        figure.suptitle(f"Mean cosine: neighbors {mean(near):.2f}, all others {mean(far):.2f}", fontsize=11)
    return figure, (
        f"For each of {len(table)} places the cosines of its position with all others. Mean of neighbors"
        f" {mean(near):.2f}, of places further apart {mean(far):.2f}."
    )
