"""The cells of a text with separators, CSV and TSV, in the dialects that spreadsheets and libraries write."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
DECLARED = re.compile(r'"?sep=([,;|\t])"?\s*?\n', re.IGNORECASE)  # how Excel is told the separator
MARKED = {"quoting": csv.QUOTE_MINIMAL}
SPACED = MARKED | {"skipinitialspace": True}  # a space follows each separator
BACKSLASHED = MARKED | {"escapechar": "\\"}
UNMARKED = {"quoting": csv.QUOTE_NONE}
LINES = re.compile(r"[^\n]*(\n[^\n]+){2,}")  # three or more, without a blank one

Row = tuple[int, list[str]]  # the line that it begins in, and its cells; none where it cannot be read


class Cells(NamedTuple):
    """A header, the rows below it, and how they were told apart."""

    header: list[str]
    rows: list[Row]
    separator: str  # "commas"
    marks: str  # how quotation marks are written, "" where they stand around texts
    remarks: list[str]


def read_cells(text: str, columns: Sequence[str]) -> Cells:
    """The cells of a text whose header, cut at its separator, has the columns that are asked for.

    Nothing is refused: rows may have more or fewer cells than the header, or none where a quotation mark has
    no closing one.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    remarks, separators = [], list(SEPARATORS)
    if declared := DECLARED.match(text):
        separators = [declared[1]]
        text = "\n" + text[declared.end() :]  # lines keep their numbers
        remarks.append(f"the line {declared[0].strip()!r} names the separator, and is left out.")
    headers = {one: _names(next(_read(text, one, SPACED), (0, []))[1], columns) for one in separators}
    fitting = [one for one, names in headers.items() if {*columns} <= {*names}]
    separator = max(fitting or separators, key=lambda one: len(headers[one]))
    header = headers[separator]
    rows, marks = _rows(text, separator, len(header))
    if again := [str(line) for line, row in rows[1:] if _names(row, columns) == header]:
        remarks.append(f"the header stands again in line {', '.join(again)}, and is left out there.")
    rows = [(line, row) for line, row in rows[1:] if _names(row, columns) != header]
    if rows and all(len(row) == len(header) + 1 and row[0].isdecimal() for _, row in rows):
        header.insert(0, "")
        remarks.append("the number that begins each row has no name in the header, and is left out, as R's.")
    return Cells(header, rows, SEPARATORS[separator], marks, remarks)


def _names(row: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The names of columns, as they are asked for where only their accents are encoded in another way."""
    asked = {unicodedata.normalize("NFC", name): name for name in columns}
    return [asked.get(unicodedata.normalize("NFC", cell.strip()), cell.strip()) for cell in row]


def _rows(text: str, separator: str, width: int) -> tuple[list[Row], str]:
    """The rows in the first dialect in which all are of one width, and what is to say of it.

    Where every opening mark has its closing one, marks are marks. The next dialect has a backslash before a
    mark of the text. In the last, marks are part of the text. So they are where two, such as a lone one and
    an inch further down, would hold lines that all are rows by themselves.
    """
    for dialect in (SPACED, MARKED):
        marked = list(_read(text, separator, dialect))
        if _is_even(marked, width):
            long = [line for line, row in marked if any("\n" in cell for cell in row)]
            holding = [line for line, row in marked if any(LINES.fullmatch(cell) for cell in row)]
            holding = holding if separator != "," else []  # which texts hold in many a line
            unmarked = list(_read(text, separator, UNMARKED)) if holding else []
            if holding and unmarked[0] == marked[0] and _is_even(unmarked, width):
                two = f"two would hold whole rows, from line {holding[0]} on"
                return unmarked, f", quotation marks are part of the text, as {two}"
            return marked, f", texts over several lines, the first at line {long[0]}" if long else ""
    # other backslashes stay as they are
    doubled = re.sub(r'\\(["\\])|\\', lambda found: found[0] if found[1] else r"\\", text)
    backslashed = list(_read(doubled, separator, BACKSLASHED))
    if _is_even(backslashed, width):
        return backslashed, ", with a backslash before quotation marks of the text"
    unmarked = list(_read(text, separator, UNMARKED))
    holds_tabs = separator == "\t" and unmarked[0] == marked[0]  # what texts seldom do
    if (holds_tabs or any(not row for _, row in marked)) and _is_even(unmarked, width):
        return unmarked, ", quotation marks are part of the text"
    return marked, ""


def _is_even(rows: Sequence[Row], width: int) -> bool:
    return all(len(row) == width for _, row in rows)


def _read(text: str, separator: str, dialect: dict[str, Any]) -> Iterator[Row]:
    """Each row; one that cannot be read has no cells."""
    csv.field_size_limit(2**31 - 1)  # else a long text is an error
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True, **dialect)
    begins = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield begins, []
        else:
            if any(cell.strip() for cell in row):  # a line of spaces or of separators is none
                yield begins, row
        begins = reader.line_num + 1
