"""The pictures and tables of notebook 11, with their words: pairs by their cosine, the head, two losses."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lib import figures
from lib.figures.arrays import Array, to_array
from lib.figures.charts import series_of
from lib.figures.schematic import Schematic
from lib.figures.style import HATCHES, INK, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# How often numbers fall where: bars between edges, for several groups, with a threshold.


def draw_histogram(
    edges: Sequence[float],
    counts: Mapping[str, Any],
    xlabel: str,
    ylabel: str,
    title: str | None = None,
    threshold: float | None = None,
) -> tuple["Figure", str]:
    """Draw how many numbers of each group lie between neighboring edges; a line at the threshold.

    `edges` is `[N + 1]`, ascending; each of `counts` is `[N]`. Groups stand side by side within a bin.
    """
    places, groups = _checked_counts(edges, counts)
    wide = np.diff(places) * 0.86 / len(groups)
    with style():
        figure = canvas(8.0, 3.7, title)
        axes = figure.subplots()
        for number, (name, row) in enumerate(groups.items()):
            left = places[:-1] + np.diff(places) * 0.07 + number * wide
            drawn = axes.bar(
                left, row, wide, align="edge", label=name, color=SERIES[number], hatch=HATCHES[number],
                edgecolor="white", linewidth=0.5,
            )  # fmt: skip
            axes.bar_label(drawn, labels=[f"{count:g}" if count else "" for count in row], fontsize=10)
        axes.set_xticks(places, [f"{edge:.2f}" for edge in places])
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.tick_params(axis="y", labelcolor=QUIET)
        axes.grid(axis="y")
        axes.margins(y=0.12)
        if threshold is not None:
            axes.axvline(threshold, color=INK, linewidth=1.6, linestyle=(0, (4, 3)))
            axes.annotate(
                f"threshold {threshold:.2f}", xy=(threshold, 0.97), xycoords=("data", "axes fraction"),
                xytext=(5, 0), textcoords="offset points", fontsize=10, va="top",
            )  # fmt: skip
        figure.legend(loc="outside lower center" if title else "outside upper right", ncols=len(groups))
    listed = "; ".join(f"{name}: {', '.join(f'{count:g}' for count in row)}" for name, row in groups.items())
    line = "" if threshold is None else f" The threshold is {threshold:.2f}."
    alt = f"Counts between the edges {', '.join(f'{edge:.2f}' for edge in places)}. {listed}.{line}"
    return figure, alt


def _checked_counts(edges: Sequence[float], counts: Mapping[str, Any]) -> tuple[Array, dict[str, Array]]:
    places = to_array(edges, "edges", "N")
    if len(places) < 2 or not (np.diff(places) > 0).all():
        raise ValueError("Give two edges or more, each larger than the one before it.")
    return places, series_of(counts, len(places) - 1)


# ---------------------------------------------------------------------------------------------
# What came out, with titles that are read off it.

FOLLOWS, OTHER = "B follows A", "another document"
THREE = ("B follows A", "B precedes A", "another document")
COIN = ("a coin", 0.5)
STEP = 0.04  # from edge to edge


def draw_cosines(cosines: Any, labels: Any, threshold: float) -> tuple["Figure", str]:
    """Draw the cosines of pairs that follow and of others around the threshold between them."""
    alike, answers = np.asarray(cosines).ravel(), np.asarray(labels)
    edges = [max(0.0, threshold + STEP * step) for step in range(-3, 6)]
    counts = {
        name: np.histogram(alike[answers == label], edges)[0] for label, name in enumerate((FOLLOWS, OTHER))
    }
    right = ((alike < threshold) == (answers == 1)).mean()
    title = f"One threshold parts the two kinds of pairs in {right:.0%} of cases"
    return draw_histogram(edges, counts, "cosine of the two bags", "pairs", title, threshold)


def three_way_table(
    labels: Sequence[int], guesses: Sequence[int], learned: Sequence[int]
) -> dict[str, list[Any]]:
    """How often each true label got each answer, and how often it was learned from: columns of a table."""
    counts = np.zeros((3, 3), dtype=int)
    np.add.at(counts, (np.asarray(labels), np.asarray(guesses)), 1)
    table: dict[str, list[Any]] = {"true": list(THREE)}
    for number, name in enumerate(THREE):
        table[f"says “{name}”"] = counts[:, number].tolist()
    table["in training"] = np.bincount(learned, minlength=3).tolist()
    return table


def draw_two_losses(runs: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the share of pairs right, step by step, for a run with each of the losses."""
    best = max(runs, key=lambda name: runs[name][-1])
    title = f"The most pairs right at the end: {best}"
    ends = "; ".join(f"{name} {right[0]:.2f} to {right[-1]:.2f}" for name, right in runs.items())
    steps = range(len(next(iter(runs.values()))))
    figure = figures.draw_lines(
        steps, runs, "step", "share of held-out pairs right", title, ylim=(0, 1), baseline=COIN
    )
    return figure, f"Share of held-out pairs right over {len(steps)} steps: {ends}. A coin has 0.50."


