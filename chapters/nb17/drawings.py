"""Where the four ways to add a few weights stand in a layer of BERT, and what they reach."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from lib import stats
from lib.bert import BertModel
from lib.figures.schematic import Box, Point, Schematic
from lib.figures.style import INK, LIT, QUIET, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WAYS = ("adapters", "low rank", "prefix", "prompt")
WIDTH, HEIGHT = 11.4, 5.95  # inches
LOW = 0.5  # the height of boxes that stand on each other
BASELINE = (0, (4, 3))

# --- where they stand -----------------------------------------------------------------------------


def draw_added_weights(
    sizes: Mapping[str, int], width: int, learning: Collection[str], title: str = ""
) -> tuple["Figure", str]:
    """Draw one layer, its attention half above and its feed-forward half below, with what can be added.

    `sizes` names the ways that are drawn, some of WAYS, and says how many features, ranks or vectors each
    has; `width` is the number of features of the layer. What belongs to the ways in `learning` is dark, the
    others light blue. What enlarges a matrix, the keys or the text stands on it. A line under the title says
    what the looks mean.
    """
    from matplotlib.colors import to_hex

    _check_ways(sizes, learning)
    looks = {way: "lit" if way in learning else "tint" for way in WAYS}
    page = Schematic(WIDTH, HEIGHT)
    key = "dark: new, and learns; white: published and frozen"
    if set(learning) != set(sizes):
        key += "; light blue: other ways"
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    page.text(0.15, HEIGHT - 0.55, key, ha="left", color=QUIET)
    state = _draw_attention_half(page, sizes, width, looks)
    page.arrow(state, (state[0], 1.52), (0.85, 1.52), (0.85, 1.05))
    _draw_feed_forward_half(page, sizes, width, looks)
    for patch in page.axes.patches:
        if to_hex(patch.get_facecolor()) == to_hex(TINT):
            patch.set_edgecolor(QUIET)
    dark = ", ".join(way for way in WAYS if way in learning)
    said = ["One layer of BERT.", *_places(sizes, width), f"Dark, because they learn: {dark}."]
    return page.figure, " ".join(said)


def _places(sizes: Mapping[str, int], width: int) -> Iterator[str]:
    """Where each way that is drawn puts its weights."""
    if "prompt" in sizes:
        vectors = f"{sizes['prompt']} vectors of {width} numbers"
        yield f"A prompt of {vectors} stands ahead of the word vectors, once, below the first layer."
    if "low rank" in sizes:
        rank = sizes["low rank"]
        yield f"An update B times A of rank {rank} is added to the query and value matrices."
    if "prefix" in sizes:
        yield f"A prefix puts {sizes['prefix']} more rows ahead of the keys and of the values."
    if "adapters" in sizes:
        features = f"{width} to {sizes['adapters']} to {width} features"
        yield (
            f"An adapter, {features}, follows the last dense layer of the attention half, and another that of"
            " the feed-forward half, each just before its sum with the residual path."
        )


def _draw_attention_half(
    page: Schematic, sizes: Mapping[str, int], width: int, looks: Mapping[str, str]
) -> Point:
    """Draw it; where the half ends."""
    page.text(0.15, 4.95, "attention half", ha="left", color=QUIET)
    words = page.box(0.15, 3.04, 1.4, LOW, "word vectors", f"T × {width}")
    if "prompt" in sizes:
        page.box(0.15, 3.04 + LOW, 1.4, LOW, "prompt", f"{sizes['prompt']} × {width}", look=looks["prompt"])
        page.text(0.85, 4.2, "once, below layer 0", color=QUIET, fontsize=10)
    attention = page.box(5.5, 3.0, 1.15, 0.58, "attention")
    rows = {"query": ("queries", 4.1), "key": ("keys", 3.04), "value": ("values", 1.98)}
    for name, (several, bottom) in rows.items():
        matrix = page.box(2.05, bottom, 1.15, LOW, f"{name} W")
        if name != "key" and "low rank" in sizes:
            label = f"rank {sizes['low rank']}"
            page.box(2.05, bottom + LOW, 1.15, LOW, "+ BA", label, look=looks["low rank"])
        vectors = page.box(3.65, bottom, 1.15, LOW, several, f"T × {width}")
        if name != "query" and "prefix" in sizes:
            label = f"{sizes['prefix']} × {width}"
            page.box(3.65, bottom + LOW, 1.15, LOW, "prefix", label, look=looks["prefix"])
        page.arrow((words.east[0], 3.29), (1.8, 3.29), (1.8, matrix.west[1]), matrix.west)
        page.arrow(matrix.east, vectors.west)
        page.arrow(vectors.east, (5.15, vectors.east[1]), (5.15, 3.29), attention.west)
    dense = page.box(6.9, 3.0, 0.85, 0.58, "dense")
    page.arrow(attention.east, dense.west)
    return _draw_end(page, dense, 3.0, sizes, width, looks, (1.68, 3.29), 1.78)


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
    end = _draw_end(page, back, 0.47, sizes, width, looks, (1.8, 0.76), 0.2)
    page.text(end[0], end[1] - 0.45, "to the next layer", ha="right", fontsize=10, color=QUIET)


def _draw_end(
    page: Schematic,
    dense: Box,
    bottom: float,
    sizes: Mapping[str, int],
    width: int,
    looks: Mapping[str, str],
    branch: Point,
    under: float,
) -> Point:
    """Draw adapter, sum with the residual path, which runs `under` it, and norm; where the half ends."""
    from matplotlib.patches import Circle

    last = dense
    if "adapters" in sizes:
        label = f"{width} to {sizes['adapters']} to {width}"
        last = page.box(8.0, bottom, 1.35, 0.58, "adapter", label, look=looks["adapters"])
        page.arrow(dense.east, last.west)
    x, y = 9.72, bottom + 0.29
    page.arrow(branch, (branch[0], under), (x, under), (x, y - 0.17))
    page.text(7.35, under + 0.12, "residual path", color=QUIET, fontsize=10)
    page.axes.add_patch(Circle((x, y), 0.17, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
    norm = page.box(10.1, bottom, 0.75, 0.58, "norm")
    page.arrow(last.east, (x - 0.17, y))
    page.arrow((x + 0.17, y), norm.west)
    end = (11.1, y)
    page.axes.plot([norm.east[0], end[0]], [y, y], color=QUIET, linewidth=1.1, zorder=3)
    return end


def _check_ways(sizes: Mapping[str, int], learning: Collection[str]) -> None:
    if not sizes or not set(sizes) <= set(WAYS) or not set(learning) <= set(sizes):
        raise ValueError(f"The ways are {', '.join(WAYS)}: give sizes of some, and which of these learn.")


# --- what they reach ------------------------------------------------------------------------------

#: what learns, from few weights to all, and the record's name of it
RECORDED = {
    "head and pooler": "head",
    "prompt": "prompt",
    "prefix": "prefix",
    "low rank": "low rank",
    "adapters": "adapters",
    "top 2 layers": "top 2",
    "all": "all",
}
NEW_WEIGHTS = ("prompt", "prefix", "low rank", "adapters")
#: with what the four are compared, and the record's name of it
RIVALS = {"head and pooler": "head", "counting words": "baseline"}
READS = ("[CLS]", "the mean")  # what a head of the reader's reads


class RecordedTask(NamedTuple):
    """A task of the record, by the record's name, and what a guess gets right of its test rows."""

    name: str
    classes: int
    rows: str


