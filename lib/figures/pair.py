"""A pair of texts, with the words that they share, and what several judges say of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .style import HATCHES, INK, QUIET, SERIES, TINT, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
