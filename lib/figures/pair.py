"""A pair of texts, with the words that they share, and what several judges say of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .style import HATCHES, INK, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 96  # characters in a line
LINE = 0.25  # inches
LABEL = 4  # characters before the text


def draw_pair(
    first: str,
    second: str,
    marked: set[str],
    answers: Mapping[str, float],
    title: str | None = None,
    xlabel: str = "probability that B follows A",
) -> "Figure":
    """Draw texts A and B above bars for what judges answer, each a share between 0 and 1.

    Words in `marked`, in lower case and without punctuation, stand in a frame.
    """
    _check(first, second, answers)
    layouts = [_layout(text.split()) for text in (first, second)]
    lines = sum(layout[-1][2] + 1 for layout in layouts) + 1.5
    with style():
        height = 0.9 + LINE * lines + 0.4 * len(answers)
        figure = canvas(8.0, height, title)
        texts, bars = figure.subplots(2, 1, height_ratios=[LINE * lines, 0.45 + 0.4 * len(answers)])
        top = 0.0
        for name, layout in zip("AB", layouts, strict=True):
            texts.text(0, top + 0.5, name, va="center", color=QUIET, weight="bold")
            for word, left, line in layout:
                _write(texts, word, left, top + line, word.lower().strip(".,;:!?\"'()") in marked)
            top += layout[-1][2] + 1.6
        texts.set(xlim=(0, WIDTH), ylim=(top, -0.2))
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
    said = ", ".join(f"{judge} {share:.2f}" for judge, share in answers.items())
    common = ", ".join(sorted(marked)) or "none"
    return f"A: {first} B: {second} Marked in both: {common}. Probability that B follows A: {said}."


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


def _write(axes: "Axes", word: str, left: int, top: float, marked: bool) -> None:
    from matplotlib.patches import Rectangle

    if marked:
        place = (left - 0.3, top + 0.06)
        axes.add_patch(Rectangle(place, len(word) + 0.6, 0.88, facecolor=TINT, edgecolor=INK, linewidth=0.6))
    axes.text(
        left + len(word) / 2, top + 0.5, word, ha="center", va="center", family="DejaVu Sans Mono",
        fontsize=8.6, color=INK, weight="bold" if marked else "normal",
    )  # fmt: skip
