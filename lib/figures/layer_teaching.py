"""Which places of a teacher teach which places of a student, and by what distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schematic import Box, Point, Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 10.8, 5.6  # inches
STEP = 0.64  # from layer to layer of the teacher
TOP, STEP_OF_LESSONS = 4.55, 0.8
KINDS = ("states", "scores", "attention", "values", "answers")


@dataclass(frozen=True)
class Lesson:
    """What the student's place learns from the teacher's: states after a layer (0: the embeddings), or
    scores, attention or values inside a layer; `projected`: through a learned map. Answers have no layer.
    """

    kind: str
    teacher: int
    student: int
    distance: str
    projected: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"There is no lesson in {self.kind!r}: use one of {', '.join(KINDS)}.")


def draw_layer_teaching(
    lessons: Sequence[Lesson], layers: tuple[int, int], sizes: tuple[int, int], title: str
) -> "Figure":
    """Draw the teacher at the left, the student at the right, and between them a box for each lesson.

    `layers` and `sizes` are those of the teacher and of the student: how many layers, how many features.
    Lessons are drawn from the bottom to the top in their order. Dark boxes are learned maps.
    """
    _check(lessons, layers)
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    has_answers = any(lesson.kind == "answers" for lesson in lessons)
    teacher = _draw_model(page, "teacher", 0.3, layers[0], sizes[0], STEP, has_answers)
    gap = STEP * layers[0] / layers[1]
    student = _draw_model(page, "student", 9.0, layers[1], sizes[1], gap, has_answers)
    for number, lesson in enumerate(lessons):
        y = TOP - STEP_OF_LESSONS * (len(lessons) - 1 - number)
        look = "plain" if lesson.kind in ("states", "answers") else "tint"
        box = page.box(4.75, y - 0.24, 1.95, 0.48, _named(lesson), lesson.distance, look=look)
        page.arrow(_anchor(teacher, lesson.kind, lesson.teacher, east=True), box.west)
        start = _anchor(student, lesson.kind, lesson.student, east=False)
        if lesson.projected:
            learned = page.box(7.15, y - 0.19, 0.55, 0.38, "W", look="lit")
            page.arrow(start, learned.east)
            page.arrow(learned.west, box.east)
        else:
            page.arrow(start, box.east)
    return page.figure


def describe_layer_teaching(
    lessons: Sequence[Lesson], layers: tuple[int, int], sizes: tuple[int, int]
) -> str:
    """Say in words what `draw_layer_teaching` shows."""
    _check(lessons, layers)
    told = []
    for lesson in lessons:
        if lesson.kind == "answers":
            who = "the student's answers learn from the teacher's"
        else:
            who = (
                f"{_place(lesson.kind, lesson.student)} of the student learns from"
                f" {_place(lesson.kind, lesson.teacher)} of the teacher"
            )
        told.append(f"{who} ({lesson.distance}{', through a learned map W' if lesson.projected else ''})")
    return (
        f"A teacher of {layers[0]} layers, {sizes[0]} wide, at the left, a student of {layers[1]} layers,"
        f" {sizes[1]} wide, at the right. From the bottom to the top: {'; '.join(told)}."
    )


def _draw_model(
    page: Schematic, name: str, left: float, layers: int, size: int, step: float, has_answers: bool
) -> dict[str, Box]:
    """Draw a stack from the embeddings up; its boxes by name."""
    page.text(left + 0.75, 0.14, f"{name}, {size} wide", color=QUIET)
    found = {"states 0": page.box(left, 0.34, 1.5, 0.36, "embeddings")}
    below = found["states 0"]
    for layer in range(1, layers + 1):
        box = page.box(left, 0.34 + step * layer, 1.5, 0.36, f"layer {layer}")
        page.arrow(below.top, box.below)
        found[f"layer {layer}"] = found[f"states {layer}"] = below = box
    if has_answers:
        top = 0.34 + STEP * 6 + 0.62
        found["answers"] = page.box(left, top, 1.5, 0.36, "answers", look="edge")
        page.arrow(below.top, found["answers"].below)
    return found


def _anchor(boxes: dict[str, Box], kind: str, layer: int, east: bool) -> Point:
    """Where a line begins: states leave a layer at its upper edge, all else happens inside."""
    box = boxes["answers" if kind == "answers" else f"{'states' if kind == 'states' else 'layer'} {layer}"]
    x, y = box.east if east else box.west
    return (x, y + 0.13) if kind == "states" else (x, y - 0.06 if kind != "answers" else y)


def _named(lesson: Lesson) -> str:
    if lesson.kind == "answers":
        return "answers"
    if lesson.kind == "states" and lesson.teacher == 0:
        return "embeddings"
    return f"{lesson.kind} {lesson.teacher} and {lesson.student}"


def _place(kind: str, layer: int) -> str:
    if kind == "states":
        return f"the state after layer {layer}" if layer else "the embeddings"
    return f"the {kind} in layer {layer}"


def _check(lessons: Sequence[Lesson], layers: tuple[int, int]) -> None:
    if not 1 <= len(lessons) <= 6 or min(layers) < 1 or max(layers) > 6:
        raise ValueError("Give one to six lessons, and models of 1 to 6 layers.")
    for lesson in lessons:
        first = 0 if lesson.kind in ("states", "answers") else 1
        if not (first <= lesson.teacher <= layers[0] and first <= lesson.student <= layers[1]):
            raise ValueError(f"{lesson} names a layer that is not there: the models have {layers} layers.")
