"""The drawings of notebook 20: whole numbers, ranges of rows, rounding that learns, a bet, a layer's time."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor, nn
from torch.nn.utils import parametrize

from lib import records, stats
from lib.compression.quantizers import model as quantizers
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, HATCHES, PAPER
from lib.figures.schematic import Box, Schematic
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, TINT, canvas, style
from lib.records import frontier

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One output of a dense layer in whole numbers: codes with a zero point, exact sums, two scales.

WIDTH, HEIGHT = 11.4, 4.3  # inches
RULER = (1.5, 10.9, 2.8)  # from left to right, and how high


def draw_whole_numbers(
    x: Sequence[float], weight: Sequence[float], weight_scale: float, bits: int = 4
) -> tuple["Figure", str]:
    """Draw how numbers become codes on a ruler with a zero point, and how codes are multiplied.

    x: what comes in, with 0.0 inside its range; weight: as many, on symmetric codes of `weight_scale`.
    """
    lowest, highest, most = min(x), max(x), 2**bits - 1
    if not lowest <= 0 <= highest or lowest == highest or len(x) != len(weight):
        raise ValueError(f"Numbers from {lowest:g} to {highest:g}: their range has to hold 0.0.")
    scale = (highest - lowest) / most
    zero = round(-lowest / scale)
    codes = [round(number / scale) + zero for number in x]
    weight_codes = [round(number / weight_scale) for number in weight]
    shifted = [code - zero for code in codes]
    total = sum(one * other for one, other in zip(shifted, weight_codes, strict=True))
    output, exact = total * scale * weight_scale, float(np.dot(x, weight))
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, "From numbers to codes, and back with two scales", ha="left", fontsize=13,
              weight="bold")  # fmt: skip
    _draw_ruler(page, dict(zip(codes, x, strict=True)), scale, zero, most)
    inputs = page.box(0.15, 1.35, 2.0, 0.6, "codes of the input", _row(codes))
    less = page.box(2.75, 1.35, 1.9, 0.6, f"less zero point {zero}", _row(shifted))
    weights = page.box(2.35, 0.25, 2.3, 0.6, "codes of the weights", _row(weight_codes))
    product = page.box(5.45, 0.8, 1.9, 0.6, "multiply and add", f"int32: {total}", look="lit")
    rescale = page.box(7.95, 0.8, 1.4, 0.6, "scale once", f"× {scale:.2g} × {weight_scale:g}", look="lit")
    result = page.box(9.95, 0.8, 1.2, 0.6, "output", f"{output:.2f}", look="tint")
    page.arrow(inputs.east, less.west)
    _join(page, less, weights, product)
    page.arrow(product.east, rescale.west)
    page.arrow(rescale.east, result.west)
    page.text(10.55, 0.5, f"not rounded: {exact:.2f}", color=QUIET)
    alt = (
        f"Numbers from {lowest:g} to {highest:g} lie on a ruler of {most + 1} codes, {scale:.2g} apart, and"
        f" each gets the nearest one; 0.0 is code {zero}, the zero point. The inputs {_row(x)} have the codes"
        f" {_row(codes)}, less the zero point {_row(shifted)}. The codes of the weights are"
        f" {_row(weight_codes)}. Multiplied and added in int32 they give {total}, and times {scale:.2g} and"
        f" {weight_scale:g} {output:.2f}. Without rounding it would be {exact:.2f}."
    )
    return page.figure, alt


def _draw_ruler(page: Schematic, numbers: Mapping[int, float], scale: float, zero: int, most: int) -> None:
    """A line of real numbers with a tick at every value that has a code, and a dot at every input."""
    left, right, height = RULER
    page.text(0.15, height + 0.42, "code", ha="left", weight="bold")
    page.text(0.15, height - 0.36, "number", ha="left", weight="bold")
    page.axes.plot([left - 0.3, right + 0.3], [height, height], color=INK, linewidth=1.4)
    for code in range(most + 1):
        x = left + (right - left) * code / most
        is_used = code in numbers
        page.axes.plot([x, x], [height - 0.08, height + 0.08], color=INK, linewidth=1.2)
        look = {"weight": "bold"} if is_used or code == zero else {"color": QUIET}
        page.text(x, height + 0.42, str(code), **look)
        if is_used:  # the number stands beside the tick that it is rounded to
            place = left + (right - left) * (numbers[code] / scale + zero) / most
            page.axes.plot(place, height, "o", color=LIT, markersize=9, zorder=4)
            page.text(place, height - 0.36, f"{numbers[code]:g}", weight="bold")
        elif code == zero:
            page.axes.plot(x, height, "s", color=SERIES[1], markersize=9, zorder=4)
            page.text(x, height - 0.36, "0", weight="bold")
    x = left + (right - left) * zero / most
    page.text(x, height + 0.75, "zero point", color=QUIET)


def _join(page: Schematic, first: Box, second: Box, target: Box) -> None:
    for source in (first, second):
        bend = (source.east[0] + target.west[0]) / 2
        page.arrow(source.east, (bend, source.east[1]), (bend, target.west[1]), target.west)


def _row(numbers: Sequence[float]) -> str:
    return "  ".join(f"{number:g}" for number in numbers)


# ---------------------------------------------------------------------------------------------
# The rows of a matrix: what one outlier does to the range of all.


def share_of_zeros(model: Any) -> float:
    """The share of all numbers in a BERT's matrices and tables that are 0."""
    weights = [part.weight for part in model.bert.modules() if isinstance(part, nn.Linear | nn.Embedding)]
    zeros = sum(int((weight == 0).sum()) for weight in weights)
    return zeros / sum(weight.numel() for weight in weights)


