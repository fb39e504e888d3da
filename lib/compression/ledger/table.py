"""The ledger as Markdown: a table for each task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import mean

from lib.compression.ledger.rows import FAMILIES, SHAPES, LedgerRow

Column = tuple[str, Callable[[LedgerRow], str]]


def ledger_tables(rows: Iterable[LedgerRow]) -> str:
    """A Markdown table for each task, readable as it stands: what was measured, then what is published.

    In each half methods are sorted by family, and within a family the largest file comes first.
    """
    tasks: dict[tuple[str, str], list[LedgerRow]] = {}
    for row in rows:
        tasks.setdefault((row.task, row.metric), []).append(row)
    return "\n\n".join(
        f"**{task}**: {metric} in percent, mean and range over seeds; a / b is for {' / '.join(SHAPES)}"
        f"\n\n{_table(sorted(of_task, key=_place))}"
        for (task, metric), of_task in tasks.items()
    )


def _place(row: LedgerRow) -> tuple[bool, int, int]:
    return row.source is not None, FAMILIES.index(row.family), -(row.file_bytes or 0)


def _table(rows: Sequence[LedgerRow]) -> str:
    columns = _columns(rows)
    lines = [[title for title, _ in columns], *([cell(row) for _, cell in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    ruler = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(
        "| " + " | ".join([f"{first:<{widths[0]}}", *map(str.rjust, others, widths[1:])]) + " |"
        for first, *others in (lines[0], ruler, *lines[1:])
    )


def _columns(rows: Sequence[LedgerRow]) -> list[Column]:
    """The columns, with one for each route by which anything was timed."""
    routes = dict.fromkeys(route for row in rows for route in row.milliseconds)
    return [
        ("method", lambda row: row.method if row.source is None else f"{row.method} [{row.source}]"),
        ("family", lambda row: row.family),
        ("score", lambda row: _percent(row.scores)),
        ("as teacher", lambda row: _percent(row.agreement)),
        ("parameters, M", lambda row: _millions(row.parameters)),
        ("file, MB", lambda row: _millions(row.file_bytes)),
        ("multiply-adds, M", lambda row: " / ".join(_millions(row.multiply_adds.get(s)) for s in SHAPES)),
        *((f"{route}, ms", _timed(route)) for route in routes),
        ("peak memory, MB", lambda row: _millions(row.peak_memory)),
        ("training, CPU-s", lambda row: f"{mean(t):.0f}" if (t := row.processor_seconds) else "–"),
    ]


def _timed(route: str) -> Callable[[LedgerRow], str]:
    def cell(row: LedgerRow) -> str:
        by_shape = row.milliseconds.get(route)
        return " / ".join(f"{by_shape[shape]:.1f}" for shape in SHAPES) if by_shape else "–"

    return cell


def _percent(shares: Sequence[float]) -> str:
    """Such as "80.9 (80.1 to 81.6)", or "80.9" of one run."""
    if not shares:
        return "–"
    spread = f" ({100 * min(shares):.1f} to {100 * max(shares):.1f})" if len(shares) > 1 else ""
    return f"{100 * mean(shares):.1f}{spread}"


def _millions(number: int | None) -> str:
    """Two decimals below 10 M, one below 1,000 M, and none above."""
    if number is None:
        return "–"
    return f"{number / 1e6:,.{2 if number < 1e7 else 1 if number < 1e9 else 0}f}"