TASKS = {
    "headlines": RecordedTask("headlines", 9, "720 test headlines"),
    "misleading reviews": RecordedTask("reviews", 2, "400 test reviews"),
}


def table_of_runs(
    right: Mapping[tuple[str, str], float], weights: Mapping[tuple[str, str], int]
) -> dict[str, list[Any]]:
    """The columns of a table of accuracies in percent, and what the patch and the mean bring, in points.

    Both are by what learns and what the head reads; a run may be lacking.
    """
    learns = list(dict.fromkeys(name for name, _ in right))
    counts = [next(count for (name, _), count in weights.items() if name == one) for one in learns]
    columns: dict[str, list[Any]] = {"what learns": learns, "weights": [f"{count:,}" for count in counts]}
    for reads in READS:
        shares = [right.get((one, reads)) for one in learns]
        columns[f"reads {reads}"] = ["" if share is None else f"{100 * share:.1f}" for share in shares]
    columns["the mean brings"] = [_points(right, (one, READS[0]), (one, READS[1])) for one in learns]
    last = [
        "the patch brings",
        "",
        *(_points(right, ("head", one), ("head and patch", one)) for one in READS),
    ]
    for column, entry in zip(columns.values(), [*last, ""], strict=True):
        column.append(entry)
    return columns


def _points(right: Mapping[tuple[str, str], float], first: tuple[str, str], second: tuple[str, str]) -> str:
    """How many points the second run has more, or nothing where one is lacking."""
    if first not in right or second not in right:
        return ""
    return f"{100 * (right[second] - right[first]):+.1f}"


