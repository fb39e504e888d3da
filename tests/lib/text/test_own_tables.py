"""Tables of texts are read as they were written, whatever wrote them; what can't be read is said."""

from __future__ import annotations

import json
import re
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
GERMAN = "Größe paßt, sehr schön: für 30 € erwarte ich „mehr“ – na ja"


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
        ('b;a\nx;"1 broke\nhelp; now"\n', {"b": "x", "a": "1 broke\nhelp; now"}, "several lines, the first"),
        ('a,b\n"Hello,\nplease refund",x\n', {"a": "Hello,\nplease refund", "b": "x"}, "separated by commas"),
        ('a,b\n"x \\"y\\" z","1"\n"y","2"\n', {"a": 'x "y" z', "b": "1"}, "with a backslash before"),
        ('a,b\n"x \\"y\\", z\\n",1\n', {"a": 'x "y", z\\n', "b": "1"}, "with a backslash before"),
        ('a,b\n"C:\\",1\n', {"a": "C:\\", "b": "1"}, "separated by commas"),
        ("sep=;\na;b\nx;1\n", {"a": "x", "b": "1"}, "separated by semicolons"),
        ('a, b\n"x, y", "1"\nz, "2"\n', {"a": "x, y", "b": "1"}, "separated by commas"),
        ("A\u0308\tb\nx\t1\n", {"Ä": "x", "b": "1"}, "separated by tabs"),
        ("Ä\tb\nx\t1\n", {"A\u0308": "x", "b": "1"}, "separated by tabs"),
        (
            'a\tb\n"so\t1\nx\t2\ny\t3\n5"\t4\n',
            {"a": '"so', "b": "1"},
            "two would hold whole rows, from line 2",
        ),
        ('a,b\n"so good,\nx, 2\n5",3\n', {"a": "so good,\nx, 2\n5", "b": "3"}, "over several lines"),
        ('a;b\n"x;1\ny;2\n5";3\n"u;v";4\n', {"a": "x;1\ny;2\n5", "b": "3"}, "over several lines"),
        ('a,b\n"so\n\ngood, or,\nnot",3\n', {"a": "so\n\ngood, or,\nnot", "b": "3"}, "over several lines"),
        ('b\ta\tc\n1\t"x\ty"\n', {"a": '"x', "b": "1", "c": 'y"'}, "quotation marks are part of the text"),
        ('"a"\t"b"\n"7"\t"x"\t"1"\n', {"": "7", "a": "x", "b": "1"}, "separated by tabs"),
    ],
)
def test_a_table_is_read_as_it_was_written(
    content: str | bytes, first: dict[str, str], format: str, tmp_path: Path
) -> None:
    table = read_tables(written(tmp_path, "my.csv", content), tuple(first))[""]
    assert table.rows[0] == first
    assert format in table.format


