"""The score of a leaderboard: which columns are one task, and which is none."""

from collections.abc import Iterator

import torch

from chapters.nb37 import glue
from lib.exercises.spec import Exercise, Mistake, edit

PAIR = "isinstance(score, tuple)"
MEAN = "score = sum(score) / 2"
AX = '    scores.pop("AX", None)\n'
MNLI = '(scores.pop("MNLI-m") + scores.pop("MNLI-mm")) / 2'
OUT = '    if len(scores) > 1:\n        scores.pop("WNLI", None)\n'
LAST = "sum(scores.values()) / len(scores)"


def cases(seed: int) -> Iterator[tuple[glue.Row]]:
    """The row of the text; a whole board's row; rows without MNLI, without AX, of one task, in any order."""
    yield ({"MRPC": (90.0, 80.0), "RTE": 70.0},)
    yield ({"MRPC": (90.0, 80.0), "MNLI-m": 91.0, "MNLI-mm": 89.0, "RTE": 70.0, "AX": 50.0},)
    yield (dict(glue.MARCH_2020["RoBERTa"][1]),)
    yield (dict(glue.MARCH_2020["people"][1]),)
    yield ({"AX": 40.0, "MNLI-mm": 60.0, "QQP": (50.0, 90.0), "MNLI-m": 80.0, "CoLA": 30.0},)
    yield ({"MNLI-m": 84.0, "MNLI-mm": 83.0},)
    yield ({"STS-B": (88.0, 86.0), "AX": 20.0},)
    yield ({"WNLI": 65.1, "SST-2": 94.0},)
    drawn = torch.rand(14, generator=torch.Generator().manual_seed(seed)).mul(60).add(40).tolist()
    numbers = [round(number, 1) for number in drawn]
    row: glue.Row = dict(zip(reversed(glue.COLUMNS), numbers[3:], strict=True))
    for column, second in zip(("MRPC", "STS-B", "QQP"), numbers[:3], strict=True):
        row[column] = (row[column], second)  # type: ignore[assignment]
    yield (row,)
    yield ({column: row[column] for column in ("WNLI", "QNLI", "MRPC", "AX")},)


# fmt: off
EXERCISE = Exercise(
    name="glue_score", minutes=6, difficulty=1, reference=glue.glue_score, cases=cases, gradients=False,
    tolerance=1e-6,
    alike=[edit("score = sum(score) / 2", "score = (score[0] + score[1]) / 2")],
    mistakes=[
        Mistake("two_tasks", "You count MNLI twice. Its two columns are one task, with the mean of the two.",
            (edit(f'    if "MNLI-m" in scores:\n        scores["MNLI"] = {MNLI}\n', ""),)),
        Mistake("ax_counts", "AX is in your mean. It counts nowhere: leave it out.", edit(AX, "")),
        Mistake("first_of_two", "Of a tuple you take one number. It counts with the mean of the two.",
            (edit(MEAN, "score = score[0]"), edit(MEAN, "score = score[1]"), edit(MEAN, "score ="
                " max(score)"))),
        Mistake("sum_of_two", "You add up the two numbers of a tuple. Take their mean.",
            edit(MEAN, "score = sum(score)")),
        Mistake("half_of_mnli", "You take one column of MNLI. The task counts with the mean of the two.",
            (edit(MNLI, 'scores.pop("MNLI-m") + 0 * scores.pop("MNLI-mm")'),
             edit(MNLI, 'scores.pop("MNLI-mm") + 0 * scores.pop("MNLI-m")'))),
        Mistake("sum_of_mnli", "You add up the two columns of MNLI. Take their mean.",
            edit(MNLI, 'scores.pop("MNLI-m") + scores.pop("MNLI-mm")')),
        Mistake("wnli_left_out", "You leave WNLI out, as the BERT paper does. The server counts it wherever"
            " a row has it.", edit(AX, AX + OUT)),
        Mistake("numbers", "You average over all numbers, so a task with two of them counts twice. First"
            " make one number of each task, then take their mean.",
            lambda row: _flat(row)),
        Mistake("by_nine", "You divide by nine, or by a fixed number. A row may lack tasks: divide by how"
            " many it has.", (edit(LAST, "sum(scores.values()) / 9"), edit(LAST, "sum(scores.values()) /"
            " 10"))),
        Mistake("paper", "That is the BERT paper's average: MNLI twice, no WNLI, the first number of each"
            " tuple. Asked is the server's.", glue.paper_average),
        Mistake("rounded", "You round. Give the number as it is.",
            tuple(edit(LAST, f"round({LAST}, {digits})") for digits in (0, 1, 2))),
    ],
    hints=("First make one number of each task: of a tuple, of MNLI's two columns. Then take their mean.",
           "A dict by task helps: leave AX out, and put the mean of MNLI-m and MNLI-mm under one name, if"
           " the row has them.",
           "return sum(scores.values()) / len(scores), where scores holds one number for each task."),
    why="One number for each task, however many numbers it prints.",
)
# fmt: on


def _flat(row: glue.Row) -> float:
    numbers: list[float] = []
    for column, score in row.items():
        if column != "AX":
            numbers += score if isinstance(score, tuple) else [score]
    return sum(numbers) / len(numbers)