def draw_ways(table: Any, mine: Mapping[str, tuple[int, float]]) -> tuple["Figure", str]:
    """Draw the record of seven ways on two tasks, and the reader's own runs on headlines below it.

    `mine[name]` are how many weights learned in a run of the reader's, and its accuracy. A line goes from the
    lowest seed to the highest, a dot stands at the mean, a star at a run of the reader's.
    """
    ways = list(reversed(RECORDED))
    names = [f"{way}, {_spoken(_weights(table, TASKS['headlines'], way))}" for way in ways]
    names += [f"yours: {name}, {_spoken(weights)}" for name, (weights, _) in mine.items()]
    places = [*range(len(ways)), *(len(ways) + 0.6 + number for number in range(len(mine)))]
    with style():
        figure = canvas(10.8, 5.0, "Accuracy of seven ways to train, and of your own runs")
        panels = figure.subplots(1, len(TASKS), sharey=True)
        for axes, (title, task) in zip(panels, TASKS.items(), strict=True):
            for place, way in enumerate(ways):
                scores = table.values(task.name, RECORDED[way])
                axes.hlines(place, min(scores), max(scores), color=LIT, linewidth=2.4)
                axes.plot(mean(scores), place, "o", color=LIT, markersize=7, markeredgecolor="white")
            _draw_level(axes, 1 / task.classes, "guess", -1.55, (0, (1, 2)))
            _draw_level(axes, mean(table.values(task.name, "baseline")), "counting words", -0.8, BASELINE)
            axes.set(title=title, xlabel=f"accuracy on the {task.rows}", xlim=(0, 0.9))
            axes.grid(axis="x")
        for place, (_, score) in zip(places[len(ways) :], mine.values(), strict=True):
            panels[0].plot(score, place, "*", color=INK, markersize=12)
        panels[0].set_yticks(places, names)
        panels[0].set_ylim(places[-1] + 0.6, -2.1)
        legend = "numbers: weights trained; dot: mean of five seeds; line: lowest to highest\n"
        legend += "star: your run, one seed, fewer passes and test rows, so not to be ranked among dots"
        figure.supxlabel(legend, fontsize=10)
    return figure, " ".join([*_scores(table), *_own_scores(mine)])


def _draw_level(axes: Any, level: float, name: str, height: float, dashes: Any) -> None:
    """Draw a dashed line that goes up from below, and its name at a height of its own."""
    axes.axvline(level, color=INK, linewidth=1.3, linestyle=dashes, zorder=1.5)
    label = f" {name} {level:.2f} "
    axes.text(
        level,
        height,
        label,
        fontsize=10,
        va="center",
        ha="left" if level < 0.3 else "right",
        backgroundcolor="white",
    )


def _scores(table: Any) -> Iterator[str]:
    """Each recorded way in words, by task."""
    yield "Mean accuracy over five seeds, with lowest and highest."
    for title, task in TASKS.items():
        told = []
        for way, name in RECORDED.items():
            scores = table.values(task.name, name)
            weights = _weights(table, task, way)
            told.append(
                f"{way} {mean(scores):.3f} ({min(scores):.3f} to {max(scores):.3f}) with {weights:,} weights"
            )
        words = mean(table.values(task.name, "baseline"))
        yield f"{title}: {'; '.join(told)}; counting words {words:.3f}; a guess {1 / task.classes:.3f}."


def _own_scores(mine: Mapping[str, tuple[int, float]]) -> Iterator[str]:
    for name, (weights, score) in mine.items():
        yield f"yours: {name} {score:.3f} with {weights:,} weights."


def _weights(table: Any, task: RecordedTask, way: str) -> int:
    """How many weights a way trains, the pooler's among them."""
    return int(table.values(task.name, RECORDED[way], "trained_weights")[0])


def _spoken(weights: int) -> str:
    """A number of weights in words: 22.7 million, 151 thousand."""
    return f"{weights / 1e6:.1f} million" if weights >= 1e6 else f"{weights / 1e3:.0f} thousand"


def compared_ways(table: Any) -> str:
    """Mean differences in points to each task's rivals, resolved ones marked, as lines of equal columns."""
    lines = [" " * 40 + "".join(f"{way:>10}" for way in NEW_WEIGHTS)]
    for title, task in TASKS.items():
        for rival in RIVALS:
            gaps = "".join(f"{_gap(table, task, rival, way):>10}" for way in NEW_WEIGHTS)
            lines.append(f"{title + ', over ' + rival:40}{gaps}")
    return "\n".join([*lines, "Points. A star: resolved."])


def _gap(table: Any, task: RecordedTask, rival: str, way: str) -> str:
    points = [[100 * score for score in table.values(task.name, one)] for one in (RIVALS[rival], way)]
    gap = stats.paired_difference(*points)
    return f"{gap.of_means:+.1f}{'*' if gap.is_resolved else ''}"


def what_zeros_do(plain: BertModel, prefixed: BertModel, texts: Sequence[Tensor], size: int) -> str:
    """The share of attention that `size` places ahead of each text [1, T] take, and how far vectors move.

    The share is a mean over layers, heads and tokens; the move is that of the last layer's vectors, against
    their length. `prefixed` is the plain model with those places.
    """
    taken, moved = [], []
    with torch.no_grad():
        for text in texts:
            before, after = plain(text), prefixed(text, output_attentions=True)
            weights = torch.stack(after.attentions)  # [layers, 1, heads, T, size + T]
            taken.append(weights[..., :size].sum(dim=-1).mean().item())
            old, new = before.last_hidden_state, after.last_hidden_state
            moved.append(((new - old).norm() / old.norm()).item())
    return "\n".join([
        f"the zeros take {', '.join(f'{share:.0%}' for share in taken)} of the attention",
        f"the vectors move by {', '.join(f'{share:.0%}' for share in moved)} of their length",
    ])  # fmt: skip
