"""Few passes: the plans of notebook 22, section 4, with three seeds, by the functions of its own cells.

`runs.RUNS` holds what this prints, headlines right in percent, in some ten minutes on a quiet core:

    python -m chapters.nb22.few_passes

Words behind it choose plans: `python -m chapters.nb22.few_passes answers` runs those that begin with answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

from chapters.nb22 import NOTEBOOK, earlier, lessons
from lib.bert import WordPieceTokenizer
from lib.compression.distillation.students import new_student
from lib.records import pages, teachers
from lib.text.tasks import own

#: look_inside, compare, batches, learn and right_by_the_teachers_head
CELLS = ("n22-look", "n22-compare", "n22-asked", "n22-learn", "n22-borrow-code")
SEEDS = (0, 1, 2)
ANSWERS, INSIDE = 1e-3, 4e-3  # rates
#: the teacher's pooler and head read what the regressor makes of the student's last state
BY_THE_TEACHERS_HEAD = "states, teacher's head"
#: by name, what a plan learns in turn: a lesson, its passes, and its rate
PLANS: dict[tuple[str, str], list[tuple[str, int, float]]] = {
    ("answers", "0 + 4"): [("answers", 4, ANSWERS)],
    ("answers", "0 + 1"): [("answers", 1, ANSWERS)],
    ("embeddings", "3 + 1"): [("embeddings", 3, INSIDE), ("answers", 1, ANSWERS)],
    ("states", "3 + 1"): [("states", 3, INSIDE), ("answers", 1, ANSWERS)],
    ("scores", "3 + 1"): [("scores", 3, INSIDE), ("answers", 1, ANSWERS)],
    ("relations", "3 + 1"): [("relations", 3, INSIDE), ("answers", 1, ANSWERS)],
    (BY_THE_TEACHERS_HEAD, "3 + 0"): [("states", 3, INSIDE)],
    (BY_THE_TEACHERS_HEAD, "4 + 0"): [("states", 4, INSIDE)],
}


def names_of_the_page() -> dict[str, Any]:
    """What the page has defined once these cells have run, with the course's answers to its exercises."""
    task = teachers.task_named("headlines")
    _, pairs = lessons.places_in_outputs(student_layers=2, teacher_layers=6)
    names: dict[str, Any] = {
        "torch": torch,
        "F": F,
        "tqdm": iter,
        "earlier": earlier,
        "task": task,
        "teacher": teachers.load_teacher("headlines").model.eval(),
        "tokenizer": WordPieceTokenizer.from_pretrained("minilm"),
        "texts": [example.first for example in task.train] + own.unlabeled("headlines"),
        "student_places": [ours for ours, _ in pairs],
        "teacher_places": [theirs for _, theirs in pairs],
        "distance_of_relations": lessons.relation_loss,
    }
    pages.run_cells(NOTEBOOK, CELLS, names)
    return names


def accuracy_of(first: str, plan: list[tuple[str, int, float]], seed: int, names: dict[str, Any]) -> float:
    """What a new student gets right in percent when it has learned its plan, which is called first."""
    learn: Callable[..., None] = names["learn"]
    student = new_student(names["teacher"], seed=seed, hidden_size=192, num_attention_heads=12)
    regressor = torch.nn.Linear(192, 384)
    for lesson, passes, rate in plan:
        learn(student, regressor, lesson, passes, rate, seed)
    if first == BY_THE_TEACHERS_HEAD:
        return 100 * float(names["right_by_the_teachers_head"](student, regressor))
    return 100 * earlier.accuracy(student, names["tokenizer"], names["task"].test)


def main(chosen: list[str]) -> None:
    """Print for each plan what came out, seed by seed."""
    torch.set_num_threads(1)
    names = names_of_the_page()
    for (first, passes), plan in PLANS.items():
        if not chosen or first in chosen or f"{first} {passes}" in chosen:
            found = [round(accuracy_of(first, plan, seed, names), 1) for seed in SEEDS]
            print(f'    ("{first}", "{passes}"): {found},', flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
