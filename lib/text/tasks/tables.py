"""Tables of texts as people have them: CSV, TSV, JSON lines, Parquet, and folders that `datasets` saved.

    table = read_tables("my.csv", ("review", "stars"))[""]
    table.rows[0]["review"], table.where[0], table.format     # "line 2", "separated by ';', in UTF-8"

A file is a table, a folder has one for each split. How a file is written (encoding, separator, quotation
marks) is found out and said in `format`; where it can't be read, ValueError says so.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
SUFFIXES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")


class TextTable(NamedTuple):
    """The rows of a table, where each stands, and how the file was read."""

    rows: list[dict[str, Any]]  # the value of each column; a class by its name, None where there is no label
    where: list[str]  # "line 17" of a text file, "row 17" of others
    format: str
    remarks: Sequence[str] = ()  # what was left out or guessed, in sentences
    decimal_comma: bool = False  # separated by semicolons, as where 3,5 is a number


def read_tables(
    path: str | Path, columns: Sequence[str], labels: Sequence[str] = (), encoding: str | None = None
) -> dict[str, TextTable]:
    """The table of a file under the name "", or those of a folder by the names of their splits.

    columns: those that are asked for, which every table must have; by them the separator is known. labels:
    those of them that splits other than "train" may lack, whose values are None then. encoding: of text
    files, as Python calls it; None: found out. Raises ValueError, one sentence, where there is no such file,
    it is empty, a column is missing, a row has more or fewer values than the header, or the bytes are no
    text.
    """
    path = Path(path)
    if path.is_dir():
        tables = _of_folder(path, columns, labels)
    elif path.is_file():
        tables = {"": _of_file(path, columns)}
    else:
        raise ValueError(
            f"There is no {path}: name a file ({', '.join(SUFFIXES)}) or a folder of `datasets`."
        )
    for name, table in tables.items():
        if not table.rows:
            raise ValueError(f"{path / name} has no rows: give it some.")
        for row in table.rows:
            for column in columns:
                row.setdefault(column, None)
    return tables


def _of_folder(folder: Path, columns: Sequence[str], labels: Sequence[str]) -> dict[str, TextTable]:
    texts = [column for column in columns if column not in labels]
    if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():
        import datasets  # not above: it takes seconds

        loaded = datasets.load_from_disk(str(folder))
        splits = dict(loaded) if isinstance(loaded, datasets.DatasetDict) else {"": loaded}
        return {
            name: _of_dataset(folder / name, split, columns if name in ("", "train") else texts)
            for name, split in splits.items()
        }
    files = {
        file.stem: file
        for file in sorted(folder.iterdir())
        if file.suffix in SUFFIXES and file.stem in ("train", "test", "validation", "dev")
    }
    if "train" not in files:
        raise ValueError(
            f"{folder} was not saved by `datasets` and has no train file: name one ({', '.join(SUFFIXES)})."
        )
    return {name: _of_file(file, columns if name == "train" else texts) for name, file in files.items()}


def _of_dataset(where: Path, split: Any, columns: Sequence[str]) -> TextTable:
    """The rows of a split; the number of a class becomes its name."""
    _validate_columns(where, split.column_names, columns)
    names = {column: _class_names(feature) for column, feature in split.features.items()}
    rows = [{column: _named(value, names[column]) for column, value in row.items()} for row in split]
    return TextTable(rows, [f"row {number}" for number in range(1, len(rows) + 1)], "saved by `datasets`")


def _class_names(feature: Any) -> Sequence[str]:
    """The names of the classes of a column, or of a column of lists of them; none where it holds others."""
    return getattr(feature, "names", None) or getattr(getattr(feature, "feature", None), "names", None) or ()


def _named(value: Any, names: Sequence[str]) -> Any:
    """The name of a class for its number; None where it has none, as -1 where there is no label."""
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    if not names or not isinstance(value, int):
        return value
    return names[value] if 0 <= value < len(names) else None


def _of_file(path: Path, columns: Sequence[str]) -> TextTable:
    if path.suffix == ".parquet":
        import datasets

        return _of_dataset(path, datasets.Dataset.from_parquet(str(path)), columns)._replace(format="Parquet")
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} is of no kind that is read here: give a file in {', '.join(SUFFIXES)}.")
    text, encoding = _text_of(path)
    if path.suffix in (".jsonl", ".ndjson", ".json"):
        rows, where = _of_json(path, text)
        _validate_columns(path, list(rows[0]) if rows else [], columns)
        for row, place in zip(rows, where, strict=True):
            if missing := [name for name in columns if name not in row]:
                raise ValueError(f"{path}, {place}: there is no {missing[0]!r}; every row needs one.")
        return TextTable(rows, where, f"JSON, in {encoding}")
    return _of_separated(path, text, encoding, columns)


def _text_of(path: Path) -> tuple[str, str]:
    """A file's text and the name of its encoding: by its mark of byte order, else UTF-8 or Windows-1252."""
    content = path.read_bytes()
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = {"utf-16": "UTF-16"}
    else:
        encodings = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252, as it is not UTF-8"}
    for encoding, name in encodings.items():
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return text, name
    raise ValueError(f"{path} is no text in UTF-8, UTF-16 or Windows-1252: save it as CSV in UTF-8.")


