"""Tables of text and numbers, rendered by the page instead of printed."""

from collections.abc import Mapping, Sequence
from html import escape
from numbers import Real
from typing import Any

MOST_ROWS = 12


class HtmlTable:
    """A table as one output of a cell: HTML for the page, aligned text for everything else."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], caption: str, digits: int) -> None:
        self.caption = caption
        self.header = list(columns)
        rows = list(zip(*columns.values(), strict=True))
        self.rows = [[_written(value, digits) for value in row] for row in rows]
        self.is_number = [all(_is_number(value) for value in column) for column in columns.values()]

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        lines = []
        for row in [self.header, *self.rows]:
            cells = zip(row, widths, self.is_number, strict=True)
            lines.append("  ".join(f"{c:>{w}}" if number else f"{c:<{w}}" for c, w, number in cells).rstrip())
        return "\n".join([self.caption, *lines])

    def _repr_html_(self) -> str:
        sides = ["right" if number else "left" for number in self.is_number]
        head = "".join(
            f'<th scope="col" style="text-align:{side}">{escape(name)}</th>'
            for name, side in zip(self.header, sides, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(
                f'<td style="text-align:{side}">{escape(c)}</td>' for c, side in zip(row, sides, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        return (
            f'<table><caption style="text-align:left">{escape(self.caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def show_table(columns: Mapping[str, Sequence[Any]], caption: str, digits: int = 2) -> None:
    """Display a table: a name and a list of values for each column, the caption over it.

    Whole numbers get thousands' commas, other numbers `digits` decimals; text is written as it is, so a
    column of percentages is given as text (`f"{share:.0%}"`). More than twelve rows, or columns of
    unequal length, raise a ValueError.
    """
    from IPython.display import display

    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(f"The columns need one length, at least one column; they have {lengths}.")
    if max(lengths.values()) > MOST_ROWS:
        raise ValueError(f"A table of more than {MOST_ROWS} rows is hard to read: draw it instead.")
    display(HtmlTable(columns, caption, digits))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _written(value: Any, digits: int) -> str:
    if not _is_number(value):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