def draw_outlier(weight: Tensor, matrix_scale: Tensor, row_scales: Tensor) -> tuple["Figure", str]:
    """Draw the rows of a matrix rounded to four bits, by its one scale [1, 1] and by its rows' [R, 1]."""
    largest = weight.abs().amax(dim=1)  # [R]
    row = int((largest - largest.median()).abs().argmin())  # a row like most
    scales = {
        "one scale for the matrix": float(matrix_scale),
        "a scale of its own": float(row_scales[row]),
    }
    title = f"The largest weight is {largest.max() / largest[row]:.0f} times the largest of an ordinary row"
    return draw_row_ranges(largest, weight[row], scales, 7, title)


def draw_row_ranges(
    largest: Any, row: Any, scales: Mapping[str, float], largest_code: int, title: str | None = None
) -> tuple["Figure", str]:
    """Draw the largest |weight| of every row, and beside it what rounding leaves of one ordinary row.

    largest: [R]. row: [C], the weights of that row. scales: two, by name, that the row may be rounded with;
    each has a panel, where a line stands at every value, scale * code, that the row can take.
    """
    tops, weights, shares = _rows(largest, row, scales)
    worst = int(tops.argmax())
    reach = 1.15 * float(np.abs(weights).max())
    with style():
        figure = canvas(10.4, 4.2, title)
        grid = figure.add_gridspec(2, 2, width_ratios=[1, 1.25])
        left = figure.add_subplot(grid[:, 0])
        left.vlines(np.arange(len(tops)), 0, tops, color=LIT, linewidth=1.0)
        left.set(xlabel="row of the matrix", ylabel="largest |weight| of the row", xlim=(-4, len(tops) + 3))
        left.set_ylim(0, 1.12 * float(tops.max()))
        left.annotate(
            f"row {worst}: {tops[worst]:.2f}", (worst, tops[worst]), (7, 0), textcoords="offset points",
            va="center", fontsize=10,
        )  # fmt: skip
        middle = float(np.median(tops))
        left.annotate(
            f"half of the rows\nstay below {middle:.2f}", (0.72 * len(tops), middle), (0, 52),
            textcoords="offset points", ha="center", fontsize=10,
            arrowprops={"arrowstyle": "-|>", "color": QUIET},
        )  # fmt: skip
        for place, (name, scale) in enumerate(scales.items()):
            axes = figure.add_subplot(grid[place, 1])
            axes.hist(weights, bins=60, range=(-reach, reach), color=FAINT)
            values = scale * np.arange(-largest_code, largest_code + 1)
            axes.vlines(
                values[np.abs(values) <= reach], 0, 1, LIT, linewidth=1.6,
                transform=axes.get_xaxis_transform(),
            )  # fmt: skip
            axes.set(xlim=(-reach, reach), yticks=[])
            axes.set_title(f"{name}: {shares[name]:.0%} become 0", fontsize=11)
            if place:
                axes.set_xlabel("weights of one ordinary row (gray), and the values they can take (lines)")
            else:
                axes.tick_params(labelbottom=False)
    roundings = "; ".join(
        f"{name} ({scale:.3g} a code): {shares[name]:.0%} of its weights become 0"
        for name, scale in scales.items()
    )
    description = (
        f"Largest |weight| of {len(tops)} rows: {tops.max():.2f} in row {int(tops.argmax())}, at the median"
        f" {np.median(tops):.2f}. An ordinary row, from {weights.min():.2f} to {weights.max():.2f}."
        f" {roundings}."
    )
    return figure, description