def _of_json(path: Path, text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The objects of JSON lines, or of one list of objects."""
    try:
        if text.lstrip().startswith("["):
            rows = json.loads(text)
            where = [f"row {number}" for number in range(1, len(rows) + 1)]
        else:
            lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            where = [f"line {number}" for number, _ in lines]
            rows = [json.loads(line) for _, line in lines]
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON, an object a line ({error}): mend that line.") from None
    for row, place in zip(rows, where, strict=True):
        if not isinstance(row, dict):
            raise ValueError(f"{path}, {place}: {shortened(row)} is no object with columns.")
    return rows, where


def _of_separated(path: Path, text: str, encoding: str, columns: Sequence[str]) -> TextTable:
    """A table whose header, cut at one of SEPARATORS, has the columns that are asked for."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    headers = {one: [name.strip() for name in next(csv.reader([first], delimiter=one))] for one in SEPARATORS}
    fitting = [one for one, names in headers.items() if {*columns} <= {*names}]
    separator = max(fitting or SEPARATORS, key=lambda one: len(headers[one]))
    _validate_columns(path, headers[separator], columns)
    quoted, unquoted = (_read(text, separator, quoting) for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE))
    width = len(headers[separator])
    # A quotation mark that is never closed takes the lines after it into one value. Where every line is a row
    # by itself, it was a quotation mark of the text.
    swallowed = any("\n" in value for _, row in quoted for value in row)
    if _is_even(unquoted, width) and (swallowed or not _is_even(quoted, width)):
        cells, marks = unquoted, ", quotation marks are part of the text"
    else:
        cells, marks = quoted, ""
    rows, where = [], []
    for line, row in cells[1:]:
        if len(row) != width:
            raise ValueError(
                f"{path}, line {line}: there are {len(row)} values, not {width}; put a text that holds "
                "a separator or a line end in quotation marks."
            )
        rows.append(dict(zip(headers[separator], row, strict=True)))
        where.append(f"line {line}")
    return TextTable(rows, where, f"separated by {SEPARATORS[separator]}, in {encoding}{marks}")


def _read(text: str, separator: str, quoting: int) -> list[tuple[int, list[str]]]:
    """Each row with the line that it begins in; a row that cannot be read has no values."""

    def rows() -> Iterator[tuple[int, list[str]]]:
        lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
        reader = csv.reader(lines, delimiter=separator, quoting=quoting, strict=True)  # type: ignore[arg-type]
        begins = 1
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield begins, []
            else:
                if any(value.strip() for value in row):  # a line of spaces or of separators is none
                    yield begins, row
            begins = reader.line_num + 1

    csv.field_size_limit(2**31 - 1)  # else a long text is an error
    return list(rows())


def shortened(value: object) -> str:
    """A value as it stands in a sentence, of at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _is_even(cells: Sequence[tuple[int, list[str]]], width: int) -> bool:
    return all(len(row) == width for _, row in cells)


def _validate_columns(path: Path, there: Sequence[str], columns: Sequence[str]) -> None:
    if twice := [name for name in columns if list(there).count(name) > 1]:
        raise ValueError(f"{path} has two columns called {twice[0]!r}: rename one.")
    if missing := [name for name in columns if name not in there]:
        names = ", ".join(map(repr, there))
        raise ValueError(
            f"{path} has no column {missing[0]!r}: it has {names}; the first line has their names."
        )
