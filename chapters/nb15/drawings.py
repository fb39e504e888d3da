"""The drawings of notebook 15: the shapes of head, margins of "no answer", and scores of spans."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import HATCHES, INK, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# The shapes of head as a schematic: what each reads of the encoder, its weights, its logits, its loss.

MOST = 6
ROW = 0.62  # inches


@dataclass(frozen=True)
class HeadShape:
    """A head on BERT. weights and logits are shapes; labels and loss are what one small batch gave.

    name: the task, such as "tags". reads: "[CLS]" or "every token". over: what its softmax runs over, or
    another loss in words. loss: that of the new head, before any training, in nats where it has a softmax.
    """

    name: str
    reads: str
    weights: Sequence[int]
    logits: Sequence[int]
    over: str
    loss: float


def draw_head_shapes(heads: Sequence[HeadShape], title: str) -> tuple["Figure", str]:
    """Draw a row for each head: its task, what it reads, its matrix, its logits and its loss."""
    if not 1 <= len(heads) <= MOST:
        raise ValueError(f"There are {len(heads)} heads; the picture has room for 1 to {MOST}.")
    height = ROW * len(heads) + 0.95
    page = Schematic(9.6, height)
    page.text(0.15, height - 0.25, title, ha="left", fontsize=13, weight="bold")
    head_line = height - 0.62
    columns = ((1.5, "reads"), (3.55, "one matrix"), (5.6, "logits"), (8.0, "loss of a new head"))
    for x, name in columns:
        page.text(x, head_line, name, color=QUIET)
    for number, head in enumerate(heads):
        bottom = height - 0.82 - ROW * (number + 1) + 0.1
        middle = bottom + 0.24
        page.text(0.15, middle, head.name, ha="left", weight="bold")
        reads = page.box(
            0.85, bottom, 1.4, 0.48, head.reads, look="tint" if "every" in head.reads else "plain"
        )
        matrix = page.box(2.85, bottom, 1.4, 0.48, _shape(head.weights), look="lit")
        logits = page.box(4.85, bottom, 1.5, 0.48, _shape(head.logits))
        loss = page.box(6.95, bottom, 2.5, 0.48, f"{head.loss:.2f}", head.over, look="quiet")
        for left, right in ((reads, matrix), (matrix, logits), (logits, loss)):
            page.arrow(left.east, right.west)
    alt = " ".join(
        f"{head.name}: reads {head.reads}, a matrix of {_shape(head.weights)} gives logits of"
        f" {_shape(head.logits)}; loss of the new head, {head.over}: {head.loss:.2f}."
        for head in heads
    )
    return page.figure, alt


def _shape(sizes: Sequence[int]) -> str:
    return f"[{', '.join(map(str, sizes))}]"


# ---------------------------------------------------------------------------------------------
# How far "no answer" outscores the best words of each question, and the threshold of staying silent.


ROW_NAMES = ("with an answer", "without")


def draw_margins(
    margins: Any,
    answered: Sequence[bool],
    threshold: float,
    xlim: tuple[float, float],
    title: str | None = None,
) -> "Figure":
    """Draw a dot for each question at its no-answer margin, and shade the side where it gets no answer.

    margins: [N]; `answered` says which questions have an answer: they stand in the upper row, the others in
    the lower one. A margin above `threshold` is silent: its dot is empty. `xlim` fixes the ends of the scale,
    so that pictures of other thresholds can be compared.
    """
    rows = _checked_margins(margins, answered, xlim)
    with style():
        figure = canvas(8.0, 3.0, title)
        axes = figure.subplots()
        axes.axvspan(threshold, xlim[1], color=TINT, linewidth=0, zorder=0)
        axes.axvline(threshold, color=INK, linewidth=1.3, linestyle=(0, (4, 3)), zorder=1.5)
        for row, places in enumerate(rows):
            heights = row + 0.6 * (np.arange(len(places)) * 0.618 % 1 - 0.5)  # spread, the same each time
            for is_silent in (False, True):
                here = (places > threshold) == is_silent
                axes.plot(
                    places[here], heights[here], "o", color=SERIES[row], markersize=5.5,
                    markerfacecolor="white" if is_silent else SERIES[row],
                )  # fmt: skip
        names = [f"{len(places)} {name}" for places, name in zip(rows, ROW_NAMES, strict=True)]
        axes.set_yticks(range(len(rows)), names)
        axes.set(xlim=xlim, ylim=(1.5, -0.5))
        axes.set_xlabel(f"no-answer margin; shaded, right of the threshold {threshold:g}: stays silent")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure


def describe_margins(margins: Any, answered: Sequence[bool], threshold: float) -> str:
    """Say in words what `draw_margins` shows."""
    description = "; ".join(
        f"{len(places)} {name}, from {places.min():.1f} to {places.max():.1f}:"
        f" {(places > threshold).sum()} silent"
        for places, name in zip(_checked_margins(margins, answered), ROW_NAMES, strict=True)
    )
    return f"No-answer margins of the questions at threshold {threshold:g}. {description}."


def _checked_margins(
    margins: Any, answered: Sequence[bool], xlim: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[Array, Array]:
    places = to_array(margins, "margins", "N")
    has_one = np.array(answered, dtype=bool)
    if len(has_one) != len(places) or has_one.all() or not has_one.any():
        raise ValueError("Say of each margin whether its question has an answer; both kinds are needed.")
    for value in places.tolist():
        if not xlim[0] <= value <= xlim[1]:
            raise ValueError(
                f"{value:g} lies outside of the scale from {xlim[0]:g} to {xlim[1]:g}: widen it."
            )
    return places[has_one], places[~has_one]


# ---------------------------------------------------------------------------------------------
# Two scores for every token of a text: how well an answer begins there, and how well it ends there.

MOST_TOKENS = 48


def draw_span_scores(
    tokens: Sequence[str], start: Any, end: Any, span: tuple[int, int], title: str | None = None
) -> tuple["Figure", str]:
    """Draw a bar for each token's start logit and one for its end logit, with the best span shaded.

    `start` and `end` are `[T]`, at most 48 tokens. The highest of each is marked with its number, also where
    it lies outside of the span, whose first and last place `span` names.
    """
    names, starts, ends = _checked_scores(tokens, start, end, span)
    places = np.arange(len(names))
    with style():
        figure = canvas(9.6, 4.6, title)
        rows = figure.subplots(2, 1, sharex=True)
        for number, (axes, values, name) in enumerate(
            zip(rows, (starts, ends), ("start", "end"), strict=True)
        ):
            axes.axvspan(span[0] - 0.5, span[1] + 0.5, color=TINT, zorder=0)
            axes.bar(
                places, values, 0.8, color=SERIES[number], hatch=HATCHES[number], edgecolor="white",
                linewidth=0.5,
            )  # fmt: skip
            best = int(values.argmax())
            axes.annotate(
                f"{values[best]:.1f}", (best, values[best]), xytext=(0, 3), textcoords="offset points",
                ha="center", fontsize=10,
            )  # fmt: skip
            axes.axhline(0, color=QUIET, linewidth=0.9)
            axes.margins(y=0.2)
            axes.set_ylabel(f"{name} logit")
        rows[1].set_xticks(places, names, rotation=90, fontsize=9.5)
        rows[1].tick_params(axis="x", length=0)
        for place in range(span[0], span[1] + 1):
            label = rows[1].get_xticklabels()[place]
            label.set_fontweight("bold")
            label.set_color(INK)
        rows[0].tick_params(axis="x", length=0)
        rows[1].set_xlim(-0.7, len(names) - 0.3)
    highest = [
        f"{kind} logit {values.max():.1f} at {names[int(values.argmax())]}, lowest {values.min():.1f}"
        for kind, values in (("start", starts), ("end", ends))
    ]
    first, last = span
    alt = (
        f"Two bars for each of {len(names)} tokens. Highest {highest[0]}; highest {highest[1]}. The best"
        f" span, {' '.join(names[first : last + 1])}, has the sum {starts[first] + ends[last]:.1f}."
    )
    return figure, alt


def _checked_scores(
    tokens: Sequence[str], start: Any, end: Any, span: tuple[int, int]
) -> tuple[list[str], Array, Array]:
    starts, ends = to_array(start, "start", "T"), to_array(end, "end", "T")
    names = check_tokens(tokens, len(starts), "start logits")
    if len(ends) != len(starts) or len(starts) > MOST_TOKENS:
        raise ValueError(
            f"Give as many end as start logits, at most {MOST_TOKENS}; there are {len(starts)} and"
            f" {len(ends)}."
        )
    if not 0 <= span[0] <= span[1] < len(starts):
        raise ValueError(f"{span} is no span of {len(starts)} tokens.")
    return names, starts, ends
