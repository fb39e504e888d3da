"""The recorded scores on public sets, beside scores that others published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lib.records.table import Table


def beside_published(table: Table, published: Mapping[tuple[str, str], float | str]) -> dict[str, list[Any]]:
    """The columns of a table with a row for each set and metric, such as ("MRPC", "f1"); scores times 100.

    table: that of "public_sets". published: of each set and metric the score that somebody published, or "".
    """
    columns: dict[str, list[Any]] = {
        "set: score": [],
        "rows to learn from": [],
        "counting": [],
        "MiniLM": [],
        "lowest to highest seed": [],
        "published": [*published.values()],
    }
    for name, metric in published:
        reached = [100 * score for score in table.values(name, "MiniLM", metric)]
        cells = (
            f"{name}: {'exact match' if metric == 'exact' else metric.replace('f1', 'F1')}",
            table.values(name, "MiniLM", "rows")[0],
            100 * table.values(name, "baseline", metric)[0],
            sum(reached) / len(reached),
            f"{min(reached):.1f} to {max(reached):.1f}",
        )
        for column, cell in zip(columns.values(), cells, strict=False):
            column.append(cell)
    return columns
