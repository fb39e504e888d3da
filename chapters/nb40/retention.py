"""How much of a teacher's performance a student keeps, and over which tasks."""

from collections.abc import Iterator

import torch

from chapters.nb40 import tables
from chapters.nb40.sums import retention
from lib.exercises.spec import Exercise, Mistake, edit


def cases(seed: int) -> Iterator[tuple[dict[str, float], dict[str, float], list[str]]]:
    """Two tasks, one of them left out, a keynote's table, tasks in other orders, one task, drawn scores."""
    yield {"CoLA": 40.0, "SST-2": 90.0}, {"CoLA": 50.0, "SST-2": 90.0}, []
    yield {"CoLA": 40.0, "SST-2": 90.0, "RTE": 60.0}, {"CoLA": 50.0, "SST-2": 90.0, "RTE": 64.0}, ["CoLA"]
    yield dict(tables.DISTILBERT), dict(tables.BERT), []
    yield dict(tables.DISTILBERT), dict(tables.BERT), ["WNLI", "CoLA"]
    yield {"b": 30.0, "c": 80.0, "a": 20.0}, {"a": 25.0, "b": 60.0, "c": 75.0}, ["b"]
    yield {"b": 66.0, "a": 20.0}, {"a": 25.0, "b": 60.0}, ["a"]
    yield {"a": 20.0}, {"a": 25.0}, []
    drawn = torch.rand(12, generator=torch.Generator().manual_seed(seed)).mul(60).add(30).tolist()
    names = "fbdace"
    student = dict(zip(names, drawn[:6], strict=True))
    teacher = dict(zip(sorted(names), drawn[6:], strict=True))
    yield student, teacher, []
    yield student, teacher, ["e", "b"]


def _mean_of_ratios(student: dict[str, float], teacher: dict[str, float], left_out: list[str]) -> float:
    shares = [100 * student[task] / teacher[task] for task in teacher if task not in left_out]
    return sum(shares) / len(shares)


KEPT = "        if task not in left_out:\n"
STUDENT = "            of_student.append(student[task])\n"
TEACHER = "            of_teacher.append(teacher[task])\n"
RETURN = "100 * (sum(of_student) / len(of_student)) / (sum(of_teacher) / len(of_teacher))"

# fmt: off
EXERCISE = Exercise(
    name="retention", minutes=6, difficulty=1, reference=retention, cases=cases, gradients=False,
    tolerance=1e-6,
    alike=[edit(RETURN, "100 * sum(of_student) / sum(of_teacher)")],
    mistakes=[
        Mistake("mean_of_ratios", "You take a ratio for each task, then their mean. Asked is one ratio: of"
            " the student's mean to the teacher's.", _mean_of_ratios),
        Mistake("all_tasks", "You count all tasks. Those in left_out count on neither side.",
            edit(KEPT, "        if True:\n")),
        Mistake("left_out_of_one_side", "You leave tasks out of one of the two means only. Both need the same"
            " tasks.", (edit(KEPT + STUDENT + TEACHER, STUDENT.replace("    " * 3, "    " * 2, 1) + KEPT
            + TEACHER), edit(KEPT + STUDENT + TEACHER, TEACHER.replace("    " * 3, "    " * 2, 1) + KEPT
            + STUDENT))),
        Mistake("only_left_out", "You count the tasks that were to be left out, and those alone.",
            lambda student, teacher, left_out: _only(student, teacher, left_out)),
        Mistake("fraction", "You give a fraction. Asked are percent, 100 where the student is as good.",
            edit("100 * (sum", "(sum")),
        Mistake("turned", "You give the teacher in percent of the student. It is the other way round.",
            edit(RETURN, "100 * (sum(of_teacher) / len(of_teacher)) / (sum(of_student) / len(of_student))")),
        Mistake("difference", "You subtract. Asked is how much is kept: the student's mean in percent of the"
            " teacher's.", edit(RETURN, "sum(of_student) / len(of_student) - sum(of_teacher) /"
            " len(of_teacher)")),
        Mistake("percent_lost", "You give what is lost, in percent. Asked is what is kept.",
            (edit("return 100 *", "return 100 - 100 *"), edit("return 100 *", "return -100 + 100 *"))),
        Mistake("by_position", "You pair the tasks by their place. The two dicts may have them in different"
            " orders: look each up by its name.", lambda student, teacher, left_out: retention(
                dict(zip(teacher, student.values(), strict=True)), teacher, left_out)),
        Mistake("rounded", "You round. Give the number as it is.",
            tuple(edit(RETURN, f"round({RETURN}, {digits})") for digits in (0, 1, 2))),
    ],
    hints=("Two means over the same tasks, then one ratio.",
           "Go through the tasks of one dict, skip those in left_out, and look each up in both dicts.",
           "return 100 * (sum(of_student) / len(of_student)) / (sum(of_teacher) / len(of_teacher))"),
    why="Whoever chooses the tasks chooses part of the number.",
)
# fmt: on


def _only(student: dict[str, float], teacher: dict[str, float], left_out: list[str]) -> float:
    tasks = left_out or list(teacher)
    return 100 * sum(student[task] for task in tasks) / sum(teacher[task] for task in tasks)