@pytest.mark.parametrize(
    ("codec", "text", "format"),
    [
        ("cp1252", GERMAN, "Windows-1252, as it is not UTF-8"),
        ("cp1252", "J’ai adoré ce cœur…là-bas, « à propos » de Noël", "Windows-1252, as it is not UTF-8"),
        ("cp1252", "“great” value for £5, it’s a naïve café of ½ litre", "Windows-1252, as it is not UTF-8"),
        ("utf-16-le", "好ü", "UTF-16"),
    ],
)
def test_an_encoding_is_known_by_its_letters(codec: str, text: str, format: str, tmp_path: Path) -> None:
    content = f'review,stars\n"{text}",1\n'.encode(codec)
    table = read_tables(written(tmp_path, "my.csv", content), COLUMNS)[""]
    assert (table.rows[0]["review"], table.format) == (text, f"separated by commas, in {format}")


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("gbk", "这本书很好看"),
        ("cp1251", "Отличный товар"),
        ("cp932", "とても良い本です"),
        ("cp949", "아주 좋은 책입니다"),
        ("cp1250", "Bardzo dobra książka, może być żółta"),
        ("mac_roman", GERMAN),
        ("gbk", "iPhone很好"),
        ("cp850", "Größe passt, sehr schöner Stoff"),
        ("cp1250", "Foarte bun, dar calitatea nu e aşa cum mă aşteptam"),
        ("cp1254", "Kargo hızlı geldi, şahane"),
        ("cp1253", "Πολύ καλό βιβλίο"),
        ("cp1255", "ספר טוב מאוד"),
        ("cp1256", "لم يعجبني"),
        ("koi8_r", "Отличный товар"),
        ("euc_jp", "とても良い本です"),
        ("big5", "這本書很好看"),
        ("iso8859_2", "Bardzo dobra książka, może być żółta"),
    ],
)
def test_another_encoding_is_asked_for_and_read_where_it_is_named(
    codec: str, text: str, tmp_path: Path
) -> None:
    path = written(tmp_path, "my.csv", f'review,stars\n"{text}",1\n'.encode(codec))
    with pytest.raises(ValueError, match="does not look like Windows-1252: name its encoding") as refused:
        read_tables(path, COLUMNS)
    (words,) = re.findall(f"{codec} reads '(.+?)'", str(refused.value))
    assert {*words.split()} <= {*re.split("[ ,]+", text)}
    with pytest.raises(ValueError, match="is no text in utf-8: name another encoding"):
        read_tables(path, COLUMNS, encoding="utf-8")
    assert read_tables(path, COLUMNS, encoding=codec)[""].rows[0]["review"] == text


def test_one_line_in_another_encoding_is_named(tmp_path: Path) -> None:
    content = "review,stars\nA cliché,1\nNaïve,2\nthe café,1\n".encode() + "raté,1\n".encode("cp1252")
    with pytest.raises(ValueError, match=r"is in UTF-8, but line 5 is not \(1 such in all\): mend it"):
        read_tables(written(tmp_path, "my.csv", content), COLUMNS)


def test_english_with_odd_symbols_may_be_windows_1252(tmp_path: Path) -> None:
    content = "review,stars\nthat‰Ûªs å£900,1\n".encode("cp1252")
    with pytest.raises(ValueError, match="cp1252 reads 'å£900 that‰Ûªs'"):
        read_tables(written(tmp_path, "my.csv", content), COLUMNS)


def test_the_line_of_a_row_is_that_of_the_file(tmp_path: Path) -> None:
    table = read_tables(written(tmp_path, "my.csv", 'a,b\n"two\nlines",1\n\nx,2\n'), ("a", "b"))[""]
    assert table.where == ["line 2", "line 5"]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('{"review": "x", "stars": 5}\n\n{"review": "y", "stars": 1, "more": null}\n', "line 3"),
        ('[{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]', "row 2"),
        ('{"review": {"0": "x", "1": "y"}, "stars": {"0": 5, "1": 1}}', "row 2"),
        ('{"review": ["x", "y"], "stars": [5, 1]}', "row 2"),
        ('{\n"data": [\n{"review": "x", "stars": 5}, {"review": "y", "stars": 1}]}', "row 2"),
        ('{\n"review": "x",\n"stars": 5}\n{\n"review": "y",\n"stars": 1}\n', "line 4"),
        ('{"7": {"review": "x", "stars": 5}, "9": {"review": "y", "stars": 1}}', "row 2"),
    ],
)
def test_json_is_read_by_what_it_holds(content: str, place: str, tmp_path: Path) -> None:
    table = read_tables(written(tmp_path, "my.json", content), COLUMNS)[""]
    assert [(row["review"], row["stars"]) for row in table.rows] == [("x", 5), ("y", 1)]
    assert table.where[1] == place


