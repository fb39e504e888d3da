"""The drawings of notebook 34: masks, answers, what is heard, milliseconds, a series and its forecasts.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_masks(masks))`.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import ListedColormap

from lib import stats
from lib.figures.arrays import Array, to_array
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.ranges import describe_ranges, draw_ranges
from lib.figures.style import INK, LIT, MARKERS, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAPS = ListedColormap(["white", LIT])
#: the arms of the record, as the picture names them
RECORDED = {
    "k = 1": "one layer, k = 1",
    "k = 1, two layers": "two layers, k = 1",
    "k = 1, earlier keys": "one layer, k = 1, keys one place earlier",
    "k = 2": "one layer, k = 2",
    "k = 3": "one layer, k = 3",
}
TASK = "motifs"


def draw_masks(masks: Mapping[str, Any]) -> tuple["Figure", str]:
    """Draw boolean masks [T, T] side by side, dark where a token looks, with the share of pairs above."""
    tables = {name: _square(mask, name) for name, mask in masks.items()}
    phrases = []
    with style():
        figure = canvas(2.9 * len(tables), 3.5)
        for axes, (name, table) in zip(
            figure.subplots(1, len(tables), squeeze=False)[0], tables.items(), strict=True
        ):
            share = 100 * float(table.mean())
            axes.imshow(table, cmap=MAPS, vmin=0, vmax=1, interpolation="nearest")
            axes.set_title(f"{name}\n{share:.0f}% of the pairs", fontsize=11)
            axes.set_xlabel("looked at")
            ends = [0, len(table) - 1]
            axes.set(xticks=ends, yticks=ends)
            for side in axes.spines.values():
                side.set_visible(True)
            phrases.append(f"{name}: {int(table.sum())} of {table.size} pairs, {share:.0f}%")
        figure.axes[0].set_ylabel("token that looks")
    return figure, f"Masks, dark where a token looks at another. {'; '.join(phrases)}."


def _square(mask: Any, name: str) -> Array:
    """A mask as numbers 0 and 1, [T, T]."""
    table = to_array(mask, repr(name), "T, T")
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"{name!r} is {list(table.shape)}: a mask has as many rows as columns.")
    return table


def draw_answers(f1: Mapping[str, float], shares: Mapping[str, float], asked: int) -> tuple["Figure", str]:
    """Draw the F1 of each mask, 0 to 1, with its share of the pairs, 0 to 1, beside its name."""
    if f1.keys() != shares.keys():
        raise ValueError(f"F1 is of {[*f1]}, shares are of {[*shares]}: give both of the same masks.")
    labels = [f"{name} ({100 * shares[name]:.0f}% of pairs)" for name in f1]
    title = f"How far answers agree with the reference ({asked} questions)"
    figure = draw_bars(labels, [*f1.values()], "F1", title, digits=2)
    phrases = [f"{label}: {value:.3f}" for label, value in zip(labels, f1.values(), strict=True)]
    return figure, f"F1 of {asked} questions by mask. {'; '.join(phrases)}."


def draw_heard(heard: Mapping[str, Sequence[Any]]) -> tuple["Figure", str]:
    """Draw after how many layers each place has heard of each: by mask, reaches [T, T] of 0, 1, ... layers.

    The shading is the number of layers; white is what the last of them still doesn't hear.
    """
    phrases = []
    most = max(len(layers) for layers in heard.values()) - 1
    with style():
        figure = canvas(3.3 * len(heard), 3.9)
        panels = figure.subplots(1, len(heard), squeeze=False)[0]
        for axes, (name, layers) in zip(panels, heard.items(), strict=True):
            tables = [_square(one, name) for one in layers]
            needed = np.full(tables[0].shape, np.nan)
            for number in reversed(range(len(tables))):
                needed[tables[number] > 0] = number
            picture = axes.imshow(needed, cmap="Blues_r", vmin=0, vmax=most + 1.5, interpolation="nearest")
            axes.set_title(name, fontsize=11)
            axes.set_xlabel("heard of")
            axes.set(xticks=[0, len(needed) - 1], yticks=[0, len(needed) - 1])
            for side in axes.spines.values():
                side.set_visible(True)
            counts = [int(table.sum()) for table in tables]
            phrases.append(
                f"{name}: pairs heard after 0 to {len(tables) - 1} layers {', '.join(map(str, counts))}"
            )
        panels[0].set_ylabel("token that hears")
        bar = figure.colorbar(picture, ax=panels.tolist(), shrink=0.8, ticks=range(most + 1))
        bar.set_label("layers needed")
    return figure, f"After how many layers a token has heard of another. {'; '.join(phrases)}."


def draw_clock(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw milliseconds over the length of the text, both axes logarithmic; seconds [N] by way."""
    shown = {name: [1000 * one for one in row] for name, row in seconds.items()}
    title = "Attention of twelve heads, milliseconds of one processor"
    figure = draw_lines(lengths, shown, "tokens", "milliseconds", title, logx=True, logy=True)
    figure.axes[0].set_xticks(lengths, [f"{length:,}" for length in lengths])
    figure.axes[0].minorticks_off()
    phrases = [f"{name} {', '.join(f'{one:.1f}' for one in row)}" for name, row in shown.items()]
    return figure, f"Milliseconds at {', '.join(map(str, lengths))} tokens: {'; '.join(phrases)}."


