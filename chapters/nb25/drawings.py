"""The drawings of notebook 25: codebooks, shares of answers, every choice as a dot, and curves over bits.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_bet(found, mine, 2, 0.002))`.
What gives the columns of a table is named after what the table holds: `agreements`, `published`.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lib import stats
from lib.figures.arrays import Array, to_array
from lib.figures.charts import BASELINE, draw_bars
from lib.figures.schematic import Schematic
from lib.figures.style import DASHES, FAINT, INK, LIT, MARKERS, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# Weights and the few values that stand for them: where values lie, what is kept beside, what is stored.

WIDTH, LEFT = 9.6, 1.75  # inches
MOST_NUMBERS = 10  # that can be read in a row


def draw_books(
    weights: Any,
    books: Mapping[str, Any],
    bounds: Mapping[str, tuple[float, float]] | None = None,
    title: str | None = None,
    reach: float | None = None,
    beyond: str = "orange: outliers, kept as they are",
) -> "Figure":
    """Draw the histogram of a matrix once for each book, with a line at every value of the book.

    weights: [N]; how many lie where is drawn on a logarithmic scale, since outliers are few. books: up to
    three, by name, each [K]. bounds: of books that keep outliers, beyond which a weight is one, and marked.
    reach: the ends of the x axis, by default the largest |weight|. beyond: what the marked ones are, if any.
    """
    numbers, values = _books(weights, books)
    bounds, is_marked = bounds or {}, False
    edge = 1.05 * float(np.abs(numbers).max()) if reach is None else reach
    counts, edges = np.histogram(numbers, bins=160, range=(-edge, edge))
    with style():
        figure = canvas(9.6, 1.0 + 1.75 * len(values), title)
        every = figure.subplots(len(values), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, book) in zip(every, values.items(), strict=True):
            lowest, highest = bounds.get(name, (-np.inf, np.inf))
            is_out = (edges[1:] < lowest) | (edges[:-1] > highest)
            is_marked = is_marked or bool(counts[is_out].any())
            for part, color in ((~is_out, FAINT), (is_out, SERIES[1])):
                axes.bar(edges[:-1][part], counts[part], np.diff(edges)[part], align="edge", color=color)
            axes.vlines(
                book[np.abs(book) <= edge], 0, 1, LIT, linewidth=1.6, transform=axes.get_xaxis_transform()
            )
            axes.set_yscale("symlog", linthresh=1)
            axes.set(xlim=(-edge, edge), ylabel="weights")
            axes.set_title(name, fontsize=11)
            axes.minorticks_off()
        words = "weight; lines: the values of the book"
        every[-1].set_xlabel(words + (f"; {beyond}" if is_marked else ""))
    return figure


def describe_books(
    weights: Any, books: Mapping[str, Any], bounds: Mapping[str, tuple[float, float]] | None = None
) -> str:
    """Say in words what `draw_books` shows."""
    numbers, values = _books(weights, books)
    entries = "; ".join(
        f"{name}: {', '.join(f'{value:.3f}' for value in book)}" for name, book in values.items()
    )
    outliers = ""
    for name, (lowest, highest) in (bounds or {}).items():
        count = int(((numbers < lowest) | (numbers > highest)).sum())
        outliers += f" {name} keeps the {count} outside of {lowest:.3f} to {highest:.3f} as outliers."
    return (
        f"{len(numbers):,} weights from {numbers.min():.2f} to {numbers.max():.2f}. Values of the books:"
        f" {entries}.{outliers}"
    )


def _books(weights: Any, books: Mapping[str, Any]) -> tuple[Array, dict[str, Array]]:
    if not 1 <= len(books) <= 3:
        raise ValueError(f"There are {len(books)} books; one to three fit under each other.")
    return to_array(weights, "weights", "N"), {
        name: to_array(book, repr(name), "K") for name, book in books.items()
    }


class StoredWeights(NamedTuple):
    """A few weights as GOBO stores them: the number of a centroid for each, and the outliers beside."""

    weights: Sequence[float]
    centroids: Sequence[float]  # ascending
    codes: Sequence[int]  # one for each weight, the outliers' too
    outliers: Mapping[int, float]  # by place


def draw_stored_weights(stored: StoredWeights, bits: int, title: str) -> tuple["Figure", str]:
    """Draw weights, what of them goes into the file, and what comes back, top to bottom."""
    _check(stored, bits)
    page = Schematic(WIDTH, 4.1)
    side = (WIDTH - LEFT - 0.2) / len(stored.weights)
    page.text(0.15, 3.88, title, ha="left", fontsize=12, weight="bold")
    rows = (
        (3.35, "weights"),
        (2.35, f"codes, {bits} bits each"),
        (1.4, "beside the codes"),
        (0.4, "come back"),
    )
    for y, words in rows:
        page.text(0.15, y, words, ha="left", color=QUIET, fontsize=10.5)
    back = restored(stored)
    for place, (weight, code) in enumerate(zip(stored.weights, stored.codes, strict=True)):
        left, out = LEFT + side * place, place in stored.outliers
        look = "lit" if out else "plain"
        first = page.box(left + 0.04, 3.12, side - 0.08, 0.46, f"{weight:g}", look=look)
        second = page.box(left + 0.04, 2.12, side - 0.08, 0.46, str(code), look="quiet" if out else "tint")
        page.arrow(first.below, second.top)
        page.box(left + 0.04, 0.17, side - 0.08, 0.46, f"{back[place]:.3g}", look=look)
    half = (WIDTH - LEFT - 0.2) * 0.62
    book = ", ".join(f"{number}: {value:.3g}" for number, value in enumerate(stored.centroids))
    page.box(
        LEFT + 0.04, 1.1, half - 0.1, 0.6, f"the book, {len(stored.centroids)} values", book, look="tint"
    )
    outliers = ", ".join(f"place {place}: {value:g}" for place, value in stored.outliers.items()) or "none"
    page.box(LEFT + half, 1.1, WIDTH - LEFT - half - 0.24, 0.6, "outliers", outliers, look="lit")
    outliers = ", ".join(f"{value:g} at place {place}" for place, value in stored.outliers.items()) or "none"
    alt = (
        f"The weights {', '.join(f'{weight:g}' for weight in stored.weights)} become the codes"
        f" {', '.join(map(str, stored.codes))} of {bits} bits, a book of"
        f" {', '.join(f'{value:.3g}' for value in stored.centroids)}, and the outliers {outliers}. Back come"
        f" {', '.join(f'{value:.3g}' for value in restored(stored))}."
    )
    return page.figure, alt


def restored(stored: StoredWeights) -> list[float]:
    """What comes back for each weight: its centroid, or itself if it is an outlier."""
    return [stored.outliers.get(place, stored.centroids[code]) for place, code in enumerate(stored.codes)]


def _check(stored: StoredWeights, bits: int) -> None:
    counts = len(stored.weights), len(stored.codes)
    if not 1 <= counts[0] <= MOST_NUMBERS or counts[0] != counts[1] or len(stored.centroids) != 2**bits:
        raise ValueError(
            f"{counts[0]} weights, {counts[1]} codes and {len(stored.centroids)} centroids: give a code for"
            f" each of at most {MOST_NUMBERS} weights, and 2^{bits} centroids."
        )


# ---------------------------------------------------------------------------------------------
# Every choice that could be made, a dot each, and the marks of a few that were.


def draw_strips(
    rows: Mapping[str, Any],
    marked: Mapping[str, Mapping[str, float]],
    xlabel: str,
    title: str | None = None,
) -> tuple["Figure", str]:
    """Draw a row of dots for every choice that could be made, and above it the marks of a few that were.

    rows[row] is [N]; marked[name][row] is the number of a choice that has a name. Up to four names.
    """
    strips, marks = _strips(rows, marked)
    shapes = (("^", LIT), ("v", SERIES[1]), ("s", INK), ("D", SERIES[3]))
    with style():
        figure = canvas(8.0, 1.5 + 0.62 * len(strips), title)
        axes = figure.subplots()
        for place, numbers in enumerate(strips.values()):
            axes.plot(
                numbers, np.full(len(numbers), place), "o", color=FAINT, markeredgecolor=QUIET, markersize=7,
                label="every choice" if place == 0 else None,
            )  # fmt: skip
        for (name, of_row), (marker, color) in zip(marks.items(), shapes, strict=False):
            places = [place - 0.27 for place, row in enumerate(strips) if row in of_row]  # no dot is covered
            axes.plot(
                [of_row[row] for row in strips if row in of_row], places, marker, color=color, markersize=11,
                label=name,
            )  # fmt: skip
        axes.set_yticks(range(len(strips)), list(strips))
        axes.set_ylim(len(strips) - 0.6, -0.6)
        axes.set_xlabel(xlabel)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        figure.legend(loc="outside lower center", ncols=1 + len(marks))
    sentences = []
    for row, numbers in strips.items():
        named = ", ".join(f"{name} {of_row[row]:.3f}" for name, of_row in marks.items() if row in of_row)
        sentences.append(
            f"{row}: {len(numbers)} choices from {numbers.min():.3f} to {numbers.max():.3f}, mean"
            f" {numbers.mean():.3f}; {named}"
        )
    return figure, ". ".join(sentences) + "."


def _strips(
    rows: Mapping[str, Any], marked: Mapping[str, Mapping[str, float]]
) -> tuple[dict[str, Array], dict[str, dict[str, float]]]:
    strips = {row: to_array(numbers, repr(row), "N") for row, numbers in rows.items()}
    marks = {name: dict(of_row) for name, of_row in marked.items()}
    for name, of_row in marks.items():
        if unknown := of_row.keys() - strips.keys():
            raise ValueError(f"{name!r} is marked in {min(unknown)!r}, which is no row.")
    if not strips or len(marks) > 4:
        raise ValueError(
            f"{len(strips)} rows and {len(marks)} marks: give a row or more, and four marks at most."
        )
    return strips, marks


# ---------------------------------------------------------------------------------------------
# How much of a model is left with fewer and fewer bits, over seeds.

MOST_PANELS = 4


def draw_bit_curves(
    bits: Sequence[int],
    panels: Mapping[str, Mapping[str, Any]],
    ylabel: str,
    title: str | None = None,
    baseline: tuple[str, float] | None = None,
) -> tuple["Figure", str]:
    """Draw up to four panels of a share, 0 to 1, over the number of bits, the fewest on the right.

    panels[name][line] is [N], or [N, S] for S seeds, of which the line is the mean and the band goes from the
    lowest to the highest. All panels have the same lines.
    """
    tables = _curves(bits, panels)
    low = min(float(table.min()) for lines in tables.values() for table in lines.values())
    with style():
        figure = canvas(10.4, 3.7, title)
        every = figure.subplots(1, len(tables), sharey=True, squeeze=False)[0]
        for axes, (name, lines) in zip(every, tables.items(), strict=True):
            for number, (line, table) in enumerate(lines.items()):
                _draw_curve(axes, bits, table, line, number)
            if baseline is not None:
                axes.axhline(baseline[1], color=INK, linewidth=1.3, linestyle=BASELINE, zorder=1.5)
            axes.set(title=name, xlabel="bits", xticks=list(bits))
            axes.set_xlim(max(bits) + 0.4, min(bits) - 0.4)
            axes.set_ylim(min(low, baseline[1] if baseline else low) - 0.09, 1.03)
            axes.grid(axis="y")
        every[0].set_ylabel(ylabel)
        if baseline is not None:
            every[0].text(
                0.03, baseline[1] - 0.01, f"{baseline[0]} {baseline[1]:.2f}", va="top", fontsize=10,
                transform=every[0].get_yaxis_transform(),
            )  # fmt: skip
        handles, labels = every[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    phrases = [
        f"{name}, {line}: "
        + ", ".join(f"{bit} bits {mean:.3f}" for bit, mean in zip(bits, table.mean(axis=1), strict=True))
        for name, lines in tables.items()
        for line, table in lines.items()
    ]
    dashed = "" if baseline is None else f" {baseline[0]} {baseline[1]:.3f}."
    alt = "; ".join(phrases) + "." + dashed
    return figure, alt


def _draw_curve(axes: "Axes", bits: Sequence[int], table: Array, line: str, number: int) -> None:
    axes.fill_between(
        bits, table.min(axis=1), table.max(axis=1), color=SERIES[number], alpha=0.18, linewidth=0
    )
    axes.plot(
        bits, table.mean(axis=1), color=SERIES[number], linestyle=DASHES[number], marker=MARKERS[number],
        label=line,
    )  # fmt: skip


def _curves(bits: Sequence[int], panels: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Array]]:
    """The panels with each line as [N, S]."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"There are {len(panels)} panels; one to {MOST_PANELS} fit side by side.")
    curves: dict[str, dict[str, Array]] = {
        name: {line: np.asarray(values, dtype=float) for line, values in lines.items()}
        for name, lines in panels.items()
    }
    first = list(next(iter(curves.values())))
    for name, lines in curves.items():
        if list(lines) != first or len(lines) > len(SERIES):
            raise ValueError(f"Give the same lines in every panel, {len(SERIES)} at most.")
        for line, table in lines.items():
            if table.ndim not in (1, 2) or len(table) != len(bits) or not table.size:
                raise ValueError(
                    f"{line!r} of {name!r} has the shape {list(table.shape)}: give a number, or a row of"
                    f" seeds, for each of {len(bits)} numbers of bits."
                )
    return {
        name: {line: table.reshape(len(bits), -1) for line, table in lines.items()}
        for name, lines in curves.items()
    }


