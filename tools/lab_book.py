"""The lab book: every record as tables, and what papers claim beside what came out here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any

from lib.records import record
from lib.records.table import Run, Table
from studies.claims import CLAIMS, SHRINKINGS, beside, times

MOST_SCORES = 3  # of an arm, the first that its study measures
OPENING = """# The lab book

Every experiment that the course recorded, made by `python course.py records book` from `data/records`. The
notebooks tell what a reader needs of them; here stands the rest. A number is the mean over seeds, with the
lowest and the highest seed behind it. *Resolved* is what
[notebook 12](../notebooks/12_pretraining.ipynb) calls so: seed by seed, the mean of the differences is larger
than their range. A run that collapsed tests nothing.
"""


def page() -> str:
    """The whole page, in Markdown."""
    return "\n".join([OPENING, *_claims(), *(line for name in record.names() for line in _study(name))])


def _claims() -> Iterator[str]:
    yield "## In print and here\n"
    yield "Points. Models, tasks and lengths of training differ, so only the sign is compared.\n"
    yield "| claim | source | published | task | here | verdict |\n|---|---|---:|---|---:|---|"
    for order in CLAIMS:
        published, here, verdict = beside(order)
        yield f"| {order.says} | {order.source} | {published} | {order.task} | {here} | {verdict} |"
    yield "\nTimes smaller or faster than the whole model, which is BERT-base there and MiniLM here.\n"
    yield "| claim | source | published | here |\n|---|---|---:|---:|"
    for claim in SHRINKINGS:
        yield f"| {claim.says} | {claim.source} | {claim.published:g} | {times(claim):.1f} |"
    yield ""


def _study(name: str) -> Iterator[str]:
    runs = record.table(name)
    yield f"## {name}\n\n{record.about(name)}.\n"
    for task in runs.tasks():
        yield f"### {name}: {task}\n"
        yield from _table(runs, task)
        yield ""


def _table(runs: Table, task: str) -> Iterator[str]:
    by_arm = {arm: runs.runs(task, arm) for arm in runs.arms(task)}
    scores = _scores(list(by_arm.values()))
    yield f"| arm | {' | '.join([*scores, 'seeds'])} |\n|---|{'---:|' * (len(scores) + 1)}"
    for arm, rows in by_arm.items():
        cells = [
            _mean_and_range([row.scores[score] for row in rows if _is_number(row.scores.get(score))])
            for score in scores
        ]
        yield f"| {arm} | {' | '.join(cells)} | {len(rows)} |"


def _scores(arms: Sequence[Sequence[Run]]) -> list[str]:
    """The names of the numbers that most arms have, the most frequent first."""
    counts: dict[str, int] = {}
    for rows in arms:
        for score, value in rows[0].scores.items():
            if _is_number(value):
                counts[score] = counts.get(score, 0) + 1
    return sorted(counts, key=lambda score: -counts[score])[:MOST_SCORES]


def _is_number(value: Any) -> bool:
    """Whether a score is one number: others are lists, one for each layer or design."""
    return isinstance(value, int | float)


def _mean_and_range(values: Sequence[float]) -> str:
    if not values:
        return ""
    middle, low, high = mean(values), min(values), max(values)
    return f"{middle:.4g}" if low == high else f"{middle:.4g} ({low:.4g} to {high:.4g})"
