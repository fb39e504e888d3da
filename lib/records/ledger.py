"""The ledger as it is recorded: a row for each model on each task, with what it answers and costs.

    ledger_rows()["SST-2"]  # what was measured, then what papers print

Milliseconds of two machines do not compare: `machines` says which one measured the costs of a task.
"""

from __future__ import annotations

from pathlib import Path

from lib.compression.ledger.rows import LedgerRow
from lib.records.record import FOLDER, table
from lib.records.table import Row

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
    """The rows of each task: the runs of a method joined, and then the published ones.

    What a model costs is taken of the first seed. ValueError where the record is damaged or holds no ledger.
    """
    recorded = table("ledger", folder)
    return {
        task: [_joined(recorded.runs(task, method)) for method in recorded.arms(task)]
        + [row for row in PUBLISHED if row.task == task]
        for task in recorded.tasks()
    }


def machines(folder: Path = FOLDER) -> dict[str, str]:
    """Of each task the machine that measured what its models cost."""
    rows = table("ledger", folder).rows
    return {row.task: row.made_with["machine"] for row in rows if "file_bytes" in row.costs}


def _joined(runs: list[Row]) -> LedgerRow:
    first = runs[0]
    if missing := {*COSTS} - first.costs.keys():
        raise ValueError(
            f"The ledger's row of {first.arm!r} on {first.task} has no {min(missing)}: make it anew with "
            "`python course.py records run ledger`, or take the course's own from git."
        )
    metric = next(name for name in first.scores if name != "agreement")
    timed = [run.costs["processor_seconds"] for run in runs if "processor_seconds" in run.costs]
    return LedgerRow(
        method=first.arm,
        task=first.task,
        metric=metric,
        seeds=tuple(run.seed for run in runs),
        scores=tuple(run.scores[metric] for run in runs),
        agreement=tuple(run.scores["agreement"] for run in runs),
        training_cpu_seconds=tuple(timed),
        **{name: first.costs[name] for name in COSTS},
    )
