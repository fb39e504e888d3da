"""A schematic of the idea of BERT: pretrain once on plain text, fine-tune a copy for each task."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TASKS = 4
ROW = 0.95  # inches for a task
TITLE = "Pretrain once, fine-tune a copy for each task"


class Task(NamedTuple):
    """A task that a pretrained model is fine-tuned for."""

    name: str  # what goes in, such as "film reviews"
    examples: str  # how many labeled ones there are, such as "67,000 labeled"
    answer: str  # what the new output head is asked, such as "good or bad?"


def draw_transfer(corpus: str, parameters: str, tasks: Sequence[Task]) -> "Figure":
    """Draw pretraining, from a corpus to a model, and a fine-tuned copy of that model for each task.

    `corpus` and `parameters` say how large the text and the model are ("3,300 million words"). Takes 2 to 4
    tasks and raises a ValueError for another number.
    """
    _check_number(tasks)
    height = ROW * len(tasks) + 0.65  # of the two frames
    middle = (height - 0.3) / 2
    page = Schematic(10.4, height + 0.35)
    page.text(0.1, height + 0.15, TITLE, ha="left", fontsize=12, weight="bold")
    page.frame(0.1, 0.1, 2.7, height - 0.2, "pretrain: once, no labels")
    page.frame(3.3, 0.1, 7.0, height - 0.2, "fine-tune: a copy for each task, with labels")
    text = page.box(0.3, middle - 1.1, 2.3, 0.55, "plain text", corpus)
    model = page.box(0.3, middle - 0.27, 2.3, 0.55, "BERT", parameters, look="lit")
    old_head = page.box(0.3, middle + 0.56, 2.3, 0.55, "output head", "which word is hidden?")
    page.arrow(text.top, model.below)
    page.arrow(model.top, old_head.below)
    trunk = 3.05  # where the line from the model forks
    for number, task in enumerate(tasks):
        bottom = height - 0.5 - ROW * (number + 1) + 0.1
        data = page.box(3.5, bottom, 2.7, 0.6, task.name, task.examples)
        copy = page.box(6.5, bottom, 1.4, 0.6, "BERT", f"copy {number + 1}", look="tint")
        head = page.box(8.2, bottom, 1.95, 0.6, "new output head", task.answer)
        above = bottom + 0.76
        page.arrow(model.east, (trunk, model.east[1]), (trunk, above), (copy.top[0], above), copy.top)
        page.arrow(data.east, copy.west)
        page.arrow(copy.east, head.west)
    return page.figure


def describe_transfer(corpus: str, parameters: str, tasks: Sequence[Task]) -> str:
    """Say in words what `draw_transfer` shows."""
    _check_number(tasks)
    copies = " ".join(
        f"Copy {number}: {task.name}, {task.examples}, and the head answers: {task.answer}"
        for number, task in enumerate(tasks, start=1)
    )
    return (
        f"{TITLE}. Left, pretraining: once, without labels, BERT with {parameters} reads {corpus} of plain "
        "text, and an output head on top of it answers: which word is hidden? Right, fine-tuning: arrows "
        f"lead from BERT to {len(tasks)} copies, without that head; each copy gets labeled examples and a "
        f"new output head. {copies}"
    )


def _check_number(tasks: Sequence[Task]) -> None:
    if not 2 <= len(tasks) <= MOST_TASKS:
        raise ValueError(f"There are {len(tasks)} tasks; the drawing takes 2 to {MOST_TASKS}.")
