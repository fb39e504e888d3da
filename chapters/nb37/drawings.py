"""The drawings and tables of notebook 37: a leaderboard, hidden places, and who may look where.

Each drawing gives the figure and its text alternative: `figures.show(*drawings.draw_race())`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from chapters.nb37 import glue, two_streams
from lib import stats
from lib.figures.charts import BASELINE, legend_outside
from lib.figures.style import INK, LIT, MARKERS, QUIET, SERIES, canvas, style
from lib.records.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Picture = tuple["Figure", str]
Columns = dict[str, list[Any]]

FEW = "1,280 sentences, 30 times"  # of the record
ASKS = {
    "CoLA": "is this sentence grammatical?",
    "SST-2": "does this review praise?",
    "MRPC": "do two sentences say the same?",
    "STS-B": "how alike are two sentences?",
    "QQP": "do two questions mean the same?",
    "MNLI": "does one sentence follow from another?",
    "QNLI": "does this sentence answer the question?",
    "RTE": "the same as MNLI, with few rows to learn from",
    "WNLI": "what does this pronoun stand for?",
}


# ---------------------------------------------------------------------------------------------
# The leaderboard


def draw_race() -> Picture:
    """Draw every system of the two boards, and where the race began, beside the line of people."""
    people = glue.MARCH_2020[glue.PEOPLE][0]
    when = {
        "October 2018": glue.RACE_BEGINS,
        "March 2020": {name: score for name, (score, _) in glue.MARCH_2020.items() if name != glue.PEOPLE},
        "April 2021": {name: score for name, (score, _) in glue.APRIL_2021.items()},
    }
    best = {
        name: max(scores.get(name, 0.0) for scores in when.values()) for one in when.values() for name in one
    }
    names = sorted(best, key=lambda name: best[name])
    with style():
        figure = canvas(8.0, 6.2, "GLUE scores as printed, and the line of people")
        axes = figure.subplots()
        for number, (date, scores) in enumerate(when.items()):
            rows = [names.index(name) for name in scores]
            axes.plot(
                list(scores.values()), rows, MARKERS[number], color=SERIES[number], label=date, markersize=8,
                markerfacecolor="white" if number == 1 else SERIES[number],
            )  # fmt: skip
        for row, name in enumerate(names):
            axes.annotate(
                f"{best[name]:.1f}", xy=(best[name], row), xytext=(9, 0), textcoords="offset points",
                va="center", fontsize=9.5,
            )  # fmt: skip
        axes.axvline(people, color=INK, linestyle=BASELINE, linewidth=1.4, zorder=0.5)
        axes.annotate(
            f"people {people:g} (May 2019)", xy=(people, 0.01), xycoords=("data", "axes fraction"),
            xytext=(5, 0), textcoords="offset points", fontsize=9.5,
        )  # fmt: skip
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel("GLUE score")
        axes.set_xlim(70, 93.5)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        legend_outside(figure, "title")
    told = "; ".join(
        f"{date}: " + ", ".join(f"{name} {score:g}" for name, score in scores.items())
        for date, scores in when.items()
    )
    return figure, f"GLUE scores. People: {people:g} (May 2019). {told}."


def tasks_table(one: str, other: str, board: glue.Board) -> Columns:
    """Two rows of a board side by side, each task with what it asks and one number for each."""
    first, second = (glue.by_task(board[name][1]) for name in (one, other))
    return {
        "task": list(ASKS),
        "asks": list(ASKS.values()),
        one: [f"{first[task]:.1f}" for task in ASKS],
        other: [f"{second[task]:.1f}" for task in ASKS],
    }


def left_out_table(board: glue.Board, name: str, score_of: Callable[[glue.Row], float]) -> Columns:
    """Of each task that one leaves out: the place of `name`, and its lead over the next below."""
    places, leads = [], []
    for task in glue.TASKS:
        partly = {system: score_of(glue.without(row, task)) for system, (_, row) in board.items()}
        places.append(glue.ranks(partly)[name])
        below = [score for score in partly.values() if score < partly[name]]
        leads.append(f"{partly[name] - max(below):.2f}" if below else "-")
    return {"left out": list(glue.TASKS), f"rank of {name}": places, "points ahead of the next": leads}


# ---------------------------------------------------------------------------------------------
# How often masks are drawn


def draw_losses(table: Table, draws: int | None = None, loss: float = float("nan")) -> Picture:
    """Draw recorded losses on held-out text by the number of draws, with their seeds; a live one beside."""
    recorded = {arm.replace("mask", "draw"): arm for arm in table.arms(FEW)}  # "3 masks": drawn three times
    arms = {name: table.values(FEW, arm, "loss") for name, arm in recorded.items()}
    learned = {name: table.values(FEW, arm, "training loss") for name, arm in recorded.items()}
    places = np.arange(len(arms))
    with style():
        figure = canvas(8.0, 3.6, "Thirty epochs with 1, 3, 10 or 30 draws (recorded: three seeds)")
        axes = figure.subplots()
        for number, (name, values) in enumerate(
            {"held-out text": arms, "the sentences read": learned}.items()
        ):
            line = MARKERS[number] + ("-" if number == 0 else "--")
            axes.plot(
                places, [mean(one) for one in values.values()], line,
                color=SERIES[number], label=name,
            )  # fmt: skip
            for place, one in zip(places, values.values(), strict=True):
                axes.plot([place] * len(one), one, "_", color=SERIES[number], markersize=12)
        label = f"{draws} draws" if draws != 1 else "1 draw"
        if label in arms:
            axes.plot(
                [list(arms).index(label)], [loss], "*", color=INK, markersize=15, markerfacecolor="white",
                label="yours, held-out text",
            )  # fmt: skip
        axes.set_xticks(places, list(arms))
        axes.set_ylabel("loss, nats")
        axes.set_ylim(0)
        axes.grid(axis="y")
        legend_outside(figure, "title")
    said = [f"{arm} {mean(arms[arm]):.2f} ({min(arms[arm]):.2f} to {max(arms[arm]):.2f})" for arm in arms]
    read = [f"{arm} {mean(learned[arm]):.2f}" for arm in arms]
    yours = f" Yours: {label} {loss:.2f}." if draws is not None else ""
    of_ten = stats.paired_difference(arms["30 draws"], arms["10 draws"])
    of_one = stats.paired_difference(arms["10 draws"], arms["1 draw"])
    word = {True: "resolved", False: "not resolved"}
    return figure, (
        f"Loss on held-out text: {', '.join(said)}. On the sentences read, in the last epoch: "
        f"{', '.join(read)}."
        f"{yours} Paired by seed: 1 draw less 10 {of_one.of_means:+.2f}, {word[of_one.is_resolved]};"
        f" 10 less 30 {of_ten.of_means:+.2f}, {word[of_ten.is_resolved]}."
    )


# ---------------------------------------------------------------------------------------------
# Two streams


def draw_two_masks(words: Sequence[str], order: Tensor, content: Tensor, query: Tensor) -> Picture:
    """Draw the content and the query mask, a dot where a place may look, rows and columns as in the text."""
    two_streams.validate_order(order)
    read = {int(place): number for number, place in enumerate(order)}
    names = [f"{word} (step {read[place]})" for place, word in enumerate(words)]
    with style():
        figure = canvas(8.6, 3.9, "Gray with a dot: the row's place may look at the column's word")
        panels = figure.subplots(1, 2)
        for axes, (name, mask) in zip(
            panels,
            {"content stream": content, "query stream": query}.items(),
            strict=True,
        ):
            _draw_mask(axes, names, mask.numpy())
            axes.set_title(name, fontsize=11)
    looks = []
    for kind, mask in {"content": content, "query": query}.items():
        for place, word in enumerate(words):
            seen = [words[other] for other in range(len(words)) if mask[place, other]]
            looks.append(f"{kind}, {word} sees {' '.join(seen) or 'nothing'}")
    said = " ".join(words[int(place)] for place in order)
    return figure, f"Read in the order {said}. {'; '.join(looks)}."


def _draw_mask(axes: Axes, names: list[str], mask: Any) -> None:
    count = len(names)
    axes.imshow(np.where(mask, 1.0, 0.0), cmap="Greys", vmin=0, vmax=1.8)
    for row in range(count):
        for column in range(count):
            if mask[row, column]:
                axes.plot(column, row, "o", color="white", markeredgecolor=LIT, markersize=7)
    axes.set_xticks(range(count), names, rotation=35, ha="right")
    axes.set_yticks(range(count), names)
    axes.set_xticks(np.arange(count + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(count + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=QUIET, linewidth=0.6)
    axes.tick_params(which="both", length=0)
