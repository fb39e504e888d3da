"""The GLUE leaderboard's score (Wang et al., 2019), two boards as lectures printed them, and what tasks hide.

"GLUE score" has three meanings in lectures: the server's, here `glue_score`; the BERT paper's, which leaves
WNLI out and counts MNLI twice, `paper_average`; and one of tables that print MNLI-m alone.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

Score = float | tuple[float, float]
Row = dict[str, Score]
Board = dict[str, tuple[float, Row]]

COLUMNS = ("CoLA", "SST-2", "MRPC", "STS-B", "QQP", "MNLI-m", "MNLI-mm", "QNLI", "RTE", "WNLI", "AX")
TASKS = ("CoLA", "SST-2", "MRPC", "STS-B", "QQP", "MNLI", "QNLI", "RTE", "WNLI")
PEOPLE = "people"


def _row(printed: float, text: str) -> tuple[float, Row]:
    """The score that the board prints, and its row; a pair is written 94.0/92.0, nothing as -."""
    row: Row = {}
    for column, cell in zip(COLUMNS, text.split(), strict=True):
        if cell != "-":
            first, *second = [float(number) for number in cell.split("/")]
            row[column] = (first, second[0]) if second else first
    return printed, row


#: as printed in a lecture of March 2020 (Wu, slide 27); the page is dated 2020/03/05
MARCH_2020: Board = {
    "StructBERT": _row(90.3, "75.3 97.1 93.9/91.9 93.0/92.5 74.8/91.0 90.9 90.7 96.4 90.2 94.5 49.1"),
    "T5": _row(90.3, "71.6 97.5 92.8/90.4 93.1/92.8 75.1/90.6 92.2 91.9 96.9 92.8 94.5 53.1"),
    "ERNIE": _row(90.1, "72.8 97.5 93.2/91.0 92.9/92.5 75.2/90.8 91.2 90.8 96.1 90.9 94.5 49.4"),
    "MT-DNN-SMART": _row(89.9, "69.5 97.5 93.7/91.6 92.9/92.5 73.9/90.2 91.0 90.8 99.2 89.7 94.5 50.2"),
    "FreeLB-RoBERTa": _row(88.4, "68.0 96.8 93.1/90.8 92.3/92.1 74.8/90.3 91.1 90.7 95.6 88.7 89.0 50.1"),
    "HIRE-RoBERTa": _row(88.3, "68.6 97.1 93.0/90.7 92.4/92.0 74.3/90.2 90.7 90.4 95.5 87.9 89.0 49.3"),
    "RoBERTa": _row(88.1, "67.8 96.7 92.3/89.8 92.2/91.9 74.3/90.2 90.8 90.2 95.4 88.2 89.0 48.7"),
    "MT-DNN": _row(87.6, "68.4 96.5 92.7/90.3 91.1/90.7 73.7/89.9 87.9 87.4 96.0 86.3 89.0 42.8"),
    PEOPLE: _row(87.1, "66.4 97.8 86.3/80.8 92.7/92.6 59.5/80.4 92.0 92.8 91.2 93.6 95.9 -"),
    "Snorkel MeTaL": _row(83.2, "63.8 96.2 91.5/88.5 90.1/89.7 73.1/89.9 87.6 87.2 93.9 80.9 65.1 39.9"),
}
#: as printed in a lecture of April 2021 (Xu, slide 4), the first ten
APRIL_2021: Board = {
    "ALBERT+DAAF+NAS": _row(90.6, "73.5 97.2 94.0/92.0 93.0/92.4 76.1/91.0 91.6 91.3 97.5 91.7 94.5 51.2"),
    "ERNIE": _row(90.4, "74.4 97.5 93.5/91.4 93.0/92.6 75.2/90.9 91.4 91.0 96.6 90.9 94.5 51.7"),
    "StructBERT": MARCH_2020["StructBERT"],
    "T5": MARCH_2020["T5"],
    "MT-DNN-SMART": MARCH_2020["MT-DNN-SMART"],
    "ELECTRA": _row(89.4, "71.7 97.1 93.1/90.7 92.9/92.5 75.6/90.8 91.3 90.8 95.8 89.8 91.8 50.7"),
    "NEZHA": _row(88.7, "67.4 97.2 93.2/91.0 92.2/91.6 74.1/90.2 90.8 90.2 95.7 88.5 93.2 45.0"),
    "FreeLB-RoBERTa": MARCH_2020["FreeLB-RoBERTa"],
    "HIRE-RoBERTa": MARCH_2020["HIRE-RoBERTa"],
    "RoBERTa": MARCH_2020["RoBERTa"],
}
#: rows of the test sets, MNLI's two together (data card of nyu-mll/glue on the hub)
TEST_ROWS = {
    "CoLA": 1063, "SST-2": 1821, "MRPC": 1725, "STS-B": 1379, "QQP": 390_965, "MNLI": 19_643, "QNLI": 5463,
    "RTE": 3000, "WNLI": 146,
}  # fmt: skip
PAPER_COLUMNS = ("MNLI-m", "MNLI-mm", "QQP", "QNLI", "SST-2", "CoLA", "STS-B", "MRPC", "RTE")
#: test rows of the BERT paper's table 1 (Devlin et al., 2019): F1 for QQP and MRPC, MNLI in two columns
PAPER: dict[str, tuple[float, Row]] = {
    name: (printed, dict(zip(PAPER_COLUMNS, row, strict=True)))
    for name, printed, row in (
        ("OpenAI GPT", 75.1, (82.1, 81.4, 70.3, 87.4, 91.3, 45.4, 80.0, 82.3, 56.0)),
        ("BERT-base", 79.6, (84.6, 83.4, 71.2, 90.5, 93.5, 52.1, 85.8, 88.9, 66.4)),
        ("BERT-large", 82.1, (86.7, 85.9, 72.1, 92.7, 94.9, 60.5, 86.5, 89.3, 70.1)),
    )
}  # fmt: skip
#: by the first version of the BERT paper's abstract (2018): 80.4, 7.6 points above the best before
RACE_BEGINS = {"best before BERT": 72.8, "BERT-large": 80.4}


def glue_score(row: Row) -> float:
    """The server's score: the mean over the tasks that the row has, each counted once.

    row: by column, a number or a tuple of two. A tuple counts with its mean, MNLI-m and MNLI-mm are one task,
    and AX counts nowhere.
    """
    scores = {}
    for column, score in row.items():
        if isinstance(score, tuple):
            score = sum(score) / 2
        scores[column] = score
    scores.pop("AX", None)
    if "MNLI-m" in scores:
        scores["MNLI"] = (scores.pop("MNLI-m") + scores.pop("MNLI-mm")) / 2
    return sum(scores.values()) / len(scores)


def paper_average(row: Row) -> float:
    """The BERT paper's: no WNLI, and MNLI's two columns count as two tasks; a tuple counts with its first."""
    firsts = [score[0] if isinstance(score, tuple) else score for column, score in row.items()
              if column not in ("WNLI", "AX")]  # fmt: skip
    return sum(firsts) / len(firsts)


def validate_row(name: str, row: Mapping[str, Score]) -> None:
    """ValueError where a row has a column that GLUE hasn't, half of MNLI, or nothing that counts."""
    if strange := [column for column in row if column not in COLUMNS]:
        raise ValueError(
            f"{name} has the column {strange[0]!r}, which GLUE has not: use {', '.join(COLUMNS)}."
        )
    if ("MNLI-m" in row) != ("MNLI-mm" in row):
        raise ValueError(f"{name} has one half of MNLI: give MNLI-m and MNLI-mm, or neither.")
    if not set(row) - {"AX"}:
        raise ValueError(f"{name} has no score that counts: give a task besides AX.")


