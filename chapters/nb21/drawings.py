"""The one frame of distillation: what of a teacher teaches what of a student, and by which distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lib.figures.schematic import Box, Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LAYERS = 12
TOP, BOTTOM = 5.05, 1.05  # of the two models, in inches
HEIGHT = 0.32  # of a box
WIDTH = 1.9


@dataclass(frozen=True)
class Taught:
    """One kind of knowledge that goes from teacher to student.

    name: of the knowledge. distance: how both are compared. pairs: which layer of the student learns from
    which of the teacher, counted from 1, 0 being the embeddings; none for what a model answers at its top.
    """

    name: str
    distance: str
    pairs: Sequence[tuple[int, int]] = ()


def draw_distillation(
    taught: Sequence[Taught], student_layers: int, teacher_layers: int, text: str, title: str
) -> tuple["Figure", str]:
    """Draw both models over the same text, and an arrow from the teacher for each pair that is compared.

    The arrow goes to the student, who learns; over its middle stands the distance.
    """
    _check(taught, student_layers, teacher_layers)
    page = Schematic(10.4, 5.9)
    page.text(0.15, 5.68, title, ha="left", weight="bold", fontsize=13)
    page.text(5.2, 0.72, "data: both read the same text", fontsize=10)
    read = page.box(3.15, 0.2, 4.1, HEIGHT, f"“{text}”", look="quiet")
    touched = {side: {pair[side] for knowledge in taught for pair in knowledge.pairs} for side in (0, 1)}
    student = _column(page, 1.0, student_layers, touched[0], "student")
    teacher = _column(page, 7.5, teacher_layers, touched[1], "teacher")
    for column in (student, teacher):
        page.arrow((column[0].below[0], read.west[1]), column[0].below)
    page.arrow(read.west, (student[0].below[0], read.west[1]))
    page.arrow(read.east, (teacher[0].below[0], read.east[1]))
    for knowledge in taught:
        for pair in knowledge.pairs or [(student_layers + 1, teacher_layers + 1)]:
            start, end = teacher[pair[1]].west, student[pair[0]].east
            page.arrow(start, end)
            x, y = start[0] + 0.55 * (end[0] - start[0]), start[1] + 0.55 * (end[1] - start[1])
            look = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
            page.text(x, y, f"{knowledge.name}: {knowledge.distance}", fontsize=10, bbox=look)
    phrases = []
    for knowledge in taught:
        if knowledge.pairs:
            where = ", ".join(f"{n} to {m}" for m, n in knowledge.pairs)
            phrases.append(
                f"{knowledge.name}, compared by {knowledge.distance}, from the teacher's to the student's"
                f" layer: {where}"
            )
        else:
            phrases.append(f"{knowledge.name}, compared by {knowledge.distance}, at the top of both")
    said = (
        f"Two stacks read the same text, “{text}”: on the left a student of {student_layers} layers, on the"
        f" right a teacher of {teacher_layers}. Arrows go from the teacher to the student."
        f" {'; '.join(phrases)}."
    )
    return page.figure, said


def _column(page: Schematic, left: float, layers: int, touched: set[int], name: str) -> list[Box]:
    """The boxes of a model from the embeddings, 0, to its answer, `layers` + 1; those of use are tinted."""
    page.text(left + WIDTH / 2, TOP + 0.3, f"{name}, {layers} layers", weight="bold")
    step = (TOP - HEIGHT - BOTTOM) / (layers + 1)
    labels = ["embeddings", *(f"layer {number}" for number in range(1, layers + 1)), "answer"]
    boxes = []
    for number, label in enumerate(labels):
        look = "lit" if number == layers + 1 else "tint" if number in touched else "plain"
        boxes.append(page.box(left, BOTTOM + step * number, WIDTH, HEIGHT, label, look=look))
    for below, above in pairwise(boxes):
        if above.bottom - below.top[1] > 0.15:  # an arrow needs some room
            page.arrow(below.top, above.below)
    return boxes


def _check(taught: Sequence[Taught], student_layers: int, teacher_layers: int) -> None:
    if not taught or not 1 <= student_layers <= MOST_LAYERS or not 1 <= teacher_layers <= MOST_LAYERS:
        raise ValueError(
            f"{len(taught)} kinds of knowledge, {student_layers} and {teacher_layers} layers: give one kind"
            f" or more, and 1 to {MOST_LAYERS} layers on either side."
        )
    for knowledge in taught:
        for m, n in knowledge.pairs:
            if not 0 <= m <= student_layers or not 0 <= n <= teacher_layers:
                raise ValueError(
                    f"{knowledge.name} goes from the teacher's layer {n} to the student's {m}: they have 0"
                    f" to {teacher_layers} and 0 to {student_layers}."
                )
