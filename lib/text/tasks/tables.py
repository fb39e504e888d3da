"""Tables of texts as people have them: CSV, TSV, JSON, Parquet, and folders of these or of `datasets`.

    table = read_tables("my.csv", ("review", "stars"))[""]
    table.rows[0]["review"], table.where[0], table.format     # "line 2", "separated by semicolons, in UTF-8"

A file is a table, a folder has one for each split. How a file is written (encoding, separator, quotation
marks) is found out and said in `format` and `remarks`; where it can't be read, ValueError says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lib.text.tasks.charsets import text_of
from lib.text.tasks.separated import read_cells

SUFFIXES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")
# files that hold a split, and what it is called here
SPLITS = {
    "train": "train", "training": "train",
    "validation": "validation", "valid": "validation", "val": "validation", "eval": "validation",
    "evaluation": "validation", "dev": "dev", "test": "test", "testing": "test",
}  # fmt: skip
PART = re.compile(r"(?P<split>.+)-\d{5}-of-(?P<parts>\d{5})(-[0-9a-f]{16})?")
# how files begin that are no text, whatever their names say, and what to do with them
NO_TEXT = {
    b"PK\x03\x04": "a zip archive, as Excel's workbooks are: open it",
    b"\xd0\xcf\x11\xe0": "an old workbook of Excel: open it",
    b"\x1f\x8b": "packed by gzip: unpack it",
}
NOT_BLANK = re.compile(r"[^ \t\r\n]")


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

    Splits are "train", "validation" (also where they are called valid, val or eval), "dev" and "test"; others
    have their names in lower case. columns: those that every table must have; by them the separator is known.
    labels: those of them that splits other than "train" may lack, and single rows of JSON, whose values are
    None then. encoding: of text files, as Python calls it; None: found out. Raises ValueError, one sentence,
    where there is no such file, it is empty, a column is missing, a row has more or fewer values than the
    header, or the bytes are no text.
    """
    path = Path(path)
    if path.is_dir():
        tables = _of_folder(path, columns, labels, encoding)
    elif path.is_file():
        tables = {"": _of_file(path, columns, labels, encoding)}
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


