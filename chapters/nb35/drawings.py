"""The drawings of notebook 35: places of a segment, how far it hears, buckets, chunks and rounds.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_places(table))`.
"""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from chapters.nb35.lsh import pairs_looked_at
from lib import stats
from lib.figures.charts import draw_lines
from lib.figures.ranges import describe_ranges, draw_ranges
from lib.figures.style import FAINT, INK, LIT, MARKERS, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STORIES = "stories"  # what the record calls that on which all are tested
PLACES = "place in the segment"
NATS = "loss at the next word, nats"
#: how arms of the record are called in the pictures
LENGTHS = {
    "none": "no memory",
    "none, segments of 32": "no memory, segments of 32",
    "16 rows": "memory 16",
    "48 rows": "memory 48",
}
RESTARTED = {
    "distances, none": "no memory",
    "distances, 16 rows": "memory 16",
    "restart, none": "positions restart, no memory",
    "restart, 16 rows": "positions restart, memory 16",
}


# ---------------------------------------------------------------------------------------------
# Losses over the places of a segment


def draw_places(table: Any) -> tuple["Figure", str]:
    """Draw the recorded loss at each place of a segment, for readers without a memory."""
    recorded = table.values(STORIES, "no memory", "by place")
    figure, said = _draw_by_place({"no memory": recorded}, {})
    means = np.mean(recorded, axis=0)
    return figure, f"{said} Place 1 costs {means[0] / means[-1]:.1f} times as much as place {len(means)}."


def draw_with_memory(
    by_place: Sequence[float], without: Sequence[float], length: int, table: Any
) -> tuple["Figure", str]:
    """Draw the reader's loss at each place, with so many rows of memory and without, beside the record's."""
    arms = {"no memory": "no memory", "16 rows": "memory 16"}
    recorded = {name: table.values(STORIES, arm, "by place") for name, arm in arms.items()}
    live = {f"yours, {length} rows": by_place, "yours, memory taken away": without}
    figure, said = _draw_by_place({"no memory": recorded["no memory"]}, live)
    told = [f"yours {np.mean(by_place):.2f}", f"with its memory taken away {np.mean(without):.2f}"]
    told += [f"recorded, {name} {np.mean(runs):.2f}" for name, runs in recorded.items()]
    gain = np.mean(recorded["no memory"], axis=0) - np.mean(recorded["16 rows"], axis=0)
    verdict = _compared(table, arms, "no memory", "16 rows")
    return figure, (
        f"{said} Means of all places: {', '.join(told)}; {verdict}. In the record 16 rows lower the loss at"
        f" place 1 by {gain[0]:.2f} nats, and at places 5 to {len(gain)} by {gain[4:].mean():.2f} on average."
    )


def _draw_by_place(
    recorded: Mapping[str, Sequence[Sequence[float]]], live: Mapping[str, Sequence[float]]
) -> tuple["Figure", str]:
    means = {name: np.mean(runs, axis=0) for name, runs in recorded.items()}
    bands = {name: np.ptp(runs, axis=0) / 2 for name, runs in recorded.items()}
    lines = means | {name: np.array(values) for name, values in live.items()}
    places = np.arange(1, 1 + len(next(iter(lines.values()))))
    title = "The loss at each place of a segment"
    top = 1.08 * max(values.max() for values in lines.values())
    seeds = {name: f"{name} ({len(runs)} seeds)" for name, runs in recorded.items()}
    seeds |= {name: f"{name} (one seed)" for name in live}
    shown = {seeds[name]: values for name, values in lines.items()}
    bands = {seeds[name]: band for name, band in bands.items()}
    figure = draw_lines(places, shown, PLACES, NATS, title, ylim=(0.0, top), bands=bands)
    said = [f"{name} {_listed(values)}" for name, values in lines.items()]
    return figure, f"Loss in nats at places 1 to {len(places)}: {'; '.join(said)}."


def _listed(values: Any) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


# ---------------------------------------------------------------------------------------------
# Recorded arms