def _rows(largest: Any, row: Any, scales: Mapping[str, float]) -> tuple[Array, Array, dict[str, float]]:
    """The rows' largest, one row, and for each scale the share of that row's weights that becomes 0."""
    tops, weights = to_array(largest, "largest", "R"), to_array(row, "row", "C")
    if len(scales) != 2 or not min(scales.values()) > 0:
        raise ValueError(f"{len(scales)} scales: give two positive ones, by name.")
    shares = {name: float((np.round(weights / scale) == 0).mean()) for name, scale in scales.items()}
    return tops, weights, shares


# ---------------------------------------------------------------------------------------------
# How rounding learns: a staircase, and a weight that walks up on it.


def draw_staircase(
    scale: float, largest_code: int, walk: Sequence[float], title: str | None = None
) -> tuple["Figure", str]:
    """Draw what rounding makes of a weight, where its gradient is let through, and a weight that walks.

    walk: the latent weight after 0, 1, 2, ... steps; each has a dot at what it is rounded to.
    """
    edge, rounded = _staircase(scale, largest_code, walk)
    reach = 1.45 * edge
    xs = np.linspace(-reach, reach, 2001)
    with style():
        figure = canvas(8.0, 4.0, title)
        axes = figure.subplots()
        for side in ((-reach, -edge), (edge, reach)):
            axes.axvspan(*side, color=FAINT, alpha=0.7, linewidth=0)
            axes.text(sum(side) / 2, -0.86 * edge, "clipped:\ngradient 0", ha="center", fontsize=10)
        axes.text(
            0,
            -0.86 * edge,
            "gradient taken as 1\n(squares: a weight after 0, 1, 2, ... steps)",
            ha="center",
            fontsize=10,
        )
        axes.plot(xs, xs, color=QUIET, linewidth=1.2, linestyle=BASELINE)
        axes.plot(xs, np.clip(np.round(xs / scale), -largest_code, largest_code) * scale, color=LIT)
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True)):
            axes.plot(latent, value, MARKERS[1], color=SERIES[1], markersize=8, zorder=4)
            axes.annotate(
                str(step), (latent, value), (0, -17), textcoords="offset points", ha="center",
                fontsize=11, weight="bold", bbox=PAPER,
            )  # fmt: skip
        axes.set(
            xlabel="latent weight, which learns", ylabel="rounded weight, which is used",
            xlim=(-reach, reach), ylim=(-1.15 * edge, 1.15 * edge),
        )  # fmt: skip
        axes.grid(axis="y")
    steps = "; ".join(
        f"step {step}: latent {latent:.2f}, rounded {value:.2f}"
        for step, (latent, value) in enumerate(zip(walk, rounded, strict=True))
    )
    description = (
        f"Rounding is a staircase of {2 * largest_code + 1} steps, {scale:g} high, along the dashed line of"
        f" no rounding. Beyond {edge:g} on either side it is flat, and the gradient is 0; between, it counts"
        f" as 1. A weight walks: {steps}."
    )
    return figure, description


def _staircase(scale: float, largest_code: int, walk: Sequence[float]) -> tuple[float, list[float]]:
    if not scale > 0 or largest_code < 1:
        raise ValueError(f"A scale of {scale:g} and codes up to {largest_code}: both have to be positive.")
    codes = np.clip(np.round(np.asarray(walk) / scale), -largest_code, largest_code)
    return scale * largest_code, (scale * codes).tolist()


# ---------------------------------------------------------------------------------------------
# What training with the rounding inside brings: accuracy over bits, before and after.


@dataclass(frozen=True)
class Trained:
    """Accuracies on one task, 0 to 1, one for each seed.

    rounded[line] are those of a finished model, rounded to each number of bits; trained[line][bits] those
    of the models that learned on with this rounding. unrounded is the model's own, guess that of a guess.
    """

    rounded: Mapping[str, Sequence[Sequence[float]]]
    trained: Mapping[str, Mapping[int, Sequence[float]]]
    unrounded: Sequence[float]
    guess: float


@dataclass(frozen=True)
class Bet:
    """What a reader trained: accuracies, 0 to 1, at so many bits, after the same steps in two ways."""

    bits: int
    rounded: float  # rounded, and not trained
    inside: float  # the rounding inside
    afterwards: float  # trained without it, and rounded then


