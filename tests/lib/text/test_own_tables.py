"""Tables of texts are read as they were written, whatever wrote them; what can't be read is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pandas
import pytest

from lib.text.tasks.tables import read_tables

ROWS = [
    {"review": "good, really", "stars": "5"},
    {"review": 'she said "never again"; we left', "stars": "1"},
    {"review": "café – naïve", "stars": "3"},
    {"review": "two\nlines", "stars": "2"},
]
COLUMNS = ("review", "stars")


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_pandas_wrote_is_read_back(separator: str, encoding: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    frame = pandas.DataFrame(ROWS)
    frame.to_csv(path, sep=separator, encoding=encoding, index=False, lineterminator=ending)
    assert read_tables(path, COLUMNS)[""].rows == ROWS


@pytest.mark.parametrize(
    ("content", "first", "format"),
    [
        ("a;b,c\nx;1,5\ny;2,5\n", {"a": "x", "b,c": "1,5"}, "separated by semicolons, in UTF-8"),
        ("a,b;c\nx,1\n", {"a": "x", "b;c": "1"}, "separated by commas, in UTF-8"),
        ("a\tb\n" + '"x\t1\ny" z\t2\n', {"a": '"x', "b": "1"}, "quotation marks are part of the text"),
        ('a,b\n5" pipe,x\nb,y\n', {"a": '5" pipe', "b": "x"}, "separated by commas, in UTF-8"),
        ('a,b\n"x ""y"" z",1\n', {"a": 'x "y" z', "b": "1"}, "separated by commas, in UTF-8"),
        (" a , b \nx,1\n\n,\n", {"a": "x", "b": "1"}, "separated by commas, in UTF-8"),
        ("a,b\nx\u2028y,1\n", {"a": "x\u2028y", "b": "1"}, "separated by commas, in UTF-8"),
        (b"a;b\nna\xefve;1\n", {"a": "naïve", "b": "1"}, "in Windows-1252, as it is not UTF-8"),
        (
            'b;a\nx;"1 broke\nhelp; thanks"\n',
            {"b": "x", "a": "1 broke\nhelp; thanks"},
            "several lines, the first",
        ),
        ('a,b\n"Hello,\nplease refund",x\n', {"a": "Hello,\nplease refund", "b": "x"}, "separated by commas"),
        ('a,b\n"x \\"y\\" z","1"\n"y","2"\n', {"a": 'x "y" z', "b": "1"}, "with a backslash before"),
        ('a,b\n"x \\"y\\", z\\n",1\n', {"a": 'x "y", z\\n', "b": "1"}, "with a backslash before"),
        ('a,b\n"C:\\",1\n', {"a": "C:\\", "b": "1"}, "separated by commas"),
        ("sep=;\na;b\nx;1\n", {"a": "x", "b": "1"}, "separated by semicolons"),
        ('"SEP=|"\r\na|b\r\nx,y;|1\r\n', {"a": "x,y;", "b": "1"}, "separated by bars"),
        ('"a\nc",b\nx,1\n', {"a\nc": "x", "b": "1"}, "separated by commas"),
        ('a\tb\n"x\n\ty"\t1\n', {"a": "x\n\ty", "b": "1"}, "separated by tabs"),
        ('a,b\n"x ""y\\"" z",1\n', {"a": 'x "y\\" z', "b": "1"}, "separated by commas"),
    ],
)
def test_a_table_is_read_as_it_was_written(
    content: str | bytes, first: dict[str, str], format: str, tmp_path: Path
) -> None:
    table = read_tables(written(tmp_path, "my.csv", content), tuple(first))[""]
    assert table.rows[0] == first
    assert format in table.format


def test_the_line_of_a_row_is_that_of_the_file(tmp_path: Path) -> None:
    table = read_tables(written(tmp_path, "my.csv", 'a,b\n"two\nlines",1\n\nx,2\n'), ("a", "b"))[""]
    assert table.where == ["line 2", "line 5"]


@pytest.mark.parametrize(
    "content",
    [
        '{"review": "x", "stars": 5}\n\n{"review": "y", "stars": 1, "more": null}\n',
        '[{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]',
    ],
)
def test_objects_a_line_and_a_list_of_objects(content: str, tmp_path: Path) -> None:
    table = read_tables(written(tmp_path, "my.jsonl", content), COLUMNS)[""]
    assert [row["stars"] for row in table.rows] == [5, 1]


def test_a_folder_of_datasets_gives_its_splits_and_the_names_of_classes(tmp_path: Path) -> None:
    features = datasets.Features(
        {"review": datasets.Value("string"), "stars": datasets.ClassLabel(names=["bad", "good"])}
    )
    split = datasets.Dataset.from_dict({"review": ["x", "y"], "stars": [1, 0]}, features=features)
    datasets.DatasetDict({"train": split, "test": split}).save_to_disk(str(tmp_path / "both"))
    split.save_to_disk(str(tmp_path / "one"))
    split.to_parquet(str(tmp_path / "my.parquet"))
    both = read_tables(tmp_path / "both", COLUMNS)
    assert {name: [row["stars"] for row in table.rows] for name, table in both.items()} == {
        "train": ["good", "bad"],
        "test": ["good", "bad"],
    }
    assert read_tables(tmp_path / "one", COLUMNS)[""].rows == both["train"].rows
    assert read_tables(tmp_path / "my.parquet", COLUMNS)[""].rows == both["train"].rows


def test_a_folder_of_files_gives_its_splits(tmp_path: Path) -> None:
    for name in ("train.csv", "test.csv", "notes.txt"):
        written(tmp_path, name, "review,stars\nx,1\n")
    assert {*read_tables(tmp_path, COLUMNS)} == {"train", "test"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("my.csv", "text,stars\nx,1\n", "no column 'review': it has 'text', 'stars'"),
        ("my.csv", "review,stars,review\nx,1,y\n", "two columns called 'review'"),
        ("my.csv", "review,stars\nx,1\ny\n", "line 3: there are 1 values, not 2"),
        ("my.csv", 'review,stars\n"x,1\ny,2,3\n', "line 2: a quotation mark has none that closes it"),
        ("my.csv", "", "no column 'review'"),
        ("my.csv", "review,stars\n", "has no rows"),
        ("my.csv", b"review,stars\nx\x00y,1\n", "is no text in UTF-8"),
        ("my.csv", b"PK\x03\x04\x8f\x81", "is no text in UTF-8"),
        ("my.xlsx", b"PK", "is of no kind that is read here"),
        ("my.jsonl", '{"review": "x", "stars": 1}\n{"review": "y"}\n', "line 2: there is no 'stars'"),
        ("my.jsonl", '{"review": "x", "stars": 1}\n{"review"\n', "not JSON"),
        ("my.jsonl", '["x", 1]\n', "'x' is no object"),
        ("gone.csv", None, "There is no"),
    ],
)
def test_what_cannot_be_read_is_said(name: str, content: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / name if content is None else written(tmp_path, name, content)
    with pytest.raises(ValueError, match=message):
        read_tables(path, COLUMNS)


def test_a_folder_without_tables(tmp_path: Path) -> None:
    written(tmp_path, "notes.txt", json.dumps([]))
    with pytest.raises(ValueError, match="has no train file"):
        read_tables(tmp_path, COLUMNS)
