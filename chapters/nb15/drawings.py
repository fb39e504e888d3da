"""The drawings and tables of notebook 15: the shapes of head, leads over "no answer", scores of spans."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from lib.analysis.prediction import scores
from lib.analysis.prediction.spans import best_span, entity_spans
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
# How far the best words of each question outscore "no answer", and the threshold below which it is silent.


ROW_NAMES = ("with an answer", "without")


def draw_leads(leads: Any, answered: Sequence[bool], threshold: float) -> tuple["Figure", str]:
    """Draw a dot for each question at its lead, and shade the side where it gets no answer.

    leads: [N]; `answered` says which questions have an answer: they stand in the upper row, the others in
    the lower one. A lead up to `threshold` is silent: its dot is empty.
    """
    rows = _checked_leads(leads, answered)
    silent = [int((places <= threshold).sum()) for places in rows]
    low, high = min(places.min() for places in rows) - 1, max(places.max() for places in rows) + 1
    title = f"Silent: {silent[0]} of {len(rows[0])} with an answer, {silent[1]} of {len(rows[1])} without"
    with style():
        figure = canvas(8.0, 3.0, title)
        axes = figure.subplots()
        axes.axvspan(low, threshold, color=TINT, linewidth=0, zorder=0)
        axes.axvline(threshold, color=INK, linewidth=1.3, linestyle=(0, (4, 3)), zorder=1.5)
        for row, places in enumerate(rows):
            heights = row + 0.6 * (np.arange(len(places)) * 0.618 % 1 - 0.5)  # spread, the same each time
            for is_silent in (False, True):
                here = (places <= threshold) == is_silent
                axes.plot(
                    places[here], heights[here], "o", color=SERIES[row], markersize=5.5,
                    markerfacecolor="white" if is_silent else SERIES[row],
                )  # fmt: skip
        names = [f"{len(places)} {name}" for places, name in zip(rows, ROW_NAMES, strict=True)]
        axes.set_yticks(range(len(rows)), names)
        axes.set(xlim=(low, high), ylim=(1.5, -0.5))
        axes.set_xlabel(f"lead of the words over no answer; shaded, up to {threshold:g}: silent")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
    description = "; ".join(
        f"{len(places)} {name}, from {places.min():.1f} to {places.max():.1f}: {count} silent"
        for places, name, count in zip(rows, ROW_NAMES, silent, strict=True)
    )
    return figure, f"Leads of the questions, silent up to {threshold:g}. {description}."


def _checked_leads(leads: Any, answered: Sequence[bool]) -> tuple[Array, Array]:
    places = to_array(leads, "leads", "N")
    has_one = np.array(answered, dtype=bool)
    if len(has_one) != len(places) or has_one.all() or not has_one.any():
        raise ValueError("Say of each lead whether its question has an answer; both kinds are needed.")
    return places[has_one], places[~has_one]


# ---------------------------------------------------------------------------------------------
# Tables: the columns and the caption


Table = tuple[dict[str, list[Any]], str]


def scored_ways(ways: Mapping[str, str], reference: str) -> Table:
    """Several ways to give back one span, each with its exact match and its F1."""
    scored = [scores.answer_scores(said, [reference]) for said in ways.values()]
    columns: dict[str, list[Any]] = {"way": [*ways], "answer": [*ways.values()]}
    columns["EM"] = [one.exact for one in scored]
    columns["F1"] = [one.f1 for one in scored]
    return columns, f"One span in three ways; the reference: {reference}"


def windows_table(
    question: str, found: Sequence[tuple[str, float, float]], shifted: int | None = None
) -> Table:
    """The best words of each window, their score, that of no answer, and the lead; the winners are marked.

    shifted: the window that the last row repeats with other scores. The others are compared without it.
    """
    rows = [(words, score, silence, score - silence) for words, score, silence in found]
    names = [str(k + 1) for k in range(len(rows))]
    compared = rows
    if shifted is not None:
        names[-1] = f"{shifted + 1}, shifted"
        compared = rows[:-1]
    best = max(row[1] for row in compared)
    greatest = max(row[3] for row in compared)
    columns: dict[str, list[Any]] = {
        "window": names,
        "best words": [row[0] for row in rows],
        "score": [_marked(row[1], best) for row in rows],
        "no answer": [f"{row[2]:.1f}" for row in rows],
        "lead": [_marked(row[3], greatest) for row in rows],
    }
    last = "" if shifted is None else ", in the last row if it beats them"
    return columns, f"{question} A star: the highest of its column{last}"


def _marked(value: float, best: float) -> str:
    return f"{value:.1f} *" if value >= best else f"{value:.1f}"


def tags_table(said: Mapping[str, Sequence[Sequence[str]]], right: Sequence[Sequence[str]]) -> Table:
    """For several readings the share of right tags, the entities said and exactly right, and their F1."""
    true = _entities(right)
    columns: dict[str, list[Any]] = {"tags from": [*said]}
    columns["tags right"] = [f"{scores.tag_accuracy(tags, right):.0%}" for tags in said.values()]
    columns["entities said"] = [str(len(_entities(tags))) for tags in said.values()]
    columns["exactly right"] = [str(len(_entities(tags) & true)) for tags in said.values()]
    columns["F1 of entities"] = [scores.entity_scores(tags, right).f1 for tags in said.values()]
    return columns, f"{len(right)} test sentences with {len(true)} entities"


def _entities(sentences: Sequence[Sequence[str]]) -> set[tuple[int, str, int, int]]:
    return {(number, *span) for number, tags in enumerate(sentences) for span in entity_spans(tags)}


def choices_table(counts: Mapping[tuple[str, str], int]) -> Table:
    """How many right endings each model chose of each kind of story, and a coin, with its standard error."""
    models = list(dict.fromkeys(model for model, _ in counts))
    kinds = list(dict.fromkeys(kind for _, kind in counts))
    columns: dict[str, list[Any]] = {"model": [*models, "a coin"]}
    for kind in kinds:
        number = int(kind.split()[-1])
        coin = f"{number / 2:.0f} ± {math.sqrt(number) / 2:.0f}"
        columns[kind] = [*(str(counts[model, kind]) for model in models), coin]
    return columns, "Right endings chosen; of a coin, ± one standard error"


def six_of(wrong: Sequence[tuple[str, str, str, str]], count: int) -> Table:
    """Six wrong answers, evenly spread: question, what was said, what is right, and the sentences of both."""
    shown = wrong[:: max(1, len(wrong) // 6)][:6]
    names = ("question", "said", "right", "where both stand")
    columns: dict[str, list[Any]] = {name: [row[place] for row in shown] for place, name in enumerate(names)}
    return columns, f"Six of {len(wrong)} answers that are not exactly right, of {count}"


def sentences_with(parts: Sequence[str], text: str) -> str:
    """The sentences of a text in which any of these words stand, with dots for what is left out."""
    sentences = re.split(r"(?<=[.!?])\s+", text)
    return " … ".join(one for one in sentences if any(part and part in one for part in parts))


# ---------------------------------------------------------------------------------------------
# Two scores for every token of a text: how well an answer begins there, and how well it ends there.

MOST_TOKENS = 48


def draw_two_scores(tokens: Sequence[str], start: Any, end: Any) -> tuple["Figure", str]:
    """Draw the two scores of [CLS] question [SEP] text [SEP] with the best span of the text.

    The title has the probability of each year of the text as an answer: that of its start times its end.
    """
    starts, ends = to_array(start, "start", "T"), to_array(end, "end", "T")
    begin = list(tokens).index("[SEP]") + 1
    inside = slice(begin, len(tokens) - 1)
    first, last = best_span(torch.tensor(starts[inside]), torch.tensor(ends[inside]), 30)
    chance = _softmax(starts) * _softmax(ends)
    years = [
        f"P({name}) = {chance[place]:.3f}"
        for place, name in enumerate(tokens)
        if place >= begin and len(name) == 4 and name.isdigit()
    ]
    title = f"{len(tokens)} tokens; start times end: {', '.join(years) or 'no year'}"
    figure, alt = draw_span_scores(tokens, starts, ends, (first + begin, last + begin), title)
    return figure, f"{title}. {alt}"


def _softmax(values: Array) -> Array:
    powers = np.exp(values - values.max())
    return powers / powers.sum()


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