def draw_bet(bits: int, rounded: float, inside: float, afterwards: float) -> tuple["Figure", str]:
    """Draw the recorded accuracies on headlines, three seeds each, and what a reader's own bet reached."""
    record, steps = records.table("bits"), [8, 6, 4, 3, 2]

    def reached(arm: str) -> list[float]:
        return record.values("headlines", arm)

    only_rounded = {
        "by row": [reached(f"all, row, {step} bits") for step in steps],
        "by matrix": [reached(f"all, tensor, {step} bits") for step in steps],
    }
    trained = {
        "by row": {step: reached(f"{step} bits per row") for step in (3, 2)},
        "by matrix": {3: reached("3 bits per tensor")},
    }
    task = Trained(only_rounded, trained, reached("teacher"), 1 / 9)
    bet = Bet(bits, rounded, inside, afterwards)
    return draw_trained(steps, task, "Accuracy over bits: three recorded seeds, and your bet", bet)


def recorded_gain(name: str) -> str:
    """What training with three bits by row brings on a task of the record, in points, by the paired rule."""
    record = records.table("bits")
    before, after = (
        record.values(name, "3 bits per row", score) for score in ("accuracy_before", "accuracy")
    )
    gain = stats.paired_difference(before, after)
    verdict = "resolved" if gain.is_resolved else "not resolved"
    return (
        f"recorded, longer, 3 bits by row, mean of {len(before)} seeds: {np.mean(before):.1%} only rounded,\n"
        f"{np.mean(after):.1%} trained with rounding: {100 * gain.of_means:+.1f} points, {verdict}"
    )


def draw_trained(
    bits: Sequence[int], task: Trained, title: str | None = None, bet: Bet | None = None
) -> tuple["Figure", str]:
    """Draw a line for each range over the bits, and one from rounded up to trained.

    Lines and dots are means over the seeds, bands go from the lowest seed to the highest.
    """
    with style():
        figure = canvas(8.0, 4.4, title)
        axes = figure.subplots()
        _draw_task(axes, bits, task)
        if bet is not None:
            _draw_bet(axes, bet)
        axes.set(
            xlabel="bits of each weight (bands: lowest to highest seed; yours stands right of its bits)",
            ylabel="accuracy, %",
            xticks=list(bits),
            ylim=(0, 103),
        )
        axes.set_xlim(max(bits) + 0.4, min(bits) - 0.5)
        axes.grid(axis="y")
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    yours = (
        ""
        if bet is None
        else (
            f" Yours, {bet.bits} bits: only rounded {bet.rounded:.1%}, rounding inside {bet.inside:.1%},"
            f" rounded afterwards {bet.afterwards:.1%}."
        )
    )
    return figure, _said(bits, task) + yours


def _draw_bet(axes: Any, bet: Bet) -> None:
    """The reader's model and two students, to the right of the recorded ones."""
    place = bet.bits - 0.16
    axes.plot(place - 0.16, 100 * bet.rounded, "_", color="black", markersize=13, markeredgewidth=3, zorder=5,
              linestyle="", label="yours, only rounded")  # fmt: skip
    axes.plot(place, 100 * bet.inside, "D", color="black", markersize=9, zorder=5, linestyle="",
              label="yours, rounding inside")  # fmt: skip
    axes.plot(place, 100 * bet.afterwards, "X", color="black", markersize=10, zorder=5, linestyle="",
              label="yours, control: rounded afterwards")  # fmt: skip


def _draw_task(axes: Any, bits: Sequence[int], task: Trained) -> None:
    for number, (line, runs) in enumerate(task.rounded.items()):
        table = 100 * np.asarray(runs, dtype=float)  # [bits, seeds]
        color = SERIES[number]
        axes.fill_between(bits, table.min(axis=1), table.max(axis=1), color=color, alpha=0.18, linewidth=0)
        axes.plot(
            bits, table.mean(axis=1), color=color, linestyle=DASHES[number], marker=MARKERS[number],
            label=f"{line}, rounded",
        )  # fmt: skip
        after = task.trained.get(line, {})
        for bit, scores in after.items():
            start, end = float(table[list(bits).index(bit)].mean()), 100 * float(np.mean(scores))
            axes.annotate(
                "", (bit, end), (bit, start), arrowprops={"arrowstyle": "-", "color": color, "linewidth": 1.2}
            )
        axes.plot(
            [*after], [100 * float(np.mean(scores)) for scores in after.values()], MARKERS[number],
            color="white", markeredgecolor=color, markersize=10, markeredgewidth=2, zorder=4,
            label=f"{line}, trained with rounding",
        )  # fmt: skip
    for value, name in ((float(np.mean(task.unrounded)), "not rounded"), (task.guess, "a guess")):
        axes.axhline(100 * value, color=QUIET, linewidth=1.2, linestyle=BASELINE, zorder=1)
        above = name == "not rounded"
        axes.text(
            0.02, 100 * value + (1.5 if above else -1.5), f"{name}: {value:.0%}", fontsize=10, color=QUIET,
            va="bottom" if above else "top", transform=axes.get_yaxis_transform(),
        )  # fmt: skip


