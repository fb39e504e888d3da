"""The picture that grows: accuracy on headlines over bytes and over milliseconds, a dot for each model.

    mine = own_dot("3 bits, trained here", model, accuracy, teacher.model)
    show(*draw_frontier("20", mine))

Each notebook of part 4 adds its dots to those of the notebooks before it, and the reader's own.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, NamedTuple

import torch

from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style
from lib.records.ledger import METHODS, ledger_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from lib.bert.model import PreTrainedBert

TASK, SHAPE, ROUNDS = "headlines", "1 x 9", 9
GUESS = 100 / 9  # percent, of nine categories
CHARACTER, LINE = 5.6, 13.0  # points that a name takes: each letter, and its height


class Dot(NamedTuple):
    """A model: what it is called, the notebook that builds it, and what it costs and reaches."""

    name: str
    notebook: str  # "" of the reader's own
    megabytes: float  # of its file
    milliseconds: float  # for one text of nine pieces
    accuracy: float  # in percent, the mean over seeds


def recorded_dots(notebook: str) -> list[Dot]:
    """The models that the course has built up to a notebook, such as "20"."""
    by_name = {row.method: row for row in ledger_rows()[TASK]}
    dots = []
    for method in METHODS:
        if TASK in method.answers and method.notebook <= notebook:
            row = by_name[method.name]
            milliseconds = row.milliseconds.get("float32") or next(iter(row.milliseconds.values()))
            dots.append(
                Dot(
                    method.name,
                    method.notebook,
                    (row.file_bytes or 0) / 1e6,
                    milliseconds[SHAPE],
                    100 * mean(row.scores),
                )
            )
    return dots


def own_dot(name: str, model: PreTrainedBert, accuracy: float, original: PreTrainedBert) -> Dot:
    """The reader's own model, weighed as its packed file, and timed out of it beside the original.

    accuracy: 0 to 1. Its milliseconds are those of the recorded MiniLM times what the two took here, so that
    one picture holds them on any machine.
    """
    from lib.compression.ledger.rows import SHAPES  # not above: a drawing is imported in a moment
    from lib.compression.ledger.timing import example_batch, in_turns
    from lib.compression.packed import load_packed, save_packed

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        save_packed(copy.deepcopy(model).eval(), path)
        megabytes, plain = path.stat().st_size / 1e6, load_packed(path)
    whole = original.eval()
    with torch.inference_mode():
        calls = {
            "own": partial(plain, **example_batch(plain.config.vocab_size, SHAPES[SHAPE])),
            "original": partial(whole, **example_batch(whole.config.vocab_size, SHAPES[SHAPE])),
        }
        spent = in_turns(calls, ROUNDS)
    recorded = next(dot for dot in recorded_dots("19") if dot.name == "MiniLM")
    milliseconds = recorded.milliseconds * median(spent["own"]) / median(spent["original"])
    return Dot(name, "", megabytes, milliseconds, 100 * accuracy)


def draw_frontier(notebook: str, own: Dot | None = None) -> tuple[Figure, str]:
    """Draw all models up to a notebook: earlier ones gray, its own in color, the reader's a black diamond."""
    dots = [*recorded_dots(notebook), *([own] if own else [])]
    with style():
        figure = canvas(11.5, 4.6, "Higher and further left is better: what an accuracy costs")
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, cost, label in (
            (left, "megabytes", "megabytes of the file"),
            (right, "milliseconds", "milliseconds for one text of nine pieces"),
        ):
            axes.set_xscale("log")
            costs = [getattr(dot, cost) for dot in dots]
            axes.set_xlim(min(costs) / 2.5, 2.5 * max(costs))
            for dot in dots:
                _draw_dot(axes, getattr(dot, cost), dot, notebook)
            axes.set(xlabel=label, ylim=(min(dot.accuracy for dot in dots) - 6, 90))
            axes.xaxis.set_major_formatter(lambda cost, _place: f"{cost:,g}")
            axes.grid(axis="both", color=FAINT)
        left.set(ylabel=f"accuracy on headlines, % (a guess: {GUESS:.0f})")
        figure.draw_without_rendering()  # from here on the places are known
        for axes, cost in ((left, "megabytes"), (right, "milliseconds")):
            _write_names(axes, cost, dots, notebook)
    said = [
        f"{dot.name}{' (yours)' * (not dot.notebook)} {dot.accuracy:.1f}% at {dot.megabytes:.1f} MB and "
        f"{dot.milliseconds:.1f} ms"
        for dot in dots
    ]
    now = [dot.name for dot in dots if dot.notebook == notebook]
    return figure, (
        "Accuracy on headlines over megabytes of the file and over milliseconds for one text of nine pieces. "
        f"{'; '.join(said)}. New in this notebook: {', '.join(now) or 'none'}. A guess: {GUESS:.0f}%."
    )


def _draw_dot(axes: Axes, cost: float, dot: Dot, notebook: str) -> None:
    marker, color, size = ("o", QUIET, 6.5)
    if dot.notebook == notebook:
        marker, color, size = "o", LIT, 9.5
    elif not dot.notebook:
        marker, color, size = "D", "black", 9.5
    axes.plot([cost], [dot.accuracy], marker, color=color, markersize=size, markeredgecolor="white", zorder=3)


def _write_names(axes: Axes, cost: str, dots: Sequence[Dot], notebook: str) -> None:
    """Write each name beside its dot, to the side and height where no other stands."""
    points = 72 / axes.figure.dpi
    places = {dot: axes.transData.transform((getattr(dot, cost), dot.accuracy)) * points for dot in dots}
    left, right = (axes.transAxes.transform((end, 0))[0] * points for end in (0, 1))
    taken = [(x - 6, x + 6, y) for x, y in places.values()]
    for dot in sorted(dots, key=lambda dot: (bool(dot.notebook), dot.notebook != notebook)):
        x, y = places[dot]
        width = CHARACTER * len(dot.name)
        offers = [(side, lift) for lift in (0, 9, -9, 16, -16, 24, -24, 32, -32, 40, -40) for side in (1, -1)]
        for side, lift in offers:
            start = x + 8 if side > 0 else x - 8 - width
            fits = left < start and start + width < right
            if fits and not any(
                start < end and begin < start + width and abs(y + lift - height) < LINE - 2
                for begin, end, height in taken
                if (begin, end, height) != (x - 6, x + 6, y)
            ):
                break
        taken.append((start, start + width, y + lift))
        is_old = dot.notebook not in ("", notebook)
        axes.annotate(
            dot.name, (getattr(dot, cost), dot.accuracy), (8 * side, lift), textcoords="offset points",
            fontsize=9 if is_old else 10.5, color=QUIET if is_old else INK, va="center",
            ha="left" if side > 0 else "right",
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.8} if abs(lift) > LINE else None,
        )  # fmt: skip