# ---------------------------------------------------------------------------------------------
# What the notebook and its record found.

TASK = "SST-2"
GUESS = ("one answer", 0.509)
FEWEST_BITS = {
    "GOBO": "GOBO",
    "one scale a matrix, outliers kept": "linear, outliers kept",
    "one scale a row": "linear, row",
    "one scale a matrix": "linear, matrix",
}
LAYERS = {
    "by curvature": "444222",
    "reversed": "222444",
    "three bits for all": "333333",
    "two bits for all": "222222",
}
#: of each model the bits of its matrices and tables, and the MB that the lecture prints
PRINTED = {
    "Q-BERT, 2-8-8": (2, 8, "43, 28, 28"),
    "TernaryBERT, 2-2-8": (2, 2, "28"),
}


def draw_nine_weights(eight: Any, book: Any, codes: Any, outlier: float) -> tuple["Figure", str]:
    """Draw what a file holds for eight weights, [8], with the codes of four values, and for an outlier."""
    weights = [*map(float, np.round(to_array(eight, "eight", "N"), 2)), outlier]
    values = to_array(book, "book", "K").tolist()
    numbers = [*map(int, to_array(codes, "codes", "N")), len(values) - 1]
    stored = StoredWeights(weights, values, numbers, {len(weights) - 1: outlier})
    return draw_stored_weights(
        stored, 2, "Two bits for each weight, four values for all, and one outlier kept"
    )


