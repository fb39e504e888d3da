"""Where the four ways to add a few weights stand in a layer of BERT, and what they reach."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lib.figures.arrays import Array, to_array
from lib.figures.schematic import Box, Point, Schematic
from lib.figures.style import INK, MARKERS, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WAYS = ("adapters", "low rank", "prefix", "prompt")
WIDTH, HEIGHT = 11.4, 5.95  # inches
LOW = 0.5  # the height of boxes that stand on each other
BASELINE = (0, (4, 3))

# --- where they stand -----------------------------------------------------------------------------


def draw_added_weights(
    sizes: Mapping[str, int], width: int, learning: Collection[str] = WAYS, title: str = ""
) -> tuple["Figure", str]:
    """Draw one layer, its attention half above and its feed-forward half below, with all that can be added.

    `sizes` says for each of WAYS how many features, ranks or vectors it has, `width` how many features the
    layer has. What belongs to the ways in `learning` is dark; with adapters the norms learn, too, and have a
    thick dark edge. What enlarges a matrix, the keys or the text stands on it. A line under the title says
    what the looks mean.
    """
    from matplotlib.colors import to_hex

    _check_ways(sizes, learning)
    looks = {way: "lit" if way in learning else "tint" for way in WAYS}
    page = Schematic(WIDTH, HEIGHT)
    key = "dark: new, and learns; white: published and frozen"
    if "adapters" in learning:
        key = key.replace("; white", "; thick dark edge: published, learns too; white")
    if set(learning) != set(WAYS):
        key += "; light blue: other ways"
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    page.text(0.15, HEIGHT - 0.55, key, ha="left", color=QUIET)
    state = _draw_attention_half(page, sizes, width, looks)
    page.arrow(state, (state[0], 1.52), (0.85, 1.52), (0.85, 1.05))
    _draw_feed_forward_half(page, sizes, width, looks)
    for patch in page.axes.patches:
        if to_hex(patch.get_facecolor()) == to_hex(TINT):
            patch.set_edgecolor(QUIET)  # a dark edge is for what learns
    alt = (
        f"One layer of BERT. A prompt of {sizes['prompt']} vectors of {width} numbers stands ahead of the"
        " word vectors, once, below the first layer. In the attention half, an update B times A of rank"
        f" {sizes['low rank']} is added to the query and value matrices, and a prefix puts {sizes['prefix']}"
        f" more rows ahead of the keys and of the values. An adapter, {width} to {sizes['adapters']} to"
        f" {width} features, follows the last dense layer of the attention half, and another that of the"
        " feed-forward half, each just before its sum with the residual path. Dark, because they learn:"
        f" {', '.join(way for way in WAYS if way in learning)}."
        + (" Both norms have a dark edge: adapters train them, too." if "adapters" in learning else "")
    )
    return page.figure, alt


def _draw_attention_half(
    page: Schematic, sizes: Mapping[str, int], width: int, looks: Mapping[str, str]
) -> Point:
    """Draw it; where the half ends."""
    page.text(0.15, 4.95, "attention half", ha="left", color=QUIET)
    words = page.box(0.15, 3.04, 1.4, LOW, "word vectors", f"T × {width}")
    page.box(0.15, 3.04 + LOW, 1.4, LOW, "prompt", f"{sizes['prompt']} × {width}", look=looks["prompt"])
    page.text(0.85, 4.2, "once, below layer 0", color=QUIET, fontsize=10)
    attention = page.box(5.5, 3.0, 1.15, 0.58, "attention")
    rows = {"query": ("queries", 4.1), "key": ("keys", 3.04), "value": ("values", 1.98)}
    for name, (several, bottom) in rows.items():
        matrix = page.box(2.05, bottom, 1.15, LOW, f"{name} W")
        if name != "key":
            label = f"rank {sizes['low rank']}"
            page.box(2.05, bottom + LOW, 1.15, LOW, "+ BA", label, look=looks["low rank"])
        vectors = page.box(3.65, bottom, 1.15, LOW, several, f"T × {width}")
        if name != "query":
            label = f"{sizes['prefix']} × {width}"
            page.box(3.65, bottom + LOW, 1.15, LOW, "prefix", label, look=looks["prefix"])
        page.arrow((words.east[0], 3.29), (1.8, 3.29), (1.8, matrix.west[1]), matrix.west)
        page.arrow(matrix.east, vectors.west)
        page.arrow(vectors.east, (5.15, vectors.east[1]), (5.15, 3.29), attention.west)
    dense = page.box(6.9, 3.0, 0.85, 0.58, "dense")
    page.arrow(attention.east, dense.west)
    return _draw_end(page, dense, 3.0, sizes["adapters"], width, looks["adapters"], (1.68, 3.29), 1.78)


def _draw_feed_forward_half(
    page: Schematic, sizes: Mapping[str, int], width: int, looks: Mapping[str, str]
) -> None:
    page.text(2.05, 1.28, "feed-forward half", ha="left", color=QUIET)
    state = page.box(0.15, 0.47, 1.4, 0.58, "hidden state", f"T × {width}")
    wide = page.box(2.05, 0.47, 1.7, 0.58, "dense", f"{width} to {4 * width:,}")
    gelu = page.box(4.17, 0.47, 0.95, 0.58, "GELU")
    back = page.box(5.5, 0.47, 2.25, 0.58, "dense", f"{4 * width:,} to {width}")
    for one, other in ((state, wide), (wide, gelu), (gelu, back)):
        page.arrow(one.east, other.west)
    end = _draw_end(page, back, 0.47, sizes["adapters"], width, looks["adapters"], (1.8, 0.76), 0.2)
    page.text(end[0], end[1] - 0.45, "to the next layer", ha="right", fontsize=10, color=QUIET)


def _draw_end(
    page: Schematic, dense: Box, bottom: float, size: int, width: int, look: str, branch: Point, under: float
) -> Point:
    """Draw adapter, sum with the residual path, which runs `under` it, and norm; where the half ends."""
    from matplotlib.patches import Circle

    adapter = page.box(8.0, bottom, 1.35, 0.58, "adapter", f"{width} to {size} to {width}", look=look)
    page.arrow(dense.east, adapter.west)
    x, y = 9.72, bottom + 0.29
    page.arrow(branch, (branch[0], under), (x, under), (x, y - 0.17))
    page.text(7.35, under + 0.12, "residual path", color=QUIET, fontsize=10)
    page.axes.add_patch(Circle((x, y), 0.17, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
    norm = page.box(10.1, bottom, 0.75, 0.58, "norm", look="edge" if look == "lit" else "plain")
    page.arrow(adapter.east, (x - 0.17, y))
    page.arrow((x + 0.17, y), norm.west)
    end = (11.1, y)
    page.axes.plot([norm.east[0], end[0]], [y, y], color=QUIET, linewidth=1.1, zorder=3)
    return end


def _check_ways(sizes: Mapping[str, int], learning: Collection[str]) -> None:
    if set(sizes) != set(WAYS) or not set(learning) <= set(WAYS):
        raise ValueError(f"The ways are {', '.join(WAYS)}: give a size for each, and which of them learn.")


# --- what they reach ------------------------------------------------------------------------------


def draw_against_weights(
    tasks: Mapping[str, Mapping[str, Any]],
    weights: Mapping[str, Mapping[str, int]],
    baselines: Mapping[str, float],
    title: str,
    baseline: str,
    pooler: int = 0,
) -> tuple["Figure", str]:
    """Draw for each of up to four tasks the scores of several ways over the weights that they train.

    `tasks[task][way]` are the scores of its seeds, `weights[task][way]` its weights, on a logarithmic axis.
    A line with caps goes from the lowest seed to the highest, a marker stands at the mean. The `pooler`,
    whose weights all ways train, is left out of the axis. `baselines[task]` is a dashed line that is called
    `baseline`.
    """
    by_task = _scores_of(tasks, weights)
    ways = list(next(iter(by_task.values())))
    scores = [value for rows in by_task.values() for values in rows.values() for value in values]
    low, high = min([*scores, *baselines.values()]), max(scores)
    with style():
        figure = canvas(10.4, 4.3, title)
        panels = figure.subplots(1, len(by_task), sharey=True, squeeze=False)[0]
        for axes, (task, rows) in zip(panels, by_task.items(), strict=True):
            for number, way in enumerate(ways):
                x, values = weights[task][way] - pooler, rows[way]
                axes.vlines(x, values.min(), values.max(), color=SERIES[number], linewidth=1.8)
                for end in (values.min(), values.max()):
                    axes.plot(x, end, "_", color=SERIES[number], markersize=15, markeredgewidth=1.8)
                axes.plot(
                    x, values.mean(), MARKERS[number], color=SERIES[number], markersize=7.5, label=way,
                    markeredgecolor="white",
                )  # fmt: skip
            axes.axhline(baselines[task], color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.text(
                0.98, baselines[task], f"{baseline} {baselines[task]:.2f}", fontsize=10, va="bottom",
                ha="right", transform=axes.get_yaxis_transform(),
            )  # fmt: skip
            axes.set_xscale("log")
            axes.set(
                title=task,
                xlabel=f"weights trained{', without the pooler' if pooler else ''}",
                xlim=(4e2, 8e7),
            )
            axes.set_ylim(low - 0.05 * (high - low), high + 0.06 * (high - low))
            axes.set_xticks(
                [1e3, 1e4, 1e5, 1e6, 1e7], ["1,000", "10,000", "100,000", "1 million", "10 million"]
            )
            axes.minorticks_off()
            axes.grid(axis="both")
        panels[0].set_ylabel("accuracy on the test rows")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(ways))
    sentences = []
    for task, rows in by_task.items():
        points = [
            f"{way} {values.mean():.3f} ({values.min():.3f} to {values.max():.3f}) with"
            f" {weights[task][way] - pooler:,} weights"
            for way, values in rows.items()
        ]
        sentences.append(f"{task}: {'; '.join(points)}; {baseline} {baselines[task]:.3f}.")
    return figure, " ".join(["Mean score over seeds, with lowest and highest.", *sentences])


def _scores_of(
    tasks: Mapping[str, Mapping[str, Any]], weights: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, Array]]:
    if not 1 <= len(tasks) <= 4:
        raise ValueError(f"There are {len(tasks)} tasks; one to four fit side by side.")
    by_task: dict[str, dict[str, Array]] = {
        task: {way: to_array(values, repr(way), "N") for way, values in rows.items()}
        for task, rows in tasks.items()
    }
    ways: Sequence[str] = list(next(iter(by_task.values())))
    if len(ways) > len(SERIES) or any(list(rows) != list(ways) for rows in by_task.values()):
        raise ValueError(f"Give the same ways for each task, {len(SERIES)} at most.")
    for task, rows in by_task.items():
        if missing := [way for way in rows if not weights.get(task, {}).get(way, 0) > 0]:
            raise ValueError(f"How many weights {missing[0]!r} trains on {task!r} is not given.")
    return by_task