def without(row: Row, task: str) -> Row:
    """The row without a task; "MNLI" takes both of its columns."""
    columns = ("MNLI-m", "MNLI-mm") if task == "MNLI" else (task,)
    if not any(column in row for column in columns):
        raise ValueError(f"There is no {task!r} in this row: use one of {', '.join(TASKS)}.")
    return {column: score for column, score in row.items() if column not in columns}


def by_task(row: Row) -> dict[str, float]:
    """Of each task that counts its one number."""
    numbers = {}
    for task in TASKS:
        columns = [column for column in row if column == task or column.startswith(f"{task}-")]
        numbers[task] = glue_score({column: row[column] for column in columns})
    return numbers


def ranks(scores: Mapping[str, float], *, digits: int = 9) -> dict[str, int]:
    """The place of each, 1 for the highest; equal ones share a place."""
    values: Sequence[float] = [round(score, digits) for score in scores.values()]
    return {name: 1 + sum(other > round(score, digits) for other in values) for name, score in scores.items()}


def save_board(board: Board, path: Path) -> None:
    """Write a board as a spreadsheet would, a number for each task; the last row is the tests' sizes."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", *TASKS])
        for name, (_, row) in board.items():
            validate_row(name, row)
            writer.writerow([name, *(f"{score:.2f}" for score in by_task(row).values())])
        writer.writerow(["test rows", *(TEST_ROWS[task] for task in TASKS)])