def draw_lengths(table: Any) -> tuple["Figure", str]:
    """Draw the recorded loss by the length of the memory."""
    compared = (
        ("none, segments of 32", "16 rows"),
        ("16 rows", "48 rows"),
    )
    return _draw_arms(table, LENGTHS, "Memories of other lengths (three seeds)", compared)


def draw_restarted(table: Any) -> tuple["Figure", str]:
    """Draw the recorded loss with distances, and with positions that restart in each segment."""
    compared = (("distances, none", "distances, 16 rows"), ("restart, none", "restart, 16 rows"))
    return _draw_arms(table, RESTARTED, "Two ways to tell a position (three seeds)", compared)


def _draw_arms(
    table: Any, arms: Mapping[str, str], title: str, compared: Sequence[tuple[str, str]]
) -> tuple["Figure", str]:
    losses = {name: sorted(table.values(STORIES, arm, "loss")) for name, arm in arms.items()}
    ranges = {"loss": [(values[0], mean(values), values[-1]) for values in losses.values()]}
    figure = draw_ranges([*arms], ranges, NATS, title=title)
    verdicts = [_compared(table, arms, first, second) for first, second in compared]
    return figure, f"{describe_ranges([*arms], ranges)} {'; '.join(verdicts)}."


def _compared(table: Any, arms: Mapping[str, str], first: str, second: str) -> str:
    """The mean difference of two arms, and whether it is resolved."""
    gap = stats.paired_difference(*(table.values(STORIES, arms[name], "loss") for name in (first, second)))
    verdict = "resolved" if gap.is_resolved else "not resolved"
    return f"{second} less {first}: {gap.of_means:+.2f} nats, {verdict}"


# ---------------------------------------------------------------------------------------------
# How far back a layer hears


def draw_reach(layers: int, segment: int, segments: int = 4) -> tuple["Figure", str]:
    """Draw what reaches the first token of the last segment, layer by layer, with a memory of a segment."""
    tokens = segment * segments
    first = tokens - segment
    title = f"What reaches the first token of the last segment, with a memory of {segment}"
    with style():
        figure = canvas(9.2, 1.2 + 0.55 * (layers + 1), title)
        axes = figure.subplots()
        for layer in range(layers + 1):
            reach = segment * (layers - layer)
            for token in range(tokens):
                heard = first - reach <= token <= first
                face = LIT if heard else "white"
                axes.plot(token, layer, "s", markersize=6, markerfacecolor=face, markeredgecolor=QUIET)
        for number in range(1, segments):
            axes.axvline(number * segment - 0.5, color=INK, linewidth=1.1, linestyle="--")
        axes.set_yticks(range(layers + 1), ["words", *(f"after layer {n + 1}" for n in range(layers))])
        axes.set_xticks(
            [segment * number + segment / 2 for number in range(segments)],
            [*(f"{segments - 1 - number} back" for number in range(segments - 1)), "this segment"],
        )
        axes.tick_params(length=0)
        axes.set(xlim=(-1, tokens), ylim=(-0.6, layers + 0.6))
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
    rows = [
        f"after layer {layer}: {segment * (layers - layer)} places back" for layer in range(layers, 0, -1)
    ]
    return figure, (
        f"Segments of {segment} tokens, {layers} layers, and a memory of one segment. What reaches the first"
        f" token of the last segment, {'; '.join(rows)}; of the words: {segment * layers} places back."
    )


# ---------------------------------------------------------------------------------------------
# Buckets and chunks