def draw_three_books(
    weight: Any, inside: Any, books: Mapping[str, Any], errors: Sequence[float]
) -> tuple["Figure", str]:
    """Draw three books over the histogram of a matrix; the first keeps no outliers. inside: True for none."""
    numbers, within = to_array(weight, "weight", "R, C"), to_array(inside, "inside", "R, C").astype(bool)
    kept = numbers[within]
    ends = float(kept.min()), float(kept.max())
    lines = {
        f"{name}: error {error:.3g} times the variance": book
        for (name, book), error in zip(books.items(), errors, strict=True)
    }
    bounds = dict.fromkeys([*lines][1:], ends)
    title = "Three sets of values, over the weights of one matrix"
    figure = draw_books(numbers.ravel(), lines, bounds, title, reach=0.25)
    return figure, describe_books(numbers.ravel(), lines, bounds)


def agreements(found: Mapping[str, Any]) -> dict[str, list[str]]:
    """The columns of a table: each way, and its share of answers that stayed, [N] of True and False."""
    return {"way": [*found], "answers kept": [f"{share:.0%}" for share in _shares(found)]}


def _shares(found: Mapping[str, Any]) -> list[float]:
    return [float(to_array(kept, repr(name), "N").mean()) for name, kept in found.items()]


#: bits a weight of a scale of 32 bits for a row of 384 weights, as most are
ROW_SCALE = 32 / 384
#: what the four ways are called in `found`
ROWS, BOOK = "a scale a row, best reach", "eight values a matrix"
BARE_BOOK, FAIR_ROWS = "eight values, no outliers", "best reach, same outliers"