@pytest.mark.parametrize("name", ["my.jsonl", "my.NDJSON"])
def test_an_object_in_a_file_of_lines_is_a_row(name: str, tmp_path: Path) -> None:
    sentence = {"review": ["good", "tune"], "stars": ["ADJ", "NOUN"]}
    table = read_tables(written(tmp_path, name, json.dumps(sentence)), COLUMNS)[""]
    assert (table.rows, table.where) == ([sentence], ["line 1"])


@pytest.mark.parametrize(
    ("content", "encoding", "remark"),
    [
        ("review,stars\nGröße,1\n".encode("cp1252"), None, "a text reads 'Größe'; if that is wrong"),
        ("review,stars\nx,1\n好,1\n".encode("gbk"), "gbk", "a text reads '好'; if that is wrong"),
        (b"review,stars\nx,1\nreview,stars\n", None, "stands again in line 3, and is left out"),
        (b"review,stars\n1,x,1\n2,y,1\n", None, "number that begins each row has no name"),
        (b"sep=,\nreview,stars\nx,1\n", None, "the line 'sep=,' names the separator"),
        ("\ufeffreview,stars\nx,1\n\ufeffreview,stars\n".encode(), None, "stands again in line 3"),
    ],
)
def test_what_was_left_out_or_guessed_is_said(
    content: bytes, encoding: str | None, remark: str, tmp_path: Path
) -> None:
    table = read_tables(written(tmp_path, "my.csv", content), COLUMNS, encoding=encoding)[""]
    assert [remark in said for said in table.remarks] == [True]


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
        (datasets.Value("int64"), [-1, 0], [-1, 0]),
    ],
)
def test_a_number_without_a_name_is_no_label(
    feature: Any, given: list[Any], named: list[Any], tmp_path: Path
) -> None:
    features = datasets.Features({"review": datasets.Value("string"), "stars": feature})
    split = datasets.Dataset.from_dict({"review": ["x", "y"], "stars": given}, features=features)
    split.to_parquet(str(tmp_path / "Übung [1] a*b.Parquet"))
    split.save_to_disk(str(tmp_path / "saved"))
    for path in tmp_path.iterdir():
        assert [row["stars"] for row in read_tables(path, COLUMNS)[""].rows] == named


TWO_PARTS = ["train-00000-of-00002.csv", "train-00001-of-00002.csv"]
ONE = ["line 2"]


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (["Train.csv", "TEST.CSV"], {"train": ONE, "test": ONE}),
        (["train.csv", "valid.csv", ".DS_Store"], {"train": ONE, "validation": ONE}),
        (TWO_PARTS, {"train": [f"line 2 of {name}" for name in TWO_PARTS]}),
        (["README.md", "data/Training-00000-of-00001.tsv"], {"train": ONE}),
    ],
)
def test_a_folder_of_files_gives_its_splits(
    names: list[str], splits: dict[str, list[str]], tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, "review\tstars\nx\t1\n")
    tables = read_tables(tmp_path, COLUMNS)
    assert {split: table.where for split, table in tables.items()} == splits
    passed_over = [remark for remark in tables["train"].remarks if "passed over is 'README.md'" in remark]
    assert len(passed_over) == names.count("README.md")


def test_splits_that_datasets_saved_are_called_alike(tmp_path: Path) -> None:
    split = datasets.Dataset.from_dict({"review": ["x"], "stars": ["a"]})
    splits = {"Train": split, "Valid": split, "test": split.remove_columns("stars")}
    datasets.DatasetDict(splits).save_to_disk(str(tmp_path / "three"))
    tables = read_tables(tmp_path / "three", COLUMNS, labels=("stars",))
    labels = {name: table.rows[0]["stars"] for name, table in tables.items()}
    assert labels == {"train": "a", "validation": "a", "test": None}
    datasets.DatasetDict({"val": split, "valid": split}).save_to_disk(str(tmp_path / "twice"))
    with pytest.raises(ValueError, match="has several splits that are 'validation': 'val', 'valid'"):
        read_tables(tmp_path / "twice", COLUMNS)