def draw_directions(vectors: Tensor, rotation: Tensor, buckets: Tensor) -> tuple["Figure", str]:
    """Draw vectors [T, 2], a round's two directions [2, 2] and their opposites, and each vector's bucket."""
    directions = torch.cat([rotation.T, -rotation.T])  # [b, 2]
    reach = 1.15 * float(vectors.norm(dim=-1).max())
    with style():
        figure = canvas(5.2, 4.9, "Directions and the bucket of each vector")
        axes = figure.subplots()
        for number, direction in enumerate(directions.tolist()):
            x, y = (reach * value / np.hypot(*direction) for value in direction)
            axes.annotate(
                "", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": QUIET, "linewidth": 1.4}
            )
            axes.text(1.1 * x, 1.1 * y, str(number), ha="center", va="center", color=QUIET, fontsize=12)
        for (x, y), bucket in zip(vectors.tolist(), buckets.tolist(), strict=True):
            axes.plot(x, y, MARKERS[bucket], color=SERIES[bucket], markersize=9)
            axes.annotate(str(bucket), (x, y), (6, 5), textcoords="offset points")
        axes.set(xlim=(-1.25 * reach, 1.25 * reach), ylim=(-1.25 * reach, 1.25 * reach), aspect="equal")
        axes.set(xticks=[], yticks=[])
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
    told = [
        f"({x:.1f}, {y:.1f}) in bucket {bucket}"
        for (x, y), bucket in zip(vectors.tolist(), buckets.tolist(), strict=True)
    ]
    return figure, f"{len(directions)} directions from the origin; vectors: {'; '.join(told)}."


def draw_chunks(buckets: Tensor, chunk: int) -> tuple["Figure", str]:
    """Draw tokens [T] by bucket, as they stand and sorted, and which pairs then meet in chunks."""
    order = buckets.argsort(stable=True)
    met = pairs_looked_at(buckets, chunk)
    with style():
        figure = canvas(9.4, 4.2, "Tokens by bucket, then sorted")
        panels = figure.subplots(1, 2)
        same = buckets[:, None] == buckets
        _grid(
            panels[0],
            same.float(),
            range(len(buckets)),
            buckets,
            "who shares a bucket, in the order of the text",
        )
        shown = (same.float() * 0.35 + met.float() * 0.65)[order][:, order]
        _grid(panels[1], shown, order.tolist(), buckets[order], f"who meets, sorted, in chunks of {chunk}")
        for start in range(chunk, len(buckets), chunk):
            panels[1].axhline(start - 0.5, color=INK, linewidth=1.2)
            panels[1].axvline(start - 0.5, color=INK, linewidth=1.2)
    others = ~torch.eye(len(buckets), dtype=torch.bool)  # a token itself is no pair
    shared, meeting = int((same & others).sum()), int((met & others).sum())
    return figure, (
        f"Buckets of tokens 0 to {len(buckets) - 1}: {_joined(buckets)}. Sorted, the tokens are"
        f" {_joined(order)}, in chunks of {chunk}. Of {shared} pairs of a query and another key that share a"
        f" bucket, {meeting} meet in the chunk of the query or the one before it, and {shared - meeting} are"
        " missed."
    )


def _grid(axes: "Axes", table: Tensor, tokens: Sequence[int], buckets: Tensor, title: str) -> None:
    from matplotlib.colors import ListedColormap

    axes.imshow(table.numpy(), cmap=ListedColormap(["white", TINT, LIT]), vmin=0, vmax=1)
    names = [f"{token} ({bucket})" for token, bucket in zip(tokens, buckets.tolist(), strict=True)]
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=9)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.set_xticks(np.arange(len(names)) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(names)) - 0.5, minor=True)
    axes.grid(which="minor", color=FAINT)
    axes.tick_params(which="both", length=0)
    axes.set(xlabel="key: token (bucket)", ylabel="query")
    axes.set_title(title, fontsize=12)


def _joined(numbers: Tensor) -> str:
    return ", ".join(str(number) for number in numbers.tolist())


def rounds_as_table(
    found: Mapping[int, Sequence[float]], chunk: int, tokens: int
) -> tuple[dict[str, list[str]], str]:
    """A table of what rounds cost and find, and its title; found: pairs, recall, error, the rival's error."""
    rows: dict[str, list[str]] = {
        "rounds": [],
        "products (full attention: 1)": [],
        "pairs met": [],
        "recall of the 8 nearest": [],
        "error": [],
        "error of the mean": [],
    }
    for rounds, (pairs, recall, error, rival) in found.items():
        cells = [str(rounds), f"{rounds * 2 * chunk / tokens:.2f}"]
        cells += [f"{number:.2f}" for number in (pairs, recall, error, rival)]
        for column, cell in zip(rows.values(), cells, strict=True):
            column.append(cell)
    return rows, f"Hashing MiniLM's own queries (12 heads, {tokens} tokens)"