def draw_segments(length: int, size: int, window: int) -> tuple["Figure", str]:
    """Draw three ways to leave out pairs as what is computed: a whole table, segments, blocks of windows.

    What is computed is light, what counts is dark.
    """
    places = np.arange(length)
    distance = np.abs(places[:, None] - places)
    near = distance <= window
    segment = places // size
    block = places // window
    ways = {
        "a mask on all pairs": (np.ones_like(near), near),
        f"segments of {size}": (segment[:, None] == segment, segment[:, None] == segment),
        f"blocks of {window}, with both neighbors": (np.abs(block[:, None] - block) <= 1, near),
    }
    phrases = []
    with style():
        figure = canvas(9.2, 3.6)
        for axes, (name, (computed, counts)) in zip(figure.subplots(1, 3), ways.items(), strict=True):
            axes.imshow(
                computed.astype(float) + counts, cmap=ListedColormap(["white", TINT, LIT]), vmin=0, vmax=2,
                interpolation="nearest",
            )  # fmt: skip
            axes.set_title(f"{name}\n{int(computed.sum())} computed, {int(counts.sum())} used", fontsize=10)
            axes.set(xticks=[], yticks=[])
            for side in axes.spines.values():
                side.set_visible(True)
            phrases.append(f"{name}: {int(computed.sum())} computed, {int(counts.sum())} used")
    return figure, f"Pairs of {length} tokens, light where computed, dark where used. {'; '.join(phrases)}."


def draw_series(values: Any, starts: Any, length: int = 8) -> tuple["Figure", str]:
    """Draw a series [T], and shade its motif of so many points at each place where it begins."""
    points = to_array(values, "values", "T")
    begins = [int(one) for one in to_array(starts, "starts", "M")]
    with style():
        figure = canvas(8.6, 2.7, f"Noise, and a motif of {length} points that returns (shaded)")
        axes = figure.subplots()
        axes.plot(np.arange(len(points)), points, color=INK, linewidth=1.3, marker=".", markersize=4)
        for start in begins:
            axes.axvspan(start - 0.4, start + length - 0.6, color=TINT, linewidth=0)
        axes.set(xlabel="point", ylabel="value", xlim=(-1, len(points)))
    said = ", ".join(map(str, begins))
    return figure, f"A series of {len(points)} points. Its motif of {length} points begins at {said}."


def draw_forecasts(mine: Mapping[str, float], table: Any, means: float) -> tuple["Figure", str]:
    """Draw the recorded errors where a motif returns, three seeds, and the reader's own, by the same name.

    means: the error of guessing the mean of the points so far, a line.
    """
    names = [*RECORDED, *(name for name in mine if name not in RECORDED)]
    ranges = []
    for name in names:
        values = table.values(TASK, RECORDED[name], "returning") if name in RECORDED else [mine[name]]
        ranges.append((min(values), mean(values), max(values)))
    title = "Squared error where the motif returns"
    figure = draw_ranges(
        names,
        {"recorded, three seeds": ranges},
        "mean squared error",
        title=title,
        baseline=("the mean so far", round(means, 2)),
    )
    axes = figure.axes[0]
    axes.set_xlim(left=0)  # who knows the motif makes no error
    for name, value in mine.items():
        axes.plot(
            value, names.index(name), MARKERS[1], color=SERIES[1], markerfacecolor="white", markersize=10
        )
        axes.annotate("yours", (value, names.index(name)), xytext=(8, -4), textcoords="offset points")
    known = [name for name in names if name in RECORDED]
    spans = [one for name, one in zip(names, ranges, strict=True) if name in RECORDED]
    own = ", ".join(f"{name} {value:.3f}" for name, value in mine.items())
    verdicts = [_compared(table, first, second) for first, second in (("k = 1", "k = 2"), ("k = 2", "k = 3"))]
    return figure, (
        f"Mean squared error where the motif returns; the mean of the points so far has {means:.3f}."
        f" Yours: {own}. Recorded: {describe_ranges(known, {'error': spans}, digits=3)}"
        f" {'; '.join(verdicts)}."
    )


def _compared(table: Any, first: str, second: str) -> str:
    """The mean difference of two recorded arms, and whether it is resolved."""
    before, after = (table.values(TASK, RECORDED[name], "returning") for name in (first, second))
    gap = stats.paired_difference(before, after)
    return f"{second} less {first}: {gap.of_means:+.3f}, {'resolved' if gap.is_resolved else 'not resolved'}"
