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
CLASSES = datasets.ClassLabel(names=["bad", "good"])


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
        ('a, b\n"x, y", "1"\nz, "2"\n', {"a": "x, y", "b": "1"}, "separated by commas"),
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
    ("content", "places"),
    [
        ('{"review": "x", "stars": 5}\n\n{"review": "y", "stars": 1, "more": null}\n', ["line 1", "line 3"]),
        ('[{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]', ["row 1", "row 2"]),
        ('{"review": {"0": "x", "1": "y"}, "stars": {"0": 5, "1": 1}}', ["row 1", "row 2"]),
        ('{"review": ["x", "y"], "stars": [5, 1]}', ["row 1", "row 2"]),
        ('{\n"data": [\n{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]}', ["row 1", "row 2"]),
        ('{\n"review": "x",\n"stars": 5}\n{\n"review": "y",\n"stars": 1}\n', ["line 1", "line 4"]),
        ('{"7": {"review": "x", "stars": 5}, "9": {"review": "y", "stars": 1}}', ["row 1", "row 2"]),
        (
            '{"schema": {"fields": []}, "data": [{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]}',
            ["row 1", "row 2"],
        ),
        ('{"review": "x", "stars": 5} {"review": "y", "stars": 1}', ["line 1", "line 1"]),
        (
            '{"n": 2, "of": ["a"], "rows": [{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]}',
            ["row 1", "row 2"],
        ),
        ('{"review": "x", "stars": 5}\r\n{"review": "y", "stars": 1}\r\n', ["line 1", "line 2"]),
    ],
)
def test_json_is_read_by_what_it_holds(content: str, places: list[str], tmp_path: Path) -> None:
    table = read_tables(written(tmp_path, "my.json", content), COLUMNS)[""]
    assert [(row["review"], row["stars"]) for row in table.rows] == [("x", 5), ("y", 1)]
    assert table.where == places


@pytest.mark.parametrize(
    ("content", "encoding", "remark"),
    [
        ("review,stars\nGröße,1\n".encode("cp1252"), None, "a text reads 'Größe'; if that is wrong"),
        ("review,stars\nx,1\n好,1\n".encode("gbk"), "gbk", "a text reads '好'; if that is wrong"),
        ("review,stars\nGröße,1\n".encode(), "utf-8", ""),
        (b"review,stars\nx,1\nreview,stars\n", None, "stands again in line 3, and is left out"),
        (b"sep=,\nreview,stars\nx,1\n", None, "the line 'sep=,' names the separator"),
        (b"review,stars\nx,1\n\n review,stars\ny,1\n", None, "stands again in line 4"),
        ("\ufeffreview,stars\nx,1\n\ufeffreview,stars\n".encode(), None, "stands again in line 3"),
        ('{"review": ["Größe"], "stars": 1}\n'.encode("cp1252"), None, "Größe"),
    ],
)
def test_what_was_left_out_or_guessed_is_said(
    content: bytes, encoding: str | None, remark: str, tmp_path: Path
) -> None:
    name = "my.json" if content.startswith(b"{") else "my.csv"
    table = read_tables(written(tmp_path, name, content), COLUMNS, encoding=encoding)[""]
    assert [remark in said for said in table.remarks] == ([True] if remark else [])


@pytest.mark.parametrize(("separator", "comma"), [(";", True), (",", False), ("\t", False)])
def test_semicolons_part_where_a_comma_is_a_decimal_point(
    separator: str, comma: bool, tmp_path: Path
) -> None:
    content = f"review{separator}stars\nx{separator}1\n"
    assert read_tables(written(tmp_path, "my.csv", content), COLUMNS)[""].decimal_comma == comma


def test_a_folder_of_datasets_gives_its_splits_and_the_names_of_classes(tmp_path: Path) -> None:
    features = datasets.Features({"review": datasets.Value("string"), "stars": CLASSES})
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


@pytest.mark.parametrize(
    ("feature", "given", "named"),
    [
        (CLASSES, [1, -1], ["good", None]),
        (datasets.Sequence(CLASSES), [[1, 0], []], [["good", "bad"], []]),
        (CLASSES, [None, 0], [None, "bad"]),
        (datasets.LargeList(CLASSES), [[0, -1], [1]], [["bad", None], ["good"]]),
        (datasets.Value("int64"), [-1, 0], [-1, 0]),
    ],
)
def test_a_number_without_a_name_is_no_label(
    feature: Any, given: list[Any], named: list[Any], tmp_path: Path
) -> None:
    features = datasets.Features({"review": datasets.Value("string"), "stars": feature})
    split = datasets.Dataset.from_dict({"review": ["x", "y"], "stars": given}, features=features)
    split.to_parquet(str(tmp_path / "my.parquet"))
    split.save_to_disk(str(tmp_path / "saved"))
    for path in (tmp_path / "my.parquet", tmp_path / "saved"):
        assert [row["stars"] for row in read_tables(path, COLUMNS)[""].rows] == named


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (["train.csv", "test.csv"], {"train": 1, "test": 1}),
        (["Train.csv", "TEST.CSV"], {"train": 1, "test": 1}),
        (["train.csv", "valid.csv", ".DS_Store"], {"train": 1, "validation": 1}),
        (["train-00000-of-00002.csv", "train-00001-of-00002.csv"], {"train": 2}),
        (
            ["README.md", "data/train-00000-of-00001.csv", "data/test-00000-of-00001.csv"],
            {"train": 1, "test": 1},
        ),
        (["train.csv", "dev.csv", "test.csv"], {"train": 1, "dev": 1, "test": 1}),
        (["plain_text/Training.tsv", "plain_text/Eval.tsv"], {"train": 1, "validation": 1}),
        (
            ["train-00000-of-00001-0123456789abcdef.csv", "validation_matched-00000-of-00001.csv"],
            {"train": 1, "validation_matched": 1},
        ),
    ],
)
def test_a_folder_of_files_gives_its_splits(names: list[str], splits: dict[str, int], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, "review\tstars\nx\t1\n")
    tables = read_tables(tmp_path, COLUMNS)
    assert {split: len(table.rows) for split, table in tables.items()} == splits
    assert any("passed over is 'README.md'" in remark for remark in tables["train"].remarks) == (
        "README.md" in names
    )


