"""A sentence, what may stand in the place of its words, and what a teacher says of the new sentences."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .schematic import Schematic
from .style import FAINT, INK, LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 11.4  # inches
LINE = 0.29
LETTER = 0.0836  # a letter of the typewriter face, 10 points high
MOST_LETTERS = 84
LEFT, BAR, BAR_WIDTH = 0.2, 8.05, 2.4


def draw_augmentation(
    words: Sequence[str],
    candidates: Mapping[str, Sequence[str]],
    answers: Sequence[tuple[Sequence[str], float]],
    ends: tuple[str, str],
    title: str,
) -> tuple["Figure", str]:
    """Draw the candidates for some words of a sentence and, below, sentences with the teacher's answer.

    `answers` are sentences, word by word, with the probability of the second of the two answers in `ends`.
    The first is the sentence itself; words that differ from it are bold, and so are bars of sentences of
    which the teacher says the opposite.
    """
    from matplotlib.patches import Rectangle

    _check(words, answers)
    height = LINE * (len(candidates) + len(answers)) + 1.75
    page = Schematic(WIDTH, height)
    page.text(LEFT, height - 0.22, title, ha="left", fontsize=13, weight="bold")
    y = height - 0.62
    page.text(LEFT, y, "What may stand in the place of", ha="left", color=QUIET)
    for word, others in candidates.items():
        y -= LINE
        page.text(LEFT, y, word, ha="left", weight="bold")
        page.text(LEFT + 1.5, y, "  ".join(others), ha="left", fontsize=10)
    y -= 0.45
    page.text(LEFT, y, "Sentences, and what the teacher says of them", ha="left", color=QUIET)
    page.text(BAR, y, ends[0], ha="left", color=QUIET, fontsize=10)
    page.text(BAR + BAR_WIDTH, y, ends[1], ha="right", color=QUIET, fontsize=10)
    top = y - 0.13
    original = answers[0][1]
    for sentence, answer in answers:
        y -= LINE
        _write(page, words, sentence, y)
        flips = (answer > 0.5) != (original > 0.5)
        corner = BAR, y - 0.08
        page.axes.add_patch(Rectangle(corner, BAR_WIDTH, 0.16, facecolor="white", edgecolor=FAINT, zorder=2))
        fill, edge = (LIT, LIT) if flips else (FAINT, QUIET)
        length = max(0.03, BAR_WIDTH * answer)
        page.axes.add_patch(Rectangle(corner, length, 0.16, facecolor=fill, edgecolor=edge, zorder=3))
        weight = "bold" if flips else "normal"
        page.text(BAR + BAR_WIDTH + 0.12, y, f"{answer:.2f}", ha="left", fontsize=10, weight=weight)
    middle = BAR + BAR_WIDTH / 2
    page.axes.plot(
        [middle, middle], [y - 0.14, top], color=INK, linewidth=1.2, linestyle=(0, (4, 3)), zorder=4
    )
    page.text(middle, y - 0.27, "0.5: undecided", fontsize=10, color=QUIET)
    places = "; ".join(f"{word}: {', '.join(others)}" for word, others in candidates.items())
    said = "; ".join(f"“{' '.join(sentence)}” {answer:.2f}" for sentence, answer in answers)
    flipped = sum((answer > 0.5) != (answers[0][1] > 0.5) for _, answer in answers)
    alt = (
        f"What may stand in the place of words of “{' '.join(words)}”: {places}. Sentences, the first being"
        f" the original, with the teacher's answer from 0, {ends[0]}, to 1, {ends[1]}: {said}. Of"
        f" {len(answers) - 1} new sentences {flipped} get the opposite answer."
    )
    return page.figure, alt


def _write(page: Schematic, words: Sequence[str], sentence: Sequence[str], y: float) -> None:
    """Write a sentence word by word, what differs from the original in bold."""
    x = LEFT
    for old, new in zip(words, sentence, strict=True):
        differs = {"weight": "bold", "color": LIT} if new != old else {}
        page.text(x, y, new, ha="left", fontsize=10, family="monospace", **differs)
        x += LETTER * (len(new) + 1)


def _check(words: Sequence[str], answers: Sequence[tuple[Sequence[str], float]]) -> None:
    if not answers or any(len(sentence) != len(words) for sentence, _ in answers):
        raise ValueError(f"Give at least one sentence, and each as many words as the original, {len(words)}.")
    if longest := max((" ".join(sentence) for sentence, _ in answers), key=len)[MOST_LETTERS:]:
        raise ValueError(f"A sentence is {len(longest)} letters too long for its line: choose a shorter one.")
