"""Two rows of GLUE, as a keynote prints them (ROCLING 2020, slide 70, from Sanh, 2019): one number a task."""

from collections.abc import Sequence

#: development scores; where a task has two, their mean
BERT = {
    "CoLA": 55.8, "MNLI": 83.9, "MRPC": 88.4, "QNLI": 91.1, "QQP": 89.3, "RTE": 68.6, "SST-2": 92.1,
    "STS-B": 88.8, "WNLI": 43.7,
}  # fmt: skip
DISTILBERT = {
    "CoLA": 42.5, "MNLI": 81.35, "MRPC": 85.35, "QNLI": 85.5, "QQP": 89.15, "RTE": 60.0, "SST-2": 92.7,
    "STS-B": 84.75, "WNLI": 55.6,
}  # fmt: skip


def validate_left_out(left_out: Sequence[str]) -> None:
    """ValueError where a task is unknown, or none is left."""
    if unknown := [task for task in left_out if task not in BERT]:
        raise ValueError(f"There is no task {unknown[0]!r}: use names of {', '.join(BERT)}.")
    if len(set(left_out)) == len(BERT):
        raise ValueError("You leave out every task: keep one at least.")