def test_splits_other_than_train_may_lack_labels(tmp_path: Path) -> None:
    written(tmp_path, "train.csv", "id,review,stars\n1,x,1\n")
    written(tmp_path, "test.csv", "id,review\n1,x\n")
    assert read_tables(tmp_path, COLUMNS, labels=("stars",))["test"].rows[0]["stars"] is None
    written(tmp_path, "train.csv", "id,review\n1,x\n")
    with pytest.raises(ValueError, match="has no column 'stars'"):
        read_tables(tmp_path, COLUMNS, labels=("stars",))


@pytest.mark.parametrize("first", ['{"review": "x"}', '{"review": "x", "stars": null}'])
def test_rows_of_json_may_lack_labels(first: str, tmp_path: Path) -> None:
    path = written(tmp_path, "my.jsonl", f'{first}\n{{"review": "y", "stars": 1}}\n')
    assert [row["stars"] for row in read_tables(path, COLUMNS, labels=("stars",))[""].rows] == [None, 1]
    with pytest.raises(ValueError, match="line 2: there is no 'review'"):
        read_tables(written(tmp_path, "my.jsonl", f'{first}\n{{"stars": 1}}\n'), COLUMNS, labels=("stars",))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("my.csv", "text,stars\nx,1\n", "no column 'review': it has 'text', 'stars'"),
        ("my.csv", "review,stars,review\nx,1,y\n", "two columns called 'review'"),
        ("my.csv", "review,stars\nx,1\ny\n", "line 3: there are 1 values, not 2; each column needs one"),
        ("my.tsv", '"review"\t"stars"\n"x\ty"\n', "line 2: there are 1 values, not 2; each column needs one"),
        ("my.csv", "review,stars\nx,1\n1,y,1\n", "line 3: there are 3 values, not 2; put a text that holds"),
        ("my.csv", 'review,stars\n"x,1\ny,2,3\n', "line 2: a quotation mark has none that closes it"),
        ("my.csv", "", "no column 'review'"),
        ("my.csv", "review,stars\n", "has no rows"),
        ("my.csv", b"review,stars\nx\x00y,1\n", "is no text in UTF-8"),
        ("my.csv", b"PK\x03\x04\x8f\x81", "is no text but a zip archive, as Excel's workbooks are: open it"),
        ("my.tsv", b"\x1f\x8b\x08\x00", "is no text but packed by gzip: unpack it"),
        ("my.xlsx", b"PK", "is of no kind that is read here"),
        ("my.jsonl", '{"review": "x", "stars": 1}\n{"review": "y"}\n', "line 2: there is no 'stars'"),
        ("my.jsonl", '{"review": "x", "stars": 1}\n{"review"\n', "not JSON"),
        ("my.jsonl", '["x", 1]\n', "'x' is no object"),
        ("gone.csv", None, "There is no"),
        ("REVIEWS.CSV", "text,stars\nx,1\n", "no column 'review'"),
        ("my.json", '{"columns": ["review"], "data": [["x"]]}', "'review': it has 'columns', 'data'"),
        ("my.json", json.dumps([list(range(999))]), r"row 1: \[0, 1, 2, [^a-z]{,60}\.\.\. is no object"),
        ("my.json", json.dumps(dict.fromkeys(map(str, range(999)))), "'9' and 989 more"),
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
        (["a/train.csv", "b/train.csv"], "has no train file, such as .*: it has 'a', 'b'; name one"),
        (["train.csv", "Train.jsonl"], "'Train.jsonl', 'train.csv' for 'train': keep one file"),
        (TWO_PARTS[1:], "'train-00001-of-00002.csv' for 'train': .* all that are parts of one"),
    ],
)
def test_a_folder_without_one_table_for_a_split(names: list[str], message: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path, name, "review,stars\nx,1\n")
    with pytest.raises(ValueError, match=message):
        read_tables(tmp_path, COLUMNS)
