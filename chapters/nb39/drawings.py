"""The pictures and tables of notebook 39: a student of two languages, what a search finds, what it refuses.

Each picture comes with its text alternative: `figures.show(*drawings.draw_teaching(...))`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch import Tensor

from chapters.nb39.library import Paragraph
from lib import stats
from lib.figures.charts import BASELINE
from lib.figures.schematic import Schematic
from lib.figures.style import HATCHES, INK, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Picture = tuple["Figure", str]

BARS = (
    "questions that get an answer",
    "of these, from the right passage",
    "refused, if the right passage is missing",
)
NINE_IN_TEN = 90  # percent
NINE_IN_TEN_FROM = 0.42  # the threshold that refuses so many on the course's passages


def draw_teaching(english: str, spanish: str, target: Sequence[float], guess: Sequence[float]) -> Picture:
    """Draw a teacher that reads English, a student that reads Spanish, and the loss between their vectors.

    target and guess: the first numbers of the two vectors.
    """
    first, second = (", ".join(f"{number:.2f}" for number in vector) for vector in (target, guess))
    page = Schematic(9.6, 2.9)
    read = page.box(0.2, 1.9, 2.9, 0.6, english, "English")
    written = page.box(0.2, 0.4, 2.9, 0.6, spanish, "Spanish")
    teacher = page.box(3.7, 1.9, 1.9, 0.6, "MiniLM", "fixed")
    student = page.box(3.7, 0.4, 1.9, 0.6, "student", "learns", "lit")
    goal = page.box(6.2, 1.9, 3.1, 0.6, f"[{first}, ...]", "384 numbers", "tint")
    own = page.box(6.2, 0.4, 3.1, 0.6, f"[{second}, ...]", "384 numbers", "tint")
    for one, other in ((read, teacher), (teacher, goal), (written, student), (student, own)):
        page.arrow(one.east, other.west)
    page.arrow(own.top, goal.below)
    page.text(7.95, 1.45, "loss: 1 - cosine", ha="left", color=QUIET, fontsize=10.5)
    return page.figure, (
        f"Above, MiniLM, which stays fixed, reads “{english}” and gives a vector of 384 numbers, {first} and"
        f" so on. Below, the student reads “{spanish}” and gives {second} and so on. The loss is 1 minus the"
        " cosine of the two vectors."
    )


def table_of_best(questions: Sequence[str], texts: Sequence[str], scores: Tensor) -> Mapping[str, list[Any]]:
    """The best text for each question, by scores [Q, N]."""
    best = scores.max(dim=1)
    return {
        "asked": list(questions),
        "found": [texts[place] for place in best.indices.tolist()],
        "cosine": best.values.tolist(),
    }


def table_of_sources(
    paragraphs: Sequence[Paragraph], cosines: Tensor, count: int = 3
) -> dict[str, list[Any]]:
    """The nearest paragraphs by their cosines [N], with what stands where, the beginning of each."""
    best = cosines.topk(min(count, len(paragraphs)))
    found = [paragraphs[place] for place in best.indices.tolist()]
    return {
        "source": [paragraph.source for paragraph in found],
        "it begins": [beginning(paragraph.text) for paragraph in found],
        "cosine": best.values.tolist(),
    }


def beginning(text: str, words: int = 10) -> str:
    """The first words of a text."""
    cut = text.split()
    return " ".join(cut[:words]) + (" ..." if len(cut) > words else "")


def lead(one: str, hits: Tensor, other: str, others: Tensor) -> str:
    """By how much one leads another on the same questions, and whether more than luck could (02).

    hits and others: bool [Q], where each of the two is right.
    """
    alone, other_alone = int((hits & ~others).sum()), int((others & ~hits).sum())
    reach = stats.luck(alone + other_alone)
    verdict = "resolved" if abs(alone - other_alone) > reach else "not resolved"
    return (
        f"only {one} right: {alone}, only {other}: {other_alone}\n"
        f"a lead of {abs(alone - other_alone)}, luck reaches {reach:.0f}: {verdict}"
    )


def where_it_was_lost(found: Sequence[float], with_right: Sequence[float], is_right: Tensor) -> str:
    """The mean F1 with what was found and with the right passage, where the search was right and wrong.

    is_right: bool [Q], whether the first passage found is the right one.
    """
    lines = []
    for side, name in ((True, "right"), (False, "wrong")):
        places = [place for place, right in enumerate(is_right.tolist()) if right == side]
        means = [
            sum(scores[place] for place in places) / max(1, len(places)) for scores in (found, with_right)
        ]
        lines.append(
            f"{len(places)} questions, first paragraph {name}: F1 {means[0]:.2f},"
            f" with the right paragraph {means[1]:.2f}"
        )
    return "\n".join(lines)


@dataclass(frozen=True)
class Search:
    """The greatest cosine of each question, whether that text is right, and the greatest of the other texts.

    best, others: floats [Q]; is_right: bool [Q].
    """

    best: Tensor
    is_right: Tensor
    others: Tensor

    def shares(self, threshold: float) -> tuple[float, float, float]:
        """Percent of questions answered, of these with the right text, and refused without the right one."""
        kept = self.best >= threshold
        right = (self.is_right & kept).sum().item() / max(1, int(kept.sum()))
        refused = (self.others < threshold).float().mean().item()
        return 100 * kept.float().mean().item(), 100 * right, 100 * refused

    def draw(self, threshold: float) -> Figure:
        """Draw what a threshold does, see `shares`."""
        with style():
            figure = canvas(8.4, 2.6, f"A cosine below {threshold:.2f} gets no answer")
            axes = figure.subplots()
            for row, value in enumerate(self.shares(threshold)):
                axes.barh(
                    row, value, height=0.62, color=SERIES[row], hatch=HATCHES[row], edgecolor="white",
                    linewidth=0,
                )  # fmt: skip
                axes.annotate(
                    f"{value:.0f}%", (value, row), xytext=(6, 0), textcoords="offset points", va="center",
                    color=INK, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
                )  # fmt: skip
            refused = len(BARS) - 1
            axes.plot(
                [NINE_IN_TEN] * 2,
                [refused - 0.45, refused + 0.45],
                color=INK,
                linestyle=BASELINE,
                linewidth=1.6,
            )
            axes.set_yticks(range(len(BARS)), BARS)
            axes.set(xlim=(0, 112), xlabel="percent; dashed: nine in ten refused", xticks=range(0, 101, 20))
            axes.invert_yaxis()
        return figure

    def describe(self, threshold: float) -> str:
        """Say in words what `draw` shows."""
        values = zip(BARS, self.shares(threshold), strict=True)
        said = ", ".join(f"{name} {value:.0f}%" for name, value in values)
        return f"With no answer below a cosine of {threshold:.2f}: {said}."

    def question(self) -> tuple[Any, ...]:
        """What `figures.explore` takes: it asks what refusing nine in ten without their passage costs."""
        thresholds = [0.0, 0.1, 0.2, 0.25, 0.3, 0.34, 0.38, NINE_IN_TEN_FROM, 0.46, 0.5, 0.6]
        return (
            "It is to refuse nine in ten questions whose passage is missing. How many of the others get an"
            " answer?",
            ["nearly all", "fewer than half", "none"],
            "fewer than half",
            "The best cosines with and without the right passage overlap.",
            self.draw,
            self.describe,
            {"threshold": thresholds},
            {
                "Answer everything": {"threshold": thresholds[0]},
                "Refuse nine in ten": {"threshold": NINE_IN_TEN_FROM},
            },
        )
