"""A schematic of the idea of BERT: pretrain once on plain text, fine-tune a copy for each task."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TASKS = 4
ROW = 1.0  # inches for a task
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
    height = ROW * len(tasks) + 0.8  # of the two frames
    middle = (height - 0.35) / 2
    page = Schematic(9.2, height + 0.35)
    page.text(0.1, height + 0.15, TITLE, ha="left", fontsize=12, weight="bold")
    page.frame(0.1, 0.1, 3.45, height - 0.2, "pretrain: once, without labels")
    page.frame(4.05, 0.1, 5.05, height - 0.2, "fine-tune: a copy for each task, with labels")
    text = page.box(0.25, middle - 0.75, 2.0, 0.6, "plain text", corpus)
    model = page.box(1.1, middle + 0.35, 2.3, 0.6, "BERT", parameters, look="lit")
    page.arrow(text.top, (text.top[0], middle + 0.35))
    page.text(text.top[0] + 0.15, middle + 0.1, "guess hidden words", ha="left", fontsize=10)
    for number, task in enumerate(tasks):
        bottom = height - 0.55 - ROW * (number + 1) + 0.2
        copy = page.box(4.3, bottom, 2.3, 0.65, f"BERT, copy {number + 1}", task.examples, look="tint")
        head = page.box(7.15, bottom, 1.8, 0.65, "new output head", task.answer)
        page.arrow(model.east, (3.8, model.east[1]), (3.8, copy.west[1]), copy.west)
        page.arrow(copy.east, head.west)
        page.text(copy.left, bottom + 0.79, task.name, ha="left", fontsize=10)
    return page.figure


def describe_transfer(corpus: str, parameters: str, tasks: Sequence[Task]) -> str:
    """Say in words what `draw_transfer` shows."""
    _check_number(tasks)
    copies = " ".join(
        f"Copy {number}: {task.name}, {task.examples}, and the head answers: {task.answer}"
        for number, task in enumerate(tasks, start=1)
    )
    return (
        f"{TITLE}. Left, pretraining: once, without labels, BERT with {parameters} learns to guess hidden "
        f"words in {corpus} of plain text. Right, fine-tuning: an arrow leads from BERT to each of "
        f"{len(tasks)} copies, and each copy gets a new output head and labeled examples. {copies}"
    )


def _check_number(tasks: Sequence[Task]) -> None:
    if not 2 <= len(tasks) <= MOST_TASKS:
        raise ValueError(f"There are {len(tasks)} tasks; the drawing takes 2 to {MOST_TASKS}.")
