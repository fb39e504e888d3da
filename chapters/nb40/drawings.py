"""The drawings of notebook 40: one score and which task it hangs on, one ratio and its whole, five questions.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_doubts(docket.counts()))`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lib.errata import DOUBTS, Doubt
from lib.figures.charts import PAPER, draw_bars, draw_stacked_bars
from lib.figures.style import DASHES, INK, LIT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Picture = tuple["Figure", str]


def draw_kept(kept: Mapping[str, float], whole: float) -> Picture:
    """Draw what a student keeps if one task is left out, in percent, beside what it keeps over all tasks."""
    order = sorted(kept, key=lambda task: kept[task])
    title = "What DistilBERT keeps, one task left out"
    with style():
        figure = canvas(8.0, 4.4, title)
        axes = figure.subplots()
        axes.plot([kept[task] for task in order], range(len(order)), "o", color=LIT, markersize=8)
        axes.axvline(whole, color=INK, linewidth=1.3, linestyle=DASHES[1], zorder=0.5)
        axes.annotate(
            f"all tasks {whole:.1f}", (whole, 0), xytext=(5, 0), textcoords="offset points", va="center"
        )
        for place, task in enumerate(order):
            side = -1 if kept[task] < whole else 1  # away from the dashed line
            axes.annotate(
                f"{kept[task]:.1f}", (kept[task], place), xytext=(9 * side, 0), textcoords="offset points",
                ha="right" if side < 0 else "left", va="center", fontsize=10, bbox=PAPER,
            )  # fmt: skip
        axes.set_yticks(range(len(order)), [f"without {task}" for task in order])
        axes.set_ylim(len(order) - 0.3, -0.5)
        axes.set_xticks(range(93, 100))
        axes.set_xlabel("percent of BERT-base's mean; the axis begins at 93, not at 0")
        axes.grid(axis="x")
    told = ", ".join(f"{task} {kept[task]:.1f}%" for task in order)
    return (
        figure,
        f"What DistilBERT keeps of BERT-base's mean without one task: {told}. All tasks: {whole:.1f}%.",
    )


def draw_fall(old: float, points: float) -> Picture:
    """Draw a fall by so many points from an old score, in points and in percent of the old score."""
    percent = 100 * points / old
    figure = draw_bars(
        ["in points", f"in percent of {old:g}"], [points, percent], "one fall, in two units",
        f"From {old:g} to {old - points:g}", digits=1, xlim=(0, 11),
    )  # fmt: skip
    return figure, f"From {old:g} to {old - points:g}: {points:g} points, {percent:.1f} percent."


def draw_ratio(before: Mapping[str, float], after: Mapping[str, float]) -> Picture:
    """Draw a model's parts in millions of weights before and after one of them was pruned."""
    parts = {
        f"{part} ({before[part]:.1f}, then {after[part]:.1f})": [before[part], after[part]] for part in before
    }
    figure = draw_stacked_bars(
        ["before", "after"],
        parts,
        "millions of weights that aren't zero",
        "Which of these is 20 times smaller?",
    )
    told = "; ".join(f"{part}: {one:.1f}, then {after[part]:.1f} million" for part, one in before.items())
    return figure, f"{told}. Together {sum(before.values()):.1f}, then {sum(after.values()):.1f} million."


def draw_doubts(counts: Mapping[Doubt, int]) -> Picture:
    """Draw how many entries of the docket each of five questions finds."""
    labels = [f"{doubt}: {DOUBTS[doubt]}" for doubt in counts]
    title = f"{sum(counts.values())} entries by the question that finds them"
    figure = draw_bars(labels, list(counts.values()), "entries", title, digits=0)
    told = "; ".join(f"{label} {count}" for label, count in zip(labels, counts.values(), strict=True))
    return figure, f"{title}. {told}."
