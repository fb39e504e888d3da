"""The drawings of notebook 27: a pruned layer, the worth of heads, cuts, and what the records hold."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch

from lib import stats
from lib.bert.encoder import EncoderLayer
from lib.bert.heads import BertForSequenceClassification
from lib.compression.ledger import counting, timing
from lib.figures import draw_lines, draw_panels
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, PAPER
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, TINT, canvas, style
from lib.records import frontier

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# What every head is worth: all of them as a map, and the estimate beside what its absence really does.


def draw_head_worth(estimate: Any, change: Any) -> tuple["Figure", str]:
    """Draw a dot for each head [L, H]: what was estimated, and how far the loss moves without it.

    The axes are logarithmic, since heads differ by orders of magnitude, and a line says where both are equal.
    The title counts how many of the half that matters most are in the half of the largest estimates.
    """
    worth, moved = _tables(estimate, change)
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    few = max(1, worth.size // 2)
    top = [{place for place, _ in sorted(_every(one), key=_value)[-few:]} for one in (worth, moved)]
    shared = len(top[0] & top[1])
    title = f"Of the {few} heads that matter most, {shared} are among the {few} largest estimates"
    with style():
        figure = canvas(8.2, 4.3, title)
        axes = figure.subplots()
        for layer, color in enumerate(np.linspace(0.25, 0.95, len(worth))):
            mark, shade = "osD^vP"[layer % 6], _blue(float(color))
            axes.plot(
                worth[layer], moved[layer], mark, color=shade, markersize=7, label=f"layer {layer}",
                markeredgecolor=INK, markeredgewidth=0.5,
            )  # fmt: skip
        both_ways = [max(worth.min(), moved.min()), min(worth.max(), moved.max())]
        axes.plot(both_ways, both_ways, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
        axes.set(xscale="log", yscale="log", xlabel="estimate, from one backward pass")
        axes.set_ylabel("how far the loss of a text\nmoves without the head")
        for axis in (axes.xaxis, axes.yaxis):  # plain numbers, few of them
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:g}"))
            axis.set_minor_formatter(NullFormatter())
        axes.grid(color=QUIET, alpha=0.2)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=11)
    ranked = sorted(_every(worth), key=_value)

    def in_words(place: tuple[int, int]) -> str:
        return f"layer {place[0]}, head {place[1]} (loss {moved[place]:.4f} other without it)"

    description = (
        f"{title}. {worth.size} dots along the line of equal values. The largest estimate is of"
        f" {in_words(ranked[-1][0])}, the smallest of {in_words(ranked[0][0])}."
    )
    return figure, description


def _value(one: tuple[tuple[int, int], float]) -> float:
    return one[1]


def _blue(share: float) -> Any:
    from matplotlib import colormaps

    return colormaps["Blues"](share)


def _every(table: Array) -> list[tuple[tuple[int, int], float]]:
    rows, columns = table.shape
    return [((row, column), float(table[row, column])) for row in range(rows) for column in range(columns)]


def _tables(estimate: Any, change: Any) -> tuple[Array, Array]:
    worth, moved = to_array(estimate, "estimate", "L, H"), abs(to_array(change, "change", "L, H"))
    if worth.shape != moved.shape:
        raise ValueError(
            f"There are {worth.shape} estimates and {moved.shape} changes; give one for each head."
        )
    if worth.min() <= 0:
        raise ValueError("An estimate is not above 0; a logarithmic axis has no place for it.")
    return worth, moved.clip(min=1e-7)


# ---------------------------------------------------------------------------------------------
# What a cut reaches, before and after training, over its time; and what three seeds say.

#: notebook 26: the smaller half of the weights at 0, all at once, then trained for 100 steps
ZEROS = "magnitude at once 0.5"


def draw_cut(
    before: Mapping[str, Any], after: Mapping[str, Any], time: Mapping[str, float], weights: Any
) -> tuple["Figure", str]:
    """Draw each model of the reader at its share of the time, an open dot before training, a full one after.

    before, after: for each model whether each headline is sorted rightly. weights: the record
    `pruned_weights`, whose model with half of its weights at zero is a cross.
    """
    scattered = float(np.mean(_percent(weights, ZEROS, task="headlines")))
    lows = {name: _share(right) for name, right in before.items()}
    highs = {name: _share(right) for name, right in after.items()}
    lowest = min((*lows.values(), *highs.values()))
    with style():
        figure = canvas(9.6, 4.3)
        axes = figure.subplots()
        for name, color, mark in zip(before, (QUIET, SERIES[2], LIT, SERIES[1]), "s^Do", strict=False):
            low, high = lows[name], highs[name]
            axes.plot([time[name]] * 2, [low, high], color=color, linewidth=1.5, alpha=0.5)
            axes.plot(time[name], low, mark, markerfacecolor="white", markeredgecolor=color, markersize=9)
            label = f"{name}: {low:.1f}, trained {high:.1f}"
            axes.plot(time[name], high, mark, color=color, markersize=9, label=label)
        label = f"half of the weights at 0 (26):\ntrained {scattered:.1f}"
        axes.plot(1.0, scattered, "X", color=INK, markersize=10, label=label)
        if lowest < 25:
            axes.axhline(11.1, color=INK, linewidth=1.3, linestyle=BASELINE)
            axes.text(0.02, 12.5, "a guess", fontsize=10, transform=axes.get_yaxis_transform())
        axes.set(xlim=(0, 1.1), ylim=(min(60, lowest - 5), 85), xlabel="share of the whole model's time")
        axes.set_ylabel("right of 720 test headlines, %\n(open: before training)")
        axes.grid(color=QUIET, alpha=0.2)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=11)
    models = [
        f"{name}: {lows[name]:.1f} before, {highs[name]:.1f} after training, in {time[name]:.2f} of the time"
        for name in before
    ]
    zeros = f"Recorded: half of the weights at zero, trained, {scattered:.1f} in all of the time."
    return figure, f"Right of 720 headlines, in percent. {'; '.join(models)}. {zeros}"


def only_one_right(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """How many headlines only one of two cuts sorts rightly, and how often a coin falls so unevenly."""
    lines = []
    for when, right in (("before the training", before), ("after the training", after)):
        yours, even = right["your cut"], right["half of each layer"]
        first, second = int((yours & ~even).sum()), int((even & ~yours).sum())
        luck = stats.uneven_by_luck(first, second) if first + second else 1.0
        told = f"only your cut is right {first} times, only half of each layer {second} times"
        lines.append(f"{when}, {told} (a coin splits them so in {luck:.1%} of cases)")
    return "\n".join(lines)


def _share(right: torch.Tensor) -> float:
    return 100 * float(right.float().mean())


def draw_best_by_layer(
    estimated: Sequence[int], measured: Sequence[int], neurons: Sequence[int]
) -> tuple["Figure", str]:
    """Draw how many of the best heads each layer has, estimated and measured, and of the neurons."""
    layers = np.arange(len(estimated))
    with style():
        figure = canvas(10.4, 3.5)
        left, right = figure.subplots(1, 2)
        for shift, counts, name, color, hatch in (
            (-0.2, estimated, "estimated (216 texts)", SERIES[2], ""),
            (0.2, measured, "measured (16 texts)", LIT, "///"),
        ):
            bars = left.bar(
                layers + shift, counts, 0.38, label=name, color=color, hatch=hatch, edgecolor="white"
            )
            left.bar_label(bars, padding=2, fontsize=10, bbox=PAPER, zorder=3)
        bars = right.bar(layers, neurons, 0.7, color=SERIES[2], label="estimated (216 texts)")
        right.bar_label(
            bars, labels=[f"{count:,}" for count in neurons], padding=2, fontsize=10, bbox=PAPER, zorder=3
        )
        for axes, counts, part in ((left, (*estimated, *measured), "heads"), (right, neurons, "neurons")):
            kept = sum(estimated if part == "heads" else neurons)
            even = kept / len(layers)
            name = "" if axes is left else "layers alike"
            axes.axhline(even, color=INK, linewidth=1.2, linestyle=BASELINE, label=name, zorder=1.5)
            axes.set_title(f"the {kept:,} best {part}", fontsize=12)
            axes.set(xlabel="layer", ylim=(0, 1.32 * max(counts)))
            axes.set_xticks(layers)
            axes.tick_params(axis="x", length=0)
            axes.legend(loc="upper center", frameon=False, fontsize=10, ncols=2)
    description = (
        f"Of the {sum(estimated)} best heads layers 0 to {len(estimated) - 1} have, by estimate,"
        f" {_listed(estimated)}; measured, {_listed(measured)}. Of the {sum(neurons):,} best neurons, by"
        f" estimate: {_listed(neurons)}."
    )
    return figure, description


def _listed(counts: Sequence[int]) -> str:
    return ", ".join(f"{count:,}" for count in counts)


def parts_of(model: BertForSequenceClassification) -> str:
    """How many heads and neurons a model has, and in how many layers."""
    layers = cast(Sequence[EncoderLayer], model.bert.encoder.layer)
    heads = sum(layer.attention.self.num_heads for layer in layers)
    neurons = sum(layer.intermediate.dense.out_features for layer in layers)
    return f"{heads} heads and {neurons:,} neurons in {len(layers)} layers"


def my_dot(
    model: BertForSequenceClassification, right: torch.Tensor, whole: BertForSequenceClassification
) -> frontier.Dot:
    """The reader's cut in the picture that grows: four bytes a number, its time beside MiniLM's."""
    nine = timing.example_batch(30_522, (1, 9))
    with torch.inference_mode():
        calls = {"cut": partial(model.eval(), **nine), "whole": partial(whole.eval(), **nine)}
        took = timing.in_turns(calls, rounds=frontier.ROUNDS)
    share = median(own / other for own, other in zip(took["cut"], took["whole"], strict=True))
    minilm = next(dot for dot in frontier.dots_until("19") if dot.name == "MiniLM")
    bytes_of_numbers = 4 * counting.unique_parameters(model)
    return frontier.Dot("your cut", "", bytes_of_numbers / 1e6, share * minilm.milliseconds, _share(right))


def recorded_halves(record: Any) -> tuple[dict[str, Any], str]:
    """A table: half a model on SST-2 after training, and what differs from the best half."""
    arms = {
        "whole": "dense",
        "worth least gone": "half of heads and neurons, importance",
        "random ones gone": "half of heads and neurons, random",
        "worth most gone": "half of heads and neurons, reversed",
    }
    found = {name: _percent(record, arm) for name, arm in arms.items()}
    table: dict[str, Any] = {"model": list(found)}
    table["mean"] = [float(np.mean(values)) for values in found.values()]
    table["lowest"] = [min(values) for values in found.values()]
    table["highest"] = [max(values) for values in found.values()]
    told = []
    for name, values in found.items():
        gap = stats.paired_difference(found["worth least gone"], values)
        verdict = "resolved" if gap.is_resolved else "not resolved"
        told.append("" if name == "worth least gone" else f"{gap.of_means:+.1f}, {verdict}")
    table["minus worth least gone"] = told
    return table, "SST-2, accuracy in percent, half of the heads and neurons gone, 100 steps, three seeds"


def _percent(record: Any, arm: str, metric: str = "accuracy", task: str = "SST-2") -> list[float]:
    return [100 * value for value in record.values(task, arm, metric)]


# ---------------------------------------------------------------------------------------------
# Stretches: records alone.

ORDERS = {"worth least gone": "importance", "random ones gone": "random", "worth most gone": "reversed"}


def draw_more_heads(record: Any) -> tuple["Figure", str]:
    """Draw the accuracy on SST-2 with more and more heads gone, untrained, in three orders."""
    counts = list(range(0, 64, 9))
    means = {
        name: np.array(
            [np.mean(_percent(record, f"{count} heads gone, {order}, untuned")) for count in counts]
        )
        for name, order in ORDERS.items()
    }
    half = {name: values[counts.index(36)] for name, values in means.items()}
    best, chance = half["worth least gone"], half["random ones gone"]
    title = f"Half of the heads gone: {best:.1f} without those worth least, {chance:.1f} by chance"
    drawn = draw_lines(
        counts, means, "heads removed of 72", "accuracy on SST-2, %", title, baseline=("a guess", 50.9)
    )
    lines = [
        f"{name} " + ", ".join(f"{count}: {value:.1f}" for count, value in zip(counts, values, strict=True))
        for name, values in means.items()
    ]
    return drawn, f"{title}. {'; '.join(lines)}"


def draw_questions(record: Any) -> tuple["Figure", str]:
    """Draw what is left of the question model without half of its heads and neurons, after training."""
    arms = {
        "whole, trained on": "dense",
        "worth least gone": "importance",
        "random ones gone": "random",
        "worth most gone": "reversed",
    }
    panels = {"SQuAD 1.1: F1, %": [_percent(record, arm, "f1", "SQuAD 1.1") for arm in arms.values()]}
    title = "Half of the question model, after 120 steps of training"
    drawn, alt = draw_panels(list(arms), panels, title, dict.fromkeys(panels, 1))
    drawn.axes[0].set_xticks([0, 20, 40, 60])
    return drawn, f"{title}. {alt}"


RULES = {"top": [0, 1, 2], "bottom": [3, 4, 5], "middle": [0, 1, 5], "every second": [1, 3, 5]}


def draw_recorded_rules(record: Any) -> tuple["Figure", str]:
    """Draw which three layers each rule keeps, and its accuracy on SST-2 before and after 100 steps."""
    arms = {name: f"3 layers gone, {'odd' if name == 'every second' else name}" for name in RULES}
    before = {name: _percent(record, arm, "accuracy_before") for name, arm in arms.items()}
    after = {name: _percent(record, arm) for name, arm in arms.items()}
    worst = min(after, key=lambda name: float(np.mean(after[name])))
    title = f"After training, the rule {worst!r} is the worst"
    whole = float(np.mean(_percent(record, "dense")))
    return draw_layer_rules(RULES, 6, before, after, "accuracy on SST-2, %", title, whole)


def averages(record: Any) -> tuple[dict[str, Any], str]:
    """A table: 45 of 72 heads gone on SST-2 by three averages of the same products, and by chance."""
    ways = {
        "per token": "per token",
        "per token, layers alike": "per token, layers alike",
        "per text": "importance",
        "random": "random",
    }
    found = {name: _percent(record, f"45 heads gone, {arm}, untuned") for name, arm in ways.items()}
    table = {"heads chosen": list(found), "mean": [float(np.mean(values)) for values in found.values()]}
    table["lowest"] = [min(values) for values in found.values()]
    table["highest"] = [max(values) for values in found.values()]
    return table, "SST-2 without 45 of 72 heads, accuracy in percent, three seeds"


# ---------------------------------------------------------------------------------------------
# Which layers each rule keeps, and what that costs before and after training.


def draw_layer_rules(
    kept: Mapping[str, Sequence[int]],
    num_layers: int,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    xlabel: str,
    title: str | None = None,
    whole: float | None = None,
) -> tuple["Figure", str]:
    """Draw a row for each rule: the layers that stay, dark, the first at the left, and what is reached.

    before, after: a number for each rule, or one for each seed, of which the mean is marked, an open dot and
    a full one, and a line goes from the lowest to the highest. whole: the same of all layers.
    """
    rows = _rows(kept, num_layers, before, after)
    places = np.arange(len(rows))
    with style():
        figure = canvas(10.2, 1.5 + 0.42 * len(rows), title)
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(0.8, 1.6))
        for place, (name, (first, second)) in enumerate(rows.items()):
            for layer in range(num_layers):
                left.add_patch(_square(layer, place, layer in kept[name]))
            for values, face, offset in ((first, "white", -0.14), (second, LIT, 0.14)):
                right.hlines(
                    place + offset, values.min(), values.max(), color=SERIES[2], linewidth=5, alpha=0.4
                )
                right.plot(
                    values.mean(), place + offset, "o", markerfacecolor=face, markeredgecolor=LIT,
                    markersize=8, markeredgewidth=1.8,
                )  # fmt: skip
        left.set(xlim=(-0.6, num_layers - 0.4), ylim=(len(rows) - 0.5, -0.5), xlabel="layers that stay")
        left.set_xticks(range(num_layers))
        left.set_yticks(places, list(rows))
        for axes in (left, right):
            axes.tick_params(length=0)
        left.spines[:].set_visible(False)
        right.grid(axis="x")
        right.set_xlabel(f"{xlabel} (open: before training; full: after)")
        if whole is not None:
            right.axvline(whole, color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            right.text(
                whole, 1.01, f"all layers {whole:.1f}", ha="right", va="bottom", fontsize=10,
                transform=right.get_xaxis_transform(),
            )  # fmt: skip
    phrases = [
        f"{name} keeps {', '.join(map(str, kept[name]))}:"
        f" {first.mean():.1f} before, {second.mean():.1f} after"
        for name, (first, second) in rows.items()
    ]
    return figure, "; ".join(phrases) + "."


def _square(layer: int, place: int, stays: bool) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(
        (layer - 0.4, place - 0.3), 0.8, 0.6, facecolor=LIT if stays else "white", edgecolor=FAINT,
        linewidth=1.2,
    )  # fmt: skip


def _rows(
    kept: Mapping[str, Sequence[int]], num_layers: int, before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, tuple[Array, Array]]:
    if not kept or not set(before) == set(after) == set(kept):
        raise ValueError(
            "Give the layers that stay, and what is reached before and after, of the same rules."
        )
    for name, layers in kept.items():
        if not all(0 <= layer < num_layers for layer in layers):
            raise ValueError(f"{name!r} keeps a layer that is not there: they are 0 to {num_layers - 1}.")
    return {
        name: (np.atleast_1d(np.asarray(before[name], float)), np.atleast_1d(np.asarray(after[name], float)))
        for name in kept
    }


# ---------------------------------------------------------------------------------------------
# The six matrices of a layer, and which rows and columns of them leave with a part.

WIDTH, HEIGHT, SCALE = 10.8, 4.1, 1.25  # inches, and inches for the hidden size
GONE = ("heads", "neurons", "features")
#: what a matrix loses: its rows with one part, its columns with another
LOSSES = {
    "query": ("heads", "features"),
    "key": ("heads", "features"),
    "value": ("heads", "features"),
    "attention output": ("features", "heads"),
    "feed-forward in": ("neurons", "features"),
    "feed-forward out": ("features", "neurons"),
}
COLORS = {"heads": SERIES[1], "neurons": SERIES[3], "features": SERIES[4]}
HATCHED = {"heads": "///", "neurons": "\\\\\\", "features": "..."}


def draw_pruned_layer(shares: Mapping[str, float], neurons: float, title: str) -> tuple["Figure", str]:
    """Draw the matrices of a layer, rows (outputs) downward, and shade what leaves them, and say it in words.

    shares: of "heads", "neurons" and "features", how large a share goes; what is missing stays. neurons: how
    many times as many neurons as features a layer has. Rows and columns that go are put together at the end.
    """
    _check(shares)
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    high, wide = SCALE, SCALE * min(neurons, 2.2)  # a feed-forward matrix is drawn shorter than it is
    places = {
        "query": (0.5, 2.1, SCALE, high),
        "key": (2.1, 2.1, SCALE, high),
        "value": (3.7, 2.1, SCALE, high),
        "attention output": (2.1, 0.35, SCALE, high),
        "feed-forward in": (5.7, 0.75, SCALE, wide),
        "feed-forward out": (7.6, 1.5, wide, high),
    }
    for name, place in places.items():
        _draw_matrix(page, name, place, shares)
    for number, part in enumerate(part for part in GONE if shares.get(part)):
        y = 0.85 - 0.27 * number
        _shade(page, (7.7, y - 0.08, 0.32, 0.17), part)
        page.text(8.15, y, f"goes with {part}: {shares[part]:.0%}", ha="left", fontsize=10)
    phrases = []
    for name, (rows, columns) in LOSSES.items():
        lost = [
            f"{shares[part]:.0%} of its {what} with {part}"
            for what, part in (("rows", rows), ("columns", columns))
            if shares.get(part)
        ]
        phrases.append(f"{name}: {' and '.join(lost) or 'loses nothing'}")
    return page.figure, f"The six matrices of a layer. {'; '.join(phrases)}."


def _draw_matrix(
    page: Schematic, name: str, place: tuple[float, float, float, float], shares: Mapping[str, float]
) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    page.axes.add_patch(
        Rectangle((left, bottom), width, height, facecolor=TINT, edgecolor=LIT, linewidth=1.2)
    )
    rows, columns = LOSSES[name]
    if gone := shares.get(rows, 0.0):
        _shade(page, (left, bottom, width, height * gone), rows)  # the last rows stand at the foot
    if gone := shares.get(columns, 0.0):
        _shade(page, (left + width * (1 - gone), bottom, width * gone, height), columns)
    page.text(left + width / 2, bottom + height + 0.14, name, color=INK, fontsize=10)


def _shade(page: Schematic, place: tuple[float, float, float, float], part: str) -> None:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = place
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": COLORS[part], "hatch": HATCHED[part]}
    page.axes.add_patch(Rectangle((left, bottom), width, height, linewidth=1.0, alpha=0.85, **look))
    page.axes.plot([left, left + width], [bottom + height] * 2, color=QUIET, linewidth=0.6)


def _check(shares: Mapping[str, float]) -> None:
    if unknown := sorted(set(shares) - set(GONE)):
        raise ValueError(f"{unknown[0]!r} is no part of a layer that can go; use {', '.join(GONE)}.")
    if not shares or not all(0 < share < 1 for share in shares.values()):
        raise ValueError("Give the share of at least one part that goes, between 0 and 1.")