def lead(found: Mapping[str, Any], first: str, second: str) -> str:
    """How many headlines only one of two ways keeps, and the lead that would count (notebook 02)."""
    one, other = _only_one(found[first], found[second])
    return f"only {first}: {one}, only {second}: {other}; 2√k = {stats.luck(one + other):.1f}"


def by_headlines_read(read: Mapping[int, float], nearest: Any) -> str:
    """What GPTQ keeps after reading so many headlines, beside rounding to the nearest [N], in one line."""
    kept = to_array(nearest, "nearest", "N").astype(bool).mean()
    grows = ", ".join(f"after {count} {share:.0%}" for count, share in read.items())
    return f"full reach: to the nearest {kept:.0%}, GPTQ {grows}"


def _only_one(first: Any, second: Any) -> tuple[int, int]:
    one, other = (to_array(kept, "kept", "N").astype(bool) for kept in (first, second))
    return int((one & ~other).sum()), int((other & ~one).sum())


def four_ways(found: Mapping[str, Any]) -> dict[str, list[str]]:
    """The columns of a table: rows and books, without outliers and with the same, in headlines."""
    columns = {"rows": [found[ROWS], found[FAIR_ROWS]], "book": [found[BARE_BOOK], found[BOOK]]}
    return two_by_two(["no outliers kept", "the same outliers kept"], columns)


