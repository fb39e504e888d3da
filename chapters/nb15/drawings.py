"""The drawings of notebook 15: the shapes of head, margins of "no answer", and scores of spans."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.schematic import Schematic
from lib.figures.style import HATCHES, INK, LIT, QUIET, SERIES, TINT, canvas, style

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


def draw_margins(
    names: Sequence[str], margins: Any, threshold: float, xlim: tuple[float, float], title: str | None = None
) -> "Figure":
    """Draw a dot for each question at its no-answer margin, and shade the side where it gets no answer.

    margins: [N], as many as `names`; the first is on top. A margin above `threshold` is silent: its dot is
    empty. `xlim` fixes the ends of the scale, so that pictures of other thresholds can be compared.
    """
    labels, places, silent = _checked_margins(names, margins, threshold, xlim)
    low, high = xlim
    rows = np.arange(len(labels))
    with style():
        figure = canvas(8.0, 1.5 + 0.42 * len(labels), title)
        axes = figure.subplots()
        axes.axvspan(threshold, high, color=TINT, linewidth=0, zorder=0)
        axes.axvline(threshold, color=INK, linewidth=1.3, linestyle=(0, (4, 3)), zorder=1.5)
        for row, place, is_silent in zip(rows, places, silent, strict=True):
            axes.plot(place, row, "o", color=LIT, markerfacecolor="white" if is_silent else LIT, markersize=8)
            axes.annotate(
                f"{place:.1f}",
                (place, row),
                xytext=(9, 0),
                textcoords="offset points",
                va="center",
                fontsize=10,
            )
        axes.set_yticks(rows, labels)
        axes.set(xlim=xlim, ylim=(len(labels) - 0.4, -0.6))
        axes.set_xlabel(
            f"no-answer margin; shaded, right of the threshold {threshold:g}: the model stays silent"
        )
        axes.set_xticks(np.arange(np.ceil(low / 4) * 4, high + 0.1, 4))
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    return figure


def describe_margins(names: Sequence[str], margins: Any, threshold: float) -> str:
    """Say in words what `draw_margins` shows."""
    labels, places, silent = _checked_margins(names, margins, threshold, None)
    answers = "; ".join(
        f"{name} {place:.1f}, {'silent' if is_silent else 'answered'}"
        for name, place, is_silent in zip(labels, places, silent, strict=True)
    )
    return f"No-answer margins at threshold {threshold:g}: {answers}."


def _checked_margins(
    names: Sequence[str], margins: Any, threshold: float, xlim: tuple[float, float] | None
) -> tuple[list[str], Array, list[bool]]:
    places = to_array(margins, "margins", "N")
    labels = check_tokens(names, len(places), "margins")
    for value in (*places.tolist(), threshold):
        if xlim is not None and not xlim[0] <= value <= xlim[1]:
            raise ValueError(
                f"{value:g} lies outside of the scale from {xlim[0]:g} to {xlim[1]:g}: widen it."
            )
    return labels, places, [place > threshold for place in places.tolist()]


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