def _said(bits: Sequence[int], task: Trained) -> str:
    lines = [
        f"{line}, rounded: "
        + ", ".join(f"{bit} bits {np.mean(runs):.1%}" for bit, runs in zip(bits, table, strict=True))
        for line, table in task.rounded.items()
    ]
    lines += [
        f"{line}, trained with rounding: "
        + ", ".join(f"{bit} bits {np.mean(scores):.1%}" for bit, scores in after.items())
        for line, after in task.trained.items()
    ]
    return "; ".join(lines) + f"; not rounded {np.mean(task.unrounded):.1%}; a guess {task.guess:.1%}."


def dot_of(student: Any, bits: int, by: str, accuracy: float, original: Any) -> frontier.Dot:
    """The reader's student in the picture that grows, weighed as a file of codes of so many bits."""
    packed = copy.deepcopy(student)
    for part in list(packed.modules()):
        if parametrize.is_parametrized(part):
            parametrize.remove_parametrizations(part, "weight")  # what stays is rounded
    groups = None if by == "row" else 1  # one group of rows: one scale for the matrix
    quantizers.quantize_weights(packed, bits, groups=groups)
    return frontier.own_dot(f"{bits} bits, trained here", packed, accuracy, original)


# ---------------------------------------------------------------------------------------------
# Where the time of one dense layer goes, by three ways to multiply.

STEPS = ("round the input", "multiply", "all else")


def draw_layer_times(seconds: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw what one dense layer takes by three ways, step by step, as shares of the layer in float32.

    seconds: of the whole layers "float32", "yours" and "fast", of the rounding "round" of the two latter, and
    of their products "int32" and "int8". What a layer takes besides is its last step.
    """
    if not min(seconds[name] for name in ("float32", "yours", "fast", "round", "int32", "int8")) > 0:
        raise ValueError("A step has taken no time: give the positive seconds of all six.")
    unit = seconds["float32"]
    ways = {"float32": (0.0, unit, 0.0)}
    for way, layer, product in (("int32, yours", "yours", "int32"), ("int8, fast", "fast", "int8")):
        rest = max(0.0, seconds[layer] - seconds["round"] - seconds[product])
        ways[way] = (seconds["round"], seconds[product], rest)
    shares = {way: [one / unit for one in steps] for way, steps in ways.items()}
    fast_product = _as_fast(1 / shares["int8, fast"][1])
    fast_layer = _as_fast(1 / sum(shares["int8, fast"]))
    title = f"Here the fast product {fast_product}, and its layer {fast_layer}"
    with style():
        figure = canvas(8.0, 3.0, title)
        axes = figure.subplots()
        for place, steps in enumerate(shares.values()):
            end = 0.0
            for number, (step, width) in enumerate(zip(STEPS, steps, strict=True)):
                axes.barh(
                    place, width, 0.62, left=end, label=step if place == 1 else None,
                    color=(TINT, LIT, "white")[number], hatch=HATCHES[number], edgecolor=INK, linewidth=0.8,
                )  # fmt: skip
                end += width
            axes.annotate(f"{end:.2f}", (end, place), (5, 0), textcoords="offset points", va="center")
        axes.axvline(1, color=QUIET, linewidth=1.2, linestyle=BASELINE, zorder=0)
        axes.set_yticks(range(len(shares)), [*shares])
        axes.set(xlabel="time of one dense layer on 1,024 tokens, float32: 1", ylim=(2.5, -0.5))
        axes.set_xlim(0, 1.12 * max(sum(steps) for steps in shares.values()))
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
    said = [
        f"{way} {sum(steps):.2f} ("
        + ", ".join(f"{step} {width:.2f}" for step, width in zip(STEPS, steps, strict=True))
        + ")"
        for way, steps in shares.items()
    ]
    return figure, "One dense layer on 1,024 tokens, float32 takes 1: " + "; ".join(said) + "."


def _as_fast(ratio: float) -> str:
    """How fast beside another: "4.6 times as fast", "as fast" or "2.0 times slower"."""
    if 0.95 <= ratio <= 1.05:
        return "is as fast"
    return f"is {ratio:.1f} times as fast" if ratio > 1 else f"is {1 / ratio:.1f} times slower"
