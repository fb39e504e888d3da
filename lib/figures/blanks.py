"""What a model guesses for blanks after rounding, beside what it guessed before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import INK, LIT, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
            said = blank.text.replace("[MASK]", f"[{blank.first}]")
            axes.text(0, row - 0.26, said, va="bottom", fontsize=11, weight="bold" if unchanged else "normal")
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