def two_by_two(rows: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """The columns of a table: for every row the headlines whose answers stayed, [N] of True and False, by
    each of two ways and by only one of them.
    """
    table = {"": [*rows]}
    for name, cells in columns.items():
        numbers = [to_array(kept, name, "N") for kept in cells]
        table[name] = [f"{kept.sum():.0f} of {len(kept)} ({kept.mean():.0%})" for kept in numbers]
    pairs = [_only_one(*pair) for pair in zip(*columns.values(), strict=True)]
    for place, name in enumerate(columns):
        table[f"only {name}"] = [str(pair[place]) for pair in pairs]
    table["2√k"] = [f"{stats.luck(sum(pair)):.1f}" for pair in pairs]
    return table


def draw_bet(
    found: Mapping[str, Any], mine: Mapping[str, Any], bits: int, share: float
) -> tuple["Figure", str]:
    """Draw the share of answers that each way keeps at three bits, [N] of True and False by name, and the
    reader's two, with so many bits for a code and this share of the weights kept.
    """
    cost = bits + 64 * share  # a place and a value of four bytes each
    costs = {name: cost + ROW_SCALE * ("rows" in name) for name in mine}
    names = [*found, *(f"{name}, {costs[name]:.2f} bits" for name in mine)]
    values = [100 * kept for kept in _shares(found) + _shares(mine)]
    title = "Answers kept: three bits, and your two ways"
    figure = draw_bars(names, values, "answers kept, %", title, digits=1, xlim=(0, 100))
    only = _only_one(*mine.values())
    said = ", ".join(f"{name} {value:.1f}" for name, value in zip(names, values, strict=True))
    return figure, (
        f"{title}. Answers kept, in percent: {said}. Headlines that your rows keep alone: {only[0]}; that the"
        f" book keeps alone: {only[1]}."
    )


def published(least_size: Callable[[int, int], float]) -> dict[str, list[Any]]:
    """The columns of a table: printed sizes, and the least by the bits of matrices and tables."""
    return {
        "model, bits": [*PRINTED],
        "MB printed": [printed for _, _, printed in PRINTED.values()],
        "at least, MiB": [least_size(matrices, tables) for matrices, tables, _ in PRINTED.values()],
    }


def draw_choices(table: Any) -> tuple["Figure", str]:
    """Draw the accuracy on SST-2 of all 20 ways to give three of six layers four bits, from the record."""
    arms = [arm for arm in table.arms(TASK) if arm.isdigit() and arm.count("4") == 3]
    seeds = range(len(table.values(TASK, arms[0])))
    rows = {f"seed {seed}": [_percent(table, arm)[seed] for arm in arms] for seed in seeds}
    marked = {
        name: {f"seed {seed}": _percent(table, arm)[seed] for seed in seeds} for name, arm in LAYERS.items()
    }
    title = "All 20 ways to give three of six layers four bits, the others two"
    figure, alt = draw_strips(rows, marked, "accuracy on SST-2, %", title)
    means = ", ".join(f"{name} {mean(_percent(table, arm)):.1f}" for name, arm in LAYERS.items())
    gaps = [
        _compared(table, "by curvature", name, LAYERS["by curvature"], LAYERS[name])
        for name in ("reversed", "three bits for all")
    ]
    return figure, f"{alt} Means: {means}. {'; '.join(gaps)}."


def draw_fewer_bits(table: Any) -> tuple["Figure", str]:
    """Draw the accuracy on SST-2 over bits for four ways to round, from the record."""
    bits = [4, 3, 2]
    curves = {
        name: [table.values(TASK, f"{way}, {bit} bits") for bit in bits] for name, way in FEWEST_BITS.items()
    }
    title = "Four ways to round, with fewer and fewer bits"
    figure, alt = draw_bit_curves(bits, {"MiniLM on SST-2, three seeds": curves}, "accuracy", title, GUESS)
    gap = _compared(
        table, "GOBO", "one scale a matrix, outliers kept", "GOBO, 2 bits", "linear, outliers kept, 2 bits"
    )
    return figure, f"{alt} Not rounded: {mean(table.values(TASK, 'teacher')):.3f}. Two bits: {gap}."


def on_other_tasks(table: Any) -> str:
    """What the record says of outliers on headlines, and of Quant-Noise on SST-2 and on reviews."""
    arms = "GOBO, 3 bits", "linear, outliers kept, 3 bits"
    gobo, alone = (mean(_percent(table, arm, "headlines")) for arm in arms)
    gap = _compared(table, "GOBO", "outliers alone", *arms, task="headlines")
    lines = [f"headlines, three bits: outliers alone {alone:.1f}%, GOBO {gobo:.1f}%; {gap}"]
    for task in (TASK, "reviews"):
        for share in ("a quarter", "half"):
            gap = _compared(table, f"noise in {share}", "in all", share, "all", task=task)
            lines.append(f"{task}: {gap}")
    return "\n".join(lines)


def _percent(table: Any, arm: str, task: str = TASK) -> list[float]:
    return [100 * value for value in table.values(task, arm)]


def _compared(table: Any, first: str, second: str, *arms: str, task: str = TASK) -> str:
    """The mean difference of two arms in points, and whether it is resolved."""
    one, other = (_percent(table, arm, task) for arm in arms)
    gap = stats.paired_difference(other, one)
    verdict = "resolved" if gap.is_resolved else "not resolved"
    return f"{first} less {second} {gap.of_means:+.1f} points, {verdict}"
