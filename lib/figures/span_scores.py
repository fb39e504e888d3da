"""Two scores for every token of a text: how well an answer begins there, and how well it ends there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import Array, check_tokens, to_array
from .style import HATCHES, INK, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TOKENS = 48


def draw_span_scores(
    tokens: Sequence[str], start: Any, end: Any, span: tuple[int, int], title: str | None = None
) -> "Figure":
    """Draw a bar for each token's start logit and one for its end logit, with the best span shaded.

    `start` and `end` are `[T]`, at most 48 tokens. The highest of each is marked with its number, also where
    it lies outside of the span, whose first and last place `span` names.
    """
    names, starts, ends = _inputs(tokens, start, end, span)
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
    return figure


def describe_span_scores(tokens: Sequence[str], start: Any, end: Any, span: tuple[int, int]) -> str:
    """Say in words what `draw_span_scores` shows."""
    names, starts, ends = _inputs(tokens, start, end, span)
    highest = [
        f"{kind} logit {values.max():.1f} at {names[int(values.argmax())]}, lowest {values.min():.1f}"
        for kind, values in (("start", starts), ("end", ends))
    ]
    first, last = span
    return (
        f"Two bars for each of {len(names)} tokens. Highest {highest[0]}; highest {highest[1]}. The best"
        f" span, {' '.join(names[first : last + 1])}, has the sum {starts[first] + ends[last]:.1f}."
    )


def _inputs(
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
