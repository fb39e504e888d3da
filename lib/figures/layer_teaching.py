"""Which places of a teacher teach which places of a student, and by what distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .schematic import Box, Point, Schematic
from .style import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 10.8, 5.6  # inches
BOTTOM = 0.34  # of the embeddings
STEP = 0.64  # from layer to layer of the teacher
MOST_LAYERS = 6
TOP, STEP_OF_LESSONS = 4.55, 0.8
#: how far above the middle of its box a line begins: states leave a layer at its upper edge
RISES = {"states": 0.13, "scores": -0.06, "attention": -0.06, "values": -0.06, "answers": 0.0}


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
        if self.kind not in RISES:
            raise ValueError(f"There is no lesson in {self.kind!r}: use one of {', '.join(RISES)}.")


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
    teacher = _draw_model(page, f"teacher, {sizes[0]} wide", 0.3, layers[0], STEP)
    student = _draw_model(page, f"student, {sizes[1]} wide", 9.0, layers[1], STEP * layers[0] / layers[1])
    if any(lesson.kind == "answers" for lesson in lessons):
        for boxes, count in ((teacher, layers[0]), (student, layers[1])):
            boxes["answers"] = _draw_answers(page, boxes[f"states {count}"])
    for number, lesson in enumerate(lessons):
        y = TOP - STEP_OF_LESSONS * (len(lessons) - 1 - number)
        look = "plain" if lesson.kind in ("states", "answers") else "tint"
        box = page.box(4.75, y - 0.24, 1.95, 0.48, _named(lesson), lesson.distance, look=look)
        page.arrow(_raised(_box_of(teacher, lesson.kind, lesson.teacher).east, lesson.kind), box.west)
        start = _raised(_box_of(student, lesson.kind, lesson.student).west, lesson.kind)
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


def _draw_model(page: Schematic, caption: str, left: float, layers: int, step: float) -> dict[str, Box]:
    """Draw a stack from the embeddings up; its boxes by what is learned there, "states 0" first."""
    page.text(left + 0.75, 0.14, caption, color=QUIET)
    below = page.box(left, BOTTOM, 1.5, 0.36, "embeddings")
    found = {"states 0": below}
    for layer in range(1, layers + 1):
        box = page.box(left, BOTTOM + step * layer, 1.5, 0.36, f"layer {layer}")
        page.arrow(below.top, box.below)
        found[f"layer {layer}"] = found[f"states {layer}"] = below = box
    return found


def _draw_answers(page: Schematic, last: Box) -> Box:
    """Draw a box for what comes out above a model's last layer, at one height in both models."""
    answers = page.box(last.left, BOTTOM + STEP * MOST_LAYERS + 0.62, 1.5, 0.36, "answers", look="edge")
    page.arrow(last.top, answers.below)
    return answers


def _box_of(boxes: dict[str, Box], kind: str, layer: int) -> Box:
    if kind == "answers":
        return boxes["answers"]
    return boxes[f"{'states' if kind == 'states' else 'layer'} {layer}"]


def _raised(edge: Point, kind: str) -> Point:
    """Where on the edge of its box a line of this kind begins."""
    return edge[0], edge[1] + RISES[kind]


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
    if not 1 <= len(lessons) <= 6 or min(layers) < 1 or max(layers) > MOST_LAYERS:
        raise ValueError(f"Give one to six lessons, and models of 1 to {MOST_LAYERS} layers.")
    for lesson in lessons:
        first = 0 if lesson.kind in ("states", "answers") else 1
        if not (first <= lesson.teacher <= layers[0] and first <= lesson.student <= layers[1]):
            raise ValueError(f"{lesson} names a layer that is not there: the models have {layers} layers.")