def shortened(value: object) -> str:
    """A value as it stands in a sentence, of at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def listed(names: Sequence[str]) -> str:
    """Names as they stand in a sentence, the first ten of them."""
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return ", ".join(map(shortened, names[:10])) + more


# --- folders, and the splits in them --------------------------------------------------------------


def _of_folder(
    folder: Path, columns: Sequence[str], labels: Sequence[str], encoding: str | None
) -> dict[str, TextTable]:
    texts = [column for column in columns if column not in labels]
    tables: dict[str, TextTable] = {}
    if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():
        import datasets  # not above: it takes seconds

        saved = datasets.load_from_disk(str(folder))
        splits = saved if isinstance(saved, datasets.DatasetDict) else {"": saved}
        for given, rows in splits.items():
            split = SPLITS.get(given.lower(), given.lower())
            if split in tables:
                raise ValueError(
                    f"{folder} has several splits that are {split!r}: {listed([*splits])}; take one out."
                )
            needed = columns if split in ("", "train") else texts
            tables[split] = _of_dataset(folder / given, rows, needed, "saved by `datasets`")
        return tables
    place = _folder_of_splits(folder)
    files = files_by_split(place)
    for split, parts in files.items():
        named = [PART.fullmatch(file.stem.lower()) for file in parts]
        if {int(part["parts"]) if part else 1 for part in named} != {len(parts)}:
            names = listed([file.name for file in parts])
            raise ValueError(
                f"{place} has {names} for {split!r}: keep one file for it, or all that are parts of one."
            )
        needed = columns if split == "train" else texts
        tables[split] = _joined([(file.name, _of_file(file, needed, labels, encoding)) for file in parts])
    remarks = [*_passed_over(folder, place, files), *tables["train"].remarks]
    return tables | {"train": tables["train"]._replace(remarks=remarks)}


def _folder_of_splits(folder: Path) -> Path:
    """The folder itself or, as in a clone of the hub, the only one in it that has a train file."""
    inside = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]
    with_train = [path for path in inside if "train" in files_by_split(path)]
    if folder in with_train or len(with_train) == 1:
        return with_train[0]
    raise ValueError(
        f"{folder} was not saved by `datasets` and has no train file, such as train.csv: it has "
        f"{listed(sorted(path.name for path in folder.iterdir())) or 'none'}; name one."
    )


def files_by_split(folder: Path, suffixes: Sequence[str] = SUFFIXES) -> dict[str, list[Path]]:
    """The files whose names are those of splits, or of numbered parts of them."""
    files: dict[str, list[Path]] = {}
    for file in sorted(folder.iterdir()):
        name = file.stem.lower()
        if part := PART.fullmatch(name):
            name = part["split"]
        if file.is_file() and file.suffix.lower() in suffixes and (part or name in SPLITS):
            files.setdefault(SPLITS.get(name, name), []).append(file)
    return files


def _joined(parts: Sequence[tuple[str, TextTable]]) -> TextTable:
    """One table of the parts of a split."""
    first = parts[0][1]
    if len(parts) == 1:
        return first
    return first._replace(
        rows=[row for _, table in parts for row in table.rows],
        where=[f"{place} of {name}" for name, table in parts for place in table.where],
        remarks=[remark for _, table in parts for remark in table.remarks],
    )


def _passed_over(folder: Path, place: Path, files: Mapping[str, Sequence[Path]]) -> Iterator[str]:
    """What lies in a folder and is no file of a split."""
    if place != folder:
        yield f"{folder}: its splits are read from {place.name}."
    others = {*folder.iterdir(), *place.iterdir()} - {place}.union(*files.values())
    if names := listed(sorted(path.name for path in others if not path.name.startswith("."))):
        yield f"{folder}: passed over is {names}; files of splits are called train, validation or test."


# --- files ----------------------------------------------------------------------------------------


def _of_file(path: Path, columns: Sequence[str], labels: Sequence[str], encoding: str | None) -> TextTable:
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _of_dataset(path, _parquet(path), columns, "Parquet")
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{path} is of no kind that is read here: save it as CSV in UTF-8, or give a file in "
            f"{', '.join(SUFFIXES)}."
        )
    with path.open("rb") as file:
        begin = file.read(4)
    if kind := next((kind for mark, kind in NO_TEXT.items() if begin.startswith(mark)), None):
        raise ValueError(f"{path} is no text but {kind}, and save the table as CSV in UTF-8.")
    text, charset = text_of(path, encoding)
    if suffix in (".jsonl", ".ndjson", ".json"):
        table = _of_json(path, text, columns, labels, charset)
    else:
        table = _of_separated(path, text, columns, charset)
    values = (value for row in table.rows for value in map(str, row.values()))
    first = next((value for value in values if not value.isascii()), None)
    if charset.lower().startswith("utf") or first is None:
        return table
    remark = f"{path}: a text reads {shortened(first)}; if that is wrong, name another encoding, --encoding."
    return table._replace(remarks=[remark, *table.remarks])


def _parquet(path: Path) -> Any:
    import datasets  # not above: it takes seconds
    from pyarrow import parquet

    try:
        return datasets.Dataset(parquet.ParquetFile(path).read())
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is no whole Parquet file ({error}): get it anew.") from None


def _of_dataset(where: Path, split: Any, columns: Sequence[str], format: str) -> TextTable:
    """The rows of a split; the number of a class becomes its name."""
    _validate_columns(where, split.column_names, columns)
    # those of a class, or of a list of classes
    names = {
        column: getattr(getattr(feature, "feature", feature), "names", ())
        for column, feature in split.features.items()
    }
    rows = [{column: _named(value, names[column]) for column, value in row.items()} for row in split]
    return TextTable(rows, _numbered(rows), format)


def _named(value: Any, names: Sequence[str]) -> Any:
    """The name of a class for its number; None where it has none, as -1 where there is no label."""
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    if not names or not isinstance(value, int):
        return value
    return names[value] if 0 <= value < len(names) else None


def _of_json(path: Path, text: str, columns: Sequence[str], labels: Sequence[str], charset: str) -> TextTable:
    """The objects of a JSON text, one after the other, or the rows inside a single value."""
    try:
        placed = list(_values(text))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON, objects or a list of them ({error}): mend it there.") from None
    needed = [name for name in columns if name not in labels]  # in every row; labels in some
    is_of_lines = path.suffix.lower() != ".json"  # where an object is a row, whatever it holds
    if len(placed) == 1 and not (is_of_lines and isinstance(placed[0][1], dict)):
        inside = _rows_inside(placed[0][1], needed)
        placed = list(zip(_numbered(inside), inside, strict=True))
    for place, row in placed:
        if not isinstance(row, dict):
            raise ValueError(f"{path}, {place}: {shortened(row)} is no object with columns.")
    _validate_columns(path, list(dict.fromkeys(name for _, row in placed for name in row)), columns)
    for place, row in placed:
        if missing := [name for name in needed if name not in row]:
            raise ValueError(f"{path}, {place}: there is no {missing[0]!r}; every row needs one.")
    return TextTable([row for _, row in placed], [place for place, _ in placed], f"JSON, in {charset}")


def _values(text: str) -> Iterator[tuple[str, Any]]:
    """The values that stand one after the other in a JSON text, each with the line that it begins in."""
    decoder, line, counted, end = json.JSONDecoder(), 1, 0, 0
    while found := NOT_BLANK.search(text, end):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        value, end = decoder.raw_decode(text, counted)
        yield f"line {line}", value


def _rows_inside(value: Any, columns: Sequence[str]) -> list[Any]:
    """The rows of a list, of an object of columns, as lists or by an index, or of one that holds rows."""
    if not isinstance(value, dict):
        return value if isinstance(value, list) else [value]
    members = list(value.values())
    if {*columns} <= {*value}:
        members = [list(one.values()) if isinstance(one, dict) else one for one in members]
        are_even = all(isinstance(one, list) for one in members) and len(set(map(len, members))) == 1
        rows = zip(*members, strict=True) if are_even else ()
        return [dict(zip(value, row, strict=True)) for row in rows] or [value]
    if all(isinstance(one, dict) and {*columns} <= {*one} for one in members):
        return members
    lists = [one for one in members if isinstance(one, list) and all(isinstance(row, dict) for row in one)]
    return lists[0] if len(lists) == 1 else [value]


def _of_separated(path: Path, text: str, columns: Sequence[str], charset: str) -> TextTable:
    cells = read_cells(text, columns)
    _validate_columns(path, cells.header, columns)
    rows = []
    for line, row in cells.rows:
        if not row:
            raise ValueError(
                f"{path}, line {line}: a quotation mark has none that closes it before a separator or a "
                'line\'s end; write "" for one that is part of the text.'
            )
        if len(row) != len(cells.header):
            more = "put a text that holds a separator in quotation marks"
            fewer = "each column needs one, if only an empty one, and a text with line ends quotation marks"
            advice = more if len(row) > len(cells.header) else fewer
            raise ValueError(
                f"{path}, line {line}: there are {len(row)} values, not {len(cells.header)}; {advice}."
            )
        rows.append(dict(zip(cells.header, row, strict=True)))
    return TextTable(
        rows,
        [f"line {line}" for line, _ in cells.rows],
        f"separated by {cells.separator}, in {charset}{cells.marks}",
        [f"{path}: {remark}" for remark in cells.remarks],
        cells.separator == "semicolons",
    )


def _numbered(rows: Sequence[Any]) -> list[str]:
    return [f"row {number}" for number in range(1, len(rows) + 1)]


def _validate_columns(path: Path, there: Sequence[str], columns: Sequence[str]) -> None:
    if twice := [name for name in columns if list(there).count(name) > 1]:
        raise ValueError(f"{path} has two columns called {twice[0]!r}: rename one.")
    if missing := [name for name in columns if name not in there]:
        raise ValueError(
            f"{path} has no column {missing[0]!r}: it has {listed(there) or 'none'}; in CSV the first line "
            "has their names."
        )