def test_splits_that_datasets_saved_are_called_alike(tmp_path: Path) -> None:
    split = datasets.Dataset.from_dict({"review": ["x"], "stars": ["a"]})
    splits = {"Train": split, "Valid": split, "test": split.remove_columns("stars")}
    datasets.DatasetDict(splits).save_to_disk(str(tmp_path / "three"))
    tables = read_tables(tmp_path / "three", COLUMNS, labels=("stars",))
    assert {name: table.rows[0]["stars"] for name, table in tables.items()} == {
        "train": "a",
        "validation": "a",
        "test": None,
    }
    datasets.DatasetDict({"val": split, "valid": split}).save_to_disk(str(tmp_path / "twice"))
    with pytest.raises(ValueError, match="has several splits that are 'validation': 'val', 'valid'"):
        read_tables(tmp_path / "twice", COLUMNS)


def test_a_part_of_a_split_is_named_with_its_rows(tmp_path: Path) -> None:
    for number in range(2):
        written(tmp_path, f"train-0000{number}-of-00002.csv", "review,stars\nx,1\n")
    where = read_tables(tmp_path, COLUMNS)["train"].where
    assert where == ["line 2 of train-00000-of-00002.csv", "line 2 of train-00001-of-00002.csv"]


@pytest.mark.parametrize("test", ["id,review\n1,x\n", "review,stars\nx,\n"])
def test_splits_other_than_train_may_lack_labels(test: str, tmp_path: Path) -> None:
    written(tmp_path, "train.csv", "id,review,stars\n1,x,1\n")
    written(tmp_path, "test.csv", test)
    assert read_tables(tmp_path, COLUMNS, labels=("stars",))["test"].rows[0]["stars"] in (None, "")
    written(tmp_path, "train.csv", "id,review\n1,x\n")
    with pytest.raises(ValueError, match="has no column 'stars'"):
        read_tables(tmp_path, COLUMNS, labels=("stars",))


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
        ("REVIEWS.CSV", "text,stars\nx,1\n", "no column 'review'"),
        (
            "my.json",
            '{"columns": ["review"], "data": [["x"]]}',
            "has no column 'review': it has 'columns', 'data'",
        ),
        ("my.json", '[["review", "stars"], ["x", 1]]', r"row 1: \['review', 'stars'\] is no object"),
        ("my.json", json.dumps([list(range(999))]), r"row 1: \[0, 1, 2, [^a-z]{,60}\.\.\. is no object"),
        ("my.json", '{"train": [{"review": "x"}], "test": [{"review": "y"}]}', "it has 'train', 'test'"),
        ("my.json", json.dumps(dict.fromkeys(map(str, range(999)))), "'9' and 989 more"),
        ("my.json", "[" * 100_000, "is not JSON"),
        (
            "my.jsonl",
            '{"review": "x", "stars": 1},\n{"review": "y", "stars": 1}\n',
            "not JSON.*line 1 column 28",
        ),
        ("my.parquet", "version https://git-lfs.github.com/spec/v1\n", "my.parquet is no whole Parquet file"),
    ],
)
def test_what_cannot_be_read_is_said(name: str, content: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / name if content is None else written(tmp_path, name, content)
    with pytest.raises(ValueError, match=message):
        read_tables(path, COLUMNS)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["notes.txt"], "has no train file, such as .*: it has 'notes.txt'; name one"),
        (["test.csv"], "has no train file"),
        (["a/train.csv", "b/train.csv"], "has no train file, such as .*: 'a', 'b' have one; name one"),
        (["train.csv", "Train.jsonl"], "'Train.jsonl', 'train.csv' for 'train': keep one file"),
        (
            ["train-00001-of-00002.csv"],
            "'train-00001-of-00002.csv' for 'train': .* all that are parts of one",
        ),
    ],
)
def test_a_folder_without_one_table_for_a_split(names: list[str], message: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, "review,stars\nx,1\n")
    with pytest.raises(ValueError, match=message):
        read_tables(tmp_path, COLUMNS)


def test_a_folder_may_be_called_as_it_likes(tmp_path: Path) -> None:
    path = tmp_path / "Übung [1] a*b" / "Train.Parquet"
    path.parent.mkdir()
    datasets.Dataset.from_dict({"review": ["x"], "stars": [1]}).to_parquet(str(path))
    assert read_tables(path.parent, COLUMNS)["train"].rows == [{"review": "x", "stars": 1}]
