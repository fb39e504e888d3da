"""The ledger as it is recorded: a row for each model on each task, with what it answers and costs.

    ledger_rows()["SST-2"]  # what was measured, then what papers print

On headlines and SST-2 a row joins two records: what a method answers, from the study that trained it, and
what its model costs, which the study `ledger` weighs and times once, on headlines. (With SST-2's two classes
a file is 11 kB smaller.) Milliseconds of two machines do not compare: `machines` says which one measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lib.compression.ledger.rows import LedgerRow
from lib.records.record import FOLDER, table
from lib.records.table import Run


class Method(NamedTuple):
    """A way to make MiniLM small: the notebook that teaches it, and where its costs and answers stand."""

    name: str
    notebook: str
    costs: str  # the arm of the record `ledger`
    answers: Mapping[str, tuple[str, str]]  # by task the record and its arm
    score: str = "accuracy"  # under which name the record has what counts


def on_both(record: str, arm: str) -> dict[str, tuple[str, str]]:
    """The answers of an arm that a record has under one name on both tasks."""
    return dict.fromkeys(("headlines", "SST-2"), (record, arm))


#: in the order in which the course builds them
METHODS = (
    Method("TF-IDF", "19", "TF-IDF", on_both("ledger", "TF-IDF")),
    Method("MiniLM", "19", "MiniLM", on_both("ledger", "MiniLM")),
    Method("16 bits", "19", "MiniLM, 16 bits", on_both("ledger", "MiniLM, 16 bits")),
    Method("8 bits, onnxruntime", "20", "onnxruntime int8", on_both("ledger", "onnxruntime int8")),
    Method("4 bits", "20", "4 bits per row", on_both("bits", "all, row, 4 bits")),
    Method("3 bits, trained", "20", "3 bits per row", on_both("bits", "3 bits per row")),
    Method(
        "3 layers, taught", "21", "3 layers",
        {
            "headlines": ("distilled_answers", "cut, answers on unlabeled"),
            "SST-2": ("ledger", "3 layers cut, answers"),
        },
    ),
    Method(
        "2 x 128, taught", "21", "2 x 128",
        {"headlines": ("distilled_answers", "temperature 1"), "SST-2": ("ledger", "2 x 128, answers")},
    ),
    Method("2 x 192, inside", "22", "2 x 192", {"headlines": ("distilled_inside", "states")}),
    Method("GOBO, 3 bits", "25", "GOBO, 3 bits", on_both("choosing_bits", "GOBO, 3 bits")),
    Method(
        "70% zeros, trained", "26", "70% zeros",
        {
            "headlines": ("pruned_weights", "magnitude 0.7"),
            "SST-2": ("pruned_weights", "all phrases, magnitude 0.7"),
        },
    ),
    Method(
        "90% zeros, trained", "26", "90% zeros",
        {
            "headlines": ("pruned_weights", "long, magnitude 0.9"),
            "SST-2": ("pruned_weights", "all phrases, magnitude 0.9"),
        },
    ),
    Method(
        "half of the heads and neurons", "27", "half of heads and neurons",
        {"SST-2": ("pruned_structure", "half of heads and neurons, importance")},
    ),
    Method(
        "3 of 6 layers, LayerDrop", "28", "3 layers",
        {
            "headlines": ("elastic", "LayerDrop 0.2, 3 layers"),
            "SST-2": ("elastic", "LayerDrop 0.2, 3 layers, last kept"),
        },
    ),
    Method(
        "a quarter of the width", "28", "a quarter of the width",
        on_both("elastic", "widths, important first, 0.25 x 1"),
    ),
    Method(
        "three values, taught", "29", "ternary",
        on_both("ternary_binary", "ternary, answers, states and scores"),
    ),
    Method("one bit, taught", "30", "binary", on_both("ternary_binary", "binary, whole width")),
    Method(
        "one layer, six times", "31", "1 layer, six times",
        {"headlines": ("sharing", "1 layer, six times, 600 steps")},
    ),
    Method(
        "two factors, taught", "31", "two factors of rank 128",
        {"headlines": ("sharing", "both, 100 steps")},
    ),
    Method(  # costs are those of the first seed's; the rows that chose a design don't judge it
        "best design of each seed", "32", "4 layers of half the width",
        on_both("small_designs", "best, trained on"), "second_half",
    ),
    Method(
        "floppy disk", "33", "floppy disk",
        {"headlines": ("floppy", "3 x 1/4, 2 bits, words 3, bags beside")},
    ),
    Method("bags in 360 kB", "33", "disk of 360 kB", {"headlines": ("floppy", "rival, 360 kB")}),
    Method("bags in 100 kB", "33", "disk of 100 kB", {"headlines": ("floppy", "rival, 100 kB")}),
)  # fmt: skip
COSTS = ("family", "parameters", "file_bytes", "multiply_adds", "milliseconds", "peak_memory")
PUBLISHED = (
    LedgerRow(
        method="BERT-base, 8 bits, Q8BERT", family="quantization", task="SST-2", metric="accuracy",
        source="Zafrir et al., 2019, table 1", scores=(0.9224,),
    ),
    LedgerRow(
        method="BERT-base, 8 bits, Q8BERT", family="quantization", task="SQuAD 1.1", metric="f1",
        source="Zafrir et al., 2019, table 1", scores=(0.8774,),
    ),
    LedgerRow(
        method="DistilBERT, distilled twice", family="distillation", task="SQuAD 1.1", metric="f1",
        source="Sanh et al., 2019, table 2", scores=(0.869,),
    ),
)  # fmt: skip


def ledger_rows(folder: Path = FOLDER) -> dict[str, list[LedgerRow]]:
    """The rows of each task: what was measured, and then what papers print.

    What a model costs is taken of the first seed. ValueError where a record is damaged, or lacks a row.
    """
    recorded = table("ledger", folder)
    rows: dict[str, list[LedgerRow]] = {
        task: [_row_of(method, task, folder) for method in METHODS if task in method.answers]
        for task in ("headlines", "SST-2")
    }
    for task in recorded.tasks():
        if task not in rows:
            rows[task] = [
                _joined(method, runs, runs[0].costs)
                for method in recorded.arms(task)
                for runs in [recorded.runs(task, method)]
            ]
    return {task: some + [row for row in PUBLISHED if row.task == task] for task, some in rows.items()}


def _row_of(method: Method, task: str, folder: Path) -> LedgerRow:
    record, arm = method.answers[task]
    costs = table("ledger", folder).runs("headlines", method.costs)[0].costs
    runs = table(record, folder).runs(task, arm)
    judged = [replace(run, scores=run.scores | {"accuracy": run.scores[method.score]}) for run in runs]
    return _joined(method.name, judged, costs)


def machines(folder: Path = FOLDER) -> dict[str, str]:
    """Of each task the machine that measured what its models cost."""
    rows = table("ledger", folder).rows
    return {row.task: row.made_with["machine"] for row in rows if "file_bytes" in row.costs}


def _joined(method: str, runs: list[Run], costs: Mapping[str, Any]) -> LedgerRow:
    """A row of what was answered by each seed, and what the first one's model costs."""
    task, scores = runs[0].task, runs[0].scores
    if missing := {*COSTS} - costs.keys():
        raise ValueError(
            f"The ledger's row of {method!r} on {task} has no {min(missing)}: make it anew with "
            "`python course.py records run ledger`, or take the course's own from git."
        )
    metric = next(name for name in ("accuracy", "f1") if name in scores)
    timed = [run.costs["processor_seconds"] for run in runs if "processor_seconds" in run.costs]
    return LedgerRow(
        method=method,
        task=task,
        metric=metric,
        seeds=tuple(run.seed for run in runs),
        scores=tuple(run.scores[metric] for run in runs),
        agreement=tuple(run.scores["agreement"] for run in runs if "agreement" in run.scores),
        processor_seconds=tuple(timed),
        **{name: costs[name] for name in COSTS},
    )