def draw_sizes(sizes: Sequence[int], lines: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the share right by one cosine against the number of sentences in a text."""
    ends = ", ".join(f"{name} {row[0]:.2f} to {row[-1]:.2f}" for name, row in lines.items())
    title = f"From {sizes[0]} to {sizes[-1]} sentences: {ends}"
    listed = "; ".join(f"{name} {', '.join(f'{share:.2f}' for share in row)}" for name, row in lines.items())
    alt = f"Share of pairs right by the cosine, for {', '.join(map(str, sizes))} sentences: {listed}."
    figure = figures.draw_lines(
        sizes, lines, "sentences in each text", "share right by the cosine", title, ylim=(0.4, 1.0),
        baseline=COIN,
    )  # fmt: skip
    return figure, alt + " A coin has 0.50."


def draw_lengths(shares: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw how many labels two lengths give away, by sampler."""
    told = sum(share > 0.6 for share in shares.values())
    title = f"Lengths give the label away with {told} of {len(shares)} samplers"
    figure = figures.draw_bars(
        list(shares), list(shares.values()), "share of held-out pairs right, by two lengths alone", title,
        xlim=(0, 1.1), baseline=COIN,
    )  # fmt: skip
    listed = "; ".join(f"{name} {share:.2f}" for name, share in shares.items())
    return figure, f"Share of held-out pairs right by two lengths alone: {listed}. A coin has 0.50."


def kinds_table(scores: Any, kinds: Mapping[str, str]) -> dict[str, list[Any]]:
    """What three judges get right of recorded pairs, by the kind of text, as the columns of a table."""
    judges = {"the head": "head", "the head, new threshold": "new threshold", "a bag of words": "bag"}
    table: dict[str, list[Any]] = {"texts": list(kinds)}
    for judge, key in judges.items():
        table[judge] = [float(scores.values(kind, "pocket", key)[0]) for kind in kinds.values()]
    return table


# ---------------------------------------------------------------------------------------------
# The next-sentence head as a schematic: from a pair of texts to the probability that B follows A.

SHOWN = 3  # numbers of a long vector
MOST_LETTERS = 36  # of a text, in its box
CLASSES = ("B follows A", "another document")  # in the order of BERT's logits


def draw_next_sentence(
    first: str, second: str, layers: int, cls: Any, pooled: Any, logits: Any, probabilities: Any
) -> tuple["Figure", str]:
    """Draw the way of one pair through BERT: tokens, encoder, vector of [CLS], pooler, two logits, softmax.

    `cls` and `pooled` are `[D]`, `logits` and `probabilities` `[2]`. Of a long vector the first three numbers
    are written, of a long text its beginning. Shapes that do not fit raise a ValueError.
    """
    cls, pooled, logits, probabilities = _checked_numbers(cls, pooled, logits, probabilities)
    page = Schematic(9.6, 4.1)
    title = "The next-sentence head reads one vector, that of [CLS], and gives two logits"
    page.text(0.15, 3.85, title, ha="left", fontsize=13, weight="bold")
    tokens = [
        page.box(0.2, 0.5, 0.75, 0.5, "[CLS]", look="lit"),
        page.box(1.05, 0.5, 3.35, 0.5, "text A", _shortened(first)),
        page.box(4.5, 0.5, 0.75, 0.5, "[SEP]"),
        page.box(5.35, 0.5, 3.2, 0.5, "text B", _shortened(second)),
        page.box(8.65, 0.5, 0.75, 0.5, "[SEP]"),
    ]
    for number, (left, right) in enumerate([(tokens[0], tokens[2]), (tokens[3], tokens[4])]):
        _bracket(page, left.left, right.left + right.width, f"token type {number}")
    page.box(0.2, 1.35, 9.2, 0.5, f"encoder, {layers} layers: every token looks at both texts", look="tint")
    for token in tokens:
        page.arrow(token.top, (token.top[0], 1.35))
    vector = page.box(0.2, 2.6, 2.0, 0.66, "vector of [CLS]", _beginning(cls))
    pooler = page.box(2.6, 2.6, 2.0, 0.66, "pooler: dense, tanh", _beginning(pooled))
    dense = page.box(5.0, 2.6, 1.75, 0.66, f"dense, {len(cls)} to 2", _beginning(logits), look="tint")
    page.arrow((0.575, 1.85), (0.575, 2.6))
    page.arrow(vector.east, pooler.west)
    page.arrow(pooler.east, dense.west)
    page.text(7.28, 3.36, "softmax", ha="right", fontsize=10)
    for bottom, name, share in zip((3.0, 2.42), CLASSES, probabilities, strict=True):
        look = "lit" if share == probabilities.max() else "plain"
        answer = page.box(7.4, bottom, 2.0, 0.48, name, f"{share:.3f}", look=look)
        page.arrow(dense.east, answer.west)
    note = "the other vectors are for the masked-word head (notebook 10)"
    page.arrow((2.72, 1.85), (2.72, 2.13))
    page.text(2.9, 2.05, note, ha="left", fontsize=10)
    answers = ", ".join(f"{name} {share:.3f}" for name, share in zip(CLASSES, probabilities, strict=True))
    alt = (
        f"Bottom to top: token type 0 for [CLS], text A ({first}) and [SEP]; token type 1 for text B"
        f" ({second}) and [SEP]; an encoder of {layers} layers. Then left to right, from the vector of [CLS]"
        f" alone, {len(cls)} numbers, {_beginning(cls)}: the pooler, a dense layer and tanh, gives"
        f" {_beginning(pooled)}; one more layer gives the two logits {_beginning(logits)}; softmax turns them"
        f" into {answers}."
    )
    return page.figure, alt


def _bracket(page: Schematic, left: float, right: float, name: str) -> None:
    """A line under the boxes from `left` to `right`, with its ends turned up, and its name under it."""
    page.axes.plot([left, left, right, right], [0.42, 0.36, 0.36, 0.42], color=QUIET, linewidth=1.2)
    page.text((left + right) / 2, 0.2, name, fontsize=10)


def _checked_numbers(
    cls: Any, pooled: Any, logits: Any, probabilities: Any
) -> tuple[Array, Array, Array, Array]:
    arrays = (
        to_array(cls, "cls", "D"),
        to_array(pooled, "pooled", "D"),
        to_array(logits, "logits", "C"),
        to_array(probabilities, "probabilities", "C"),
    )
    if len(arrays[0]) != len(arrays[1]):
        raise ValueError(
            f"The vector of [CLS] has {len(arrays[0])} numbers and the pooled one {len(arrays[1])}; the"
            " pooler keeps their count."
        )
    if not len(arrays[2]) == len(arrays[3]) == len(CLASSES):
        raise ValueError(f"Give two logits and two probabilities, for {' and '.join(CLASSES)}.")
    return arrays


def _beginning(vector: Array) -> str:
    """The first numbers of a vector, such as `[0.52, −0.11, 0.98, …]`."""
    written = [f"{number:.2f}".replace("-", "−") for number in vector[:SHOWN]]
    return f"[{', '.join([*written, *(['…'] if len(vector) > SHOWN else [])])}]"


def _shortened(text: str) -> str:
    if len(text) <= MOST_LETTERS:
        return text
    return text[:MOST_LETTERS].rsplit(" ", 1)[0] + " …"


# ---------------------------------------------------------------------------------------------
# A pair of texts, with the words that they share, and what several judges say of it.

WIDTH = 96  # characters in a line
LINE = 0.25  # inches
LETTER = 14 / 192  # inches: a whole number of the pixels that pictures are shown with, or columns drift
POINTS = LETTER * 72 / 0.60205  # the size at which a letter of DejaVu Sans Mono is that wide
LABEL = 4  # characters before the text


def draw_pair(
    first: str,
    second: str,
    marked: set[str],
    answers: Mapping[str, float],
    title: str | None = None,
    xlabel: str = "probability that B follows A",
    lines: int | None = None,
) -> "Figure":
    """Draw texts A and B above bars for what judges answer, each a share between 0 and 1.

    Words in `marked`, in lower case and without punctuation, stand in a frame.
    `lines` gives the two texts together room for that many lines, where pictures are to be compared.
    """
    _check(first, second, answers)
    layouts = [_layout(text.split()) for text in (first, second)]
    filled = sum(layout[-1][2] + 1 for layout in layouts)
    room = filled if lines is None else lines
    if room < filled:
        raise ValueError(f"The texts fill {filled} lines, so lines={room} are too few.")
    text_height = LINE * (room + 0.6)
    bar_height = 0.4 * len(answers)
    title_height = 0.4 if title else 0.1
    height = title_height + text_height + bar_height + 0.85
    with style():
        figure = canvas(8.0, height, title)
        figure.set_layout_engine("none")  # letters of one width need a page of fixed width
        texts = figure.add_axes(
            (0.03, (bar_height + 0.75) / height, WIDTH * LETTER / 8, text_height / height)
        )
        bars = figure.add_axes((0.16, 0.55 / height, 0.8, bar_height / height))
        top = 0.0
        for name, layout in zip("AB", layouts, strict=True):
            texts.text(0, top + 0.5, name, va="center", color=QUIET, weight="bold")
            _write(texts, layout, top, marked)
            top += layout[-1][2] + 1.6
        texts.set(xlim=(0, WIDTH), ylim=(top - 0.6 + room - filled, 0))
        texts.axis("off")
        for number, share in enumerate(answers.values()):
            bars.barh(
                number, share, 0.62, color=SERIES[number], hatch=HATCHES[number], edgecolor="white",
                linewidth=0.5,
            )  # fmt: skip
            bars.text(share + 0.01, number, f"{share:.2f}", va="center", fontsize=10)
        bars.set_yticks(range(len(answers)), list(answers))
        bars.invert_yaxis()
        bars.set(xlim=(0, 1.08), xlabel=xlabel)
        bars.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        bars.axvline(0.5, color=QUIET, linewidth=0.9, linestyle=":")
        bars.tick_params(axis="y", length=0)
        bars.spines["left"].set_visible(False)
    return figure


def describe_pair(first: str, second: str, marked: set[str], answers: Mapping[str, float]) -> str:
    """Say in words what `draw_pair` shows."""
    _check(first, second, answers)
    description = ", ".join(f"{judge} {share:.2f}" for judge, share in answers.items())
    common = ", ".join(sorted(marked)) or "none"
    return f"A: {first} B: {second} Marked in both: {common}. Probability that B follows A: {description}."


def _check(first: str, second: str, answers: Mapping[str, float]) -> None:
    if not first.split() or not second.split() or not 1 <= len(answers) <= len(SERIES):
        raise ValueError(f"Two texts with words are drawn, and 1 to {len(SERIES)} answers: give all of them.")
    for judge, share in answers.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{judge!r} answers {share}: give a probability between 0 and 1.")


def _layout(words: list[str]) -> list[tuple[str, int, int]]:
    """Each word with its first column and its line; a new line begins where the page ends."""
    placed, left, line = [], LABEL, 0
    for word in words:
        if left + len(word) > WIDTH and left > LABEL:
            left, line = LABEL, line + 1
        placed.append((word, left, line))
        left += len(word) + 1
    return placed


def _write(axes: "Axes", layout: list[tuple[str, int, int]], top: float, marked: set[str]) -> None:
    """One string a line, the marked words over it, each in its frame."""
    from matplotlib.patches import Rectangle

    letters: dict[str, Any] = {"family": "DejaVu Sans Mono", "fontsize": POINTS, "va": "center", "color": INK}
    lines = [" " * WIDTH] * (layout[-1][2] + 1)
    for word, left, line in layout:
        if word.lower().strip(".,;:!?\"'()") in marked:
            place = (left - 0.3, top + line + 0.06)
            frame = Rectangle(place, len(word) + 0.6, 0.88, facecolor=TINT, edgecolor=INK, linewidth=0.6)
            axes.add_patch(frame)
            axes.text(left, top + line + 0.5, word, weight="bold", **letters)
        else:
            lines[line] = lines[line][:left] + word + lines[line][left + len(word) :]
    for line, text in enumerate(lines):
        axes.text(0, top + line + 0.5, text.rstrip(), **letters)
