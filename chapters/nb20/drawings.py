"""The drawings of notebook 20: an integer product, ranges of rows, rounding that learns, its gain, blanks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, PAPER
from lib.figures.schematic import Box, Schematic
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# One output of a dense layer, rounded: by real numbers that were rounded, and by whole numbers.

WIDTH, HEIGHT = 11.4, 4.5  # inches


@dataclass(frozen=True)
class IntegerProduct:
    """The numbers of one output: what comes in and its weights, both with codes and a scale."""

    x: Sequence[float]
    weight: Sequence[float]
    x_codes: Sequence[int]
    weight_codes: Sequence[int]
    x_scale: float
    weight_scale: float

    @property
    def total(self) -> int:
        """The sum of the products of the codes."""
        return sum(one * other for one, other in zip(self.x_codes, self.weight_codes, strict=True))

    @property
    def exact(self) -> float:
        """The output without rounding."""
        return sum(one * other for one, other in zip(self.x, self.weight, strict=True))

    @property
    def output(self) -> float:
        """What it stands for."""
        return self.total * self.x_scale * self.weight_scale


def draw_integer_product(numbers: IntegerProduct) -> tuple["Figure", str]:
    """Draw both ways from the same numbers to the same output: fake quantization above, integers below."""
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, "Round first, then two ways to one output", ha="left", fontsize=13,
              weight="bold")  # fmt: skip
    x = page.box(0.15, 2.35, 2.15, 0.62, "input", _row(numbers.x))
    weight = page.box(0.15, 1.3, 2.15, 0.62, "weights", _row(numbers.weight))
    page.frame(2.75, 2.5, 8.5, 1.6, "fake quantization: real numbers")
    page.frame(2.75, 0.2, 8.5, 1.85, "integer arithmetic")
    fake_x, fake_weight = _draw_fake(page, numbers)
    codes_x, codes_weight = _draw_integers(page, numbers)
    for source, fake, codes in ((x, fake_x, codes_x), (weight, fake_weight, codes_weight)):
        bend = 2.45 if source is x else 2.6
        for target in (fake, codes):
            page.arrow(source.east, (bend, source.east[1]), (bend, target.west[1]), target.west)
    page.text(0.15, 0.95, f"not rounded: {numbers.exact:.2f}", ha="left", color=QUIET)
    page.text(10.2, 2.27, f"equal: {numbers.output:.2f}", weight="bold", color=QUIET)
    alt = (
        f"Input {_row(numbers.x)} and weights {_row(numbers.weight)}. Fake quantization rounds them to"
        f" {_row(_values(numbers.x_codes, numbers.x_scale))} and"
        f" {_row(_values(numbers.weight_codes, numbers.weight_scale))}, and multiplies and adds these real"
        f" numbers: {numbers.output:.2f}. Integer arithmetic keeps the codes {_row(numbers.x_codes)} and"
        f" {_row(numbers.weight_codes)}, multiplies and adds them in int32 to {numbers.total}, and"
        f" multiplies once by {numbers.x_scale:g} times {numbers.weight_scale:g}: {numbers.output:.2f}."
        f" Without rounding it would be {numbers.exact:.2f}."
    )
    return page.figure, alt


def _draw_fake(page: Schematic, numbers: IntegerProduct) -> tuple[Box, Box]:
    x = page.box(3.0, 3.25, 2.6, 0.52, "rounded input", _row(_values(numbers.x_codes, numbers.x_scale)))
    values = _values(numbers.weight_codes, numbers.weight_scale)
    weight = page.box(3.0, 2.62, 2.6, 0.52, "rounded weights", _row(values))
    total = page.box(6.3, 2.9, 2.35, 0.58, "multiply and add", "float32")
    output = page.box(9.35, 2.9, 1.7, 0.58, "output", f"{numbers.output:.2f}", look="tint")
    _join(page, x, weight, total)
    page.arrow(total.east, output.west)
    return x, weight


def _draw_integers(page: Schematic, numbers: IntegerProduct) -> tuple[Box, Box]:
    x = page.box(3.0, 1.1, 2.6, 0.52, "codes of the input", _row(numbers.x_codes))
    weight = page.box(3.0, 0.35, 2.6, 0.52, "codes of the weights", _row(numbers.weight_codes))
    total = page.box(6.3, 0.7, 1.9, 0.58, "multiply and add", f"int32: {numbers.total}", look="lit")
    scales = f"× {numbers.x_scale:g} × {numbers.weight_scale:g}"
    rescale = page.box(8.5, 0.7, 1.15, 0.58, "scale once", scales, look="lit")
    output = page.box(9.95, 0.7, 1.1, 0.58, "output", f"{numbers.output:.2f}", look="tint")
    _join(page, x, weight, total)
    page.arrow(total.east, rescale.west)
    page.arrow(rescale.east, output.west)
    return x, weight


def _join(page: Schematic, first: Box, second: Box, target: Box) -> None:
    for source in (first, second):
        bend = (source.east[0] + target.west[0]) / 2
        page.arrow(source.east, (bend, source.east[1]), (bend, target.west[1]), target.west)


def _values(codes: Sequence[int], scale: float) -> list[float]:
    return [scale * code for code in codes]


def _row(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:g}" if isinstance(number, int) else f"{number:.2g}" for number in numbers)


# ---------------------------------------------------------------------------------------------
# The rows of a matrix: what one outlier does to the range of all.


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


def draw_trained(bits: Sequence[int], task: Trained, title: str | None = None) -> tuple["Figure", str]:
    """Draw a line for each range over the bits, and one from rounded up to trained.

    Lines and dots are means over the seeds, bands go from the lowest seed to the highest.
    """
    with style():
        figure = canvas(8.0, 4.0, title)
        axes = figure.subplots()
        _draw_task(axes, bits, task)
        axes.set(xlabel="bits of each weight", ylabel="accuracy, %", xticks=list(bits), ylim=(0, 103))
        axes.set_xlim(max(bits) + 0.4, min(bits) - 0.5)
        axes.grid(axis="y")
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure, _said(bits, task)


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


# ---------------------------------------------------------------------------------------------
# What a model guesses for blanks after rounding, beside what it guessed before.


@dataclass(frozen=True)
class BlankNow:
    """What a model says of one blank after rounding, beside what it said before."""

    text: str  # with [MASK]
    word: str  # the first guess before
    before: float  # its probability then
    now: float  # and now
    first: str  # the first guess now


def draw_blanks(blanks: Sequence[BlankNow], title: str | None = None) -> "Figure":
    """Draw for each blank how probable its first guess of before is now; a line says how it was before."""
    if not blanks:
        raise ValueError("There are no blanks to draw: give one or more.")
    with style():
        figure = canvas(9.0, 0.9 + 0.72 * len(blanks), title)
        axes = figure.subplots()
        for row, blank in enumerate(blanks):
            unchanged = blank.first == blank.word
            axes.barh(row, blank.now, 0.32, color=LIT if unchanged else "white", edgecolor=LIT, linewidth=1.2)
            axes.vlines(blank.before, row - 0.26, row + 0.26, INK, linewidth=2.2)
            sentence = blank.text.replace("[MASK]", f"[{blank.first}]")
            axes.text(
                0, row - 0.26, sentence, va="bottom", fontsize=11, weight="bold" if unchanged else "normal"
            )
            change = f"“{blank.word}” {blank.before:.2f} → {blank.now:.2f}"
            axes.text(max(blank.now, blank.before) + 0.012, row, change, va="center", fontsize=10)
        axes.set(xlim=(0, 1), ylim=(len(blanks) - 0.55, -0.75), yticks=[])
        axes.set_xlabel("probability of the first guess of the unchanged model; line: unchanged")
        axes.spines["left"].set_visible(False)
    return figure


def describe_blanks(blanks: Sequence[BlankNow]) -> str:
    """Say in words what `draw_blanks` shows."""
    return (
        "; ".join(
            f"{blank.text}: first guess now {blank.first}, “{blank.word}” {blank.before:.2f} before and"
            f" {blank.now:.2f} now"
            for blank in blanks
        )
        + "."
    )
