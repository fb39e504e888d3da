"""Rows become examples: a class has one name, what has no label is None, and what is broken is told."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from lib.training.own_rows import Columns, Kind, Split, class_name, read_splits


def read(folder: Path, name: str, content: str | list[dict[str, Any]], kind: Kind = "classes") -> Split:
    """The split of a file of this content, or of JSON lines with these rows."""
    lines = content if isinstance(content, str) else "\n".join(map(json.dumps, content))
    (folder / name).write_text(lines, encoding="utf-8")
    return read_splits(folder / name, Columns(kind=kind))[""]


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        (("TRUE", "True", "true", " tRUE "), "true"),
        (("tr\u00e8s", "tre\u0300s"), "tr\u00e8s"),
        (("very good", "very\u00a0good", "very  good", "very good\u200b"), "very good"),
        (("3", "3.0", " 3 ", "+3", "\uff13"), "3"),
        (("-1", "-1.0"), "-1"),
        (("03",), "03"),
        (("3.5",), "3.5"),
        (("Pos",), "Pos"),
        (("Lie\u00adferung", "\ufeffLieferung"), "Lieferung"),
    ],
)
def test_a_class_has_one_name(spellings: tuple[str, ...], name: str) -> None:
    assert {class_name(spelling) for spelling in spellings} == {name}


@pytest.mark.parametrize(
    ("value", "label"),
    [(["pos"], "pos"), (None, None), (True, "true"), ([3.0], "3"), ([], None), ("[other]", "[other]")],
)
def test_a_list_of_one_is_its_element_and_none_is_no_label(value: Any, label: Any, tmp_path: Path) -> None:
    (example,) = read(tmp_path, "my.jsonl", [{"text": "a text", "label": value}]).examples
    assert (example and example.label) == label


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (
            ["pos", "short"],
            "holds ['pos', 'short'], not one word or whole number (multi-label is",
        ),
        ([1, 0], "holds [1, 0], not one word"),
        ({"POS": 1.0, "NEG": 0.0}, "holds {'POS': 1.0, 'NEG': 0.0}, not one word"),
        ([[0, 4, "PER"]], "holds [0, 4, 'PER'], not one word"),
        (float("nan"), "is empty: nan"),
        ("\u200b", "is empty: '\\u200b'"),
        (["x" * 10_000, "y"], f"holds ['{'x' * 55}..., not one word"),
        ("['pos' 'short']", """holds "['pos' 'short']", not one word"""),
        ("[1, 0]", "holds '[1, 0]', not one word"),
        ("pos\ud83d", "has half a character (a lone surrogate): 'pos\\ud83d'"),
    ],
)
def test_what_is_no_class_is_broken(value: Any, why: str, tmp_path: Path) -> None:
    (broken,) = read(tmp_path, "my.jsonl", [{"text": "a text", "label": value}]).broken
    assert ": ".join(broken).startswith(f"line 1: 'label' {why}")


@pytest.mark.parametrize(
    ("content", "grades", "broken"),
    [
        ("text;label\nx;3,5\nx;4\n", [3.5, 4], ""),
        ("text;label\nx;1.234,5\nx;-3,5\n", [1234.5, -3.5], ""),
        ("text;label\nx;3.5\nx;1.234\n", [3.5, 1.234], ""),  # without a comma beside them: points as ever
        ("text;label\nx;3,5\nx;3.5\n", [3.5], "line 3: '3.5' has a decimal point, where other rows have a"),
        ("text;label\nx;3,5\nx;1,234.5\n", [3.5], "line 3: 'label' holds no grade: '1,234.5' is no decimal"),
        ("text;label\nx;1.234\nx;980\n", [1.234, 980], ""),
        ('text,label\nx,"3,5"\n', [], "line 2: 'label' holds no grade: '3,5' is no decimal number such as"),
    ],
)
def test_a_comma_is_the_decimal_sign_where_semicolons_separate(
    content: str, grades: list[float], broken: str, tmp_path: Path
) -> None:
    split = read(tmp_path, "my.csv", content, "grades")
    assert [example.label for example in split.examples] == grades
    assert "".join(": ".join(one) for one in split.broken).startswith(broken)
    assert ("a comma is the decimal sign" in "".join(split.remarks)) == (",5\n" in content)
    assert ("the point is read as the decimal sign: 1.234." in "".join(split.remarks)) == ("980" in content)


def test_a_comma_beside_whole_numbers_makes_no_class(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'label' holds '1,0' beside whole numbers: for grades give"):
        read(tmp_path, "my.csv", "text;label\nx;1\ny;0\nz;1,0\n")
    split = read(tmp_path, "my.csv", "text;label\nx;1,0\ny;2,0\n")  # as pandas writes whole numbers
    assert [example.label for example in split.examples] == ["1", "2"]


def test_what_annotators_rejected_and_kinds_that_do_not_exist_are_said(tmp_path: Path) -> None:
    rows = [{"text": "x", "label": "a", "answer": answer} for answer in ("accept", "reject")]
    assert "Careful: 1 rows with the answer reject" in read(tmp_path, "my.jsonl", rows).remarks[-1]
    with pytest.raises(ValueError, match="no kind 'ner': it is one of classes, grades, tags, questions"):
        Columns(kind="ner")  # type: ignore[arg-type]


def test_a_class_of_another_type_is_named(tmp_path: Path) -> None:
    Dataset.from_dict({"text": ["x"], "label": [date(2020, 1, 1)]}).to_parquet(str(tmp_path / "my.parquet"))
    (broken,) = read_splits(tmp_path / "my.parquet", Columns())[""].broken
    assert "not one word or whole number (it is of type date)" in broken.why


def test_questions_without_answers_and_with_none(tmp_path: Path) -> None:
    question: dict[str, Any] = {"question": "What?", "context": "red"}
    rows = [
        question | {"answers": {"text": ["red"], "answer_start": [0]}},
        question | {"answers": None},
        question | {"answers": None, "is_impossible": True},
        question | {"answers": {"text": ["blue"], "answer_start": [0]}},
    ]
    split = read(tmp_path, "my.jsonl", rows, "questions")
    assert [example and len(example.answers) for example in split.examples] == [1, None, 0]
    assert [one.where for one in split.broken] == ["line 4"]


SQUAD = '{"context": "red", "qas": [{"question": "What?", "answers": []}]}'


@pytest.mark.parametrize(
    ("kind", "names", "content"),
    [
        ("tags", ("train.txt", "Valid.txt"), "-DOCSTART- -X- O\n\nAnn NN B-PER\n"),
        ("tags", ("train.conll", "dev.tsv"), "Ann\tB-PER\n"),
        ("questions", ("train.json", "dev.json"), f'{{"data": [{{"paragraphs": [{SQUAD}]}}]}}'),
    ],
)
def test_files_of_a_folder_are_read_as_a_file_is(
    kind: Any, names: tuple[str, str], content: str, tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).write_text(content)
    splits = read_splits(tmp_path, Columns(kind=kind))
    assert {len(split.examples) for split in splits.values()} == {1}
    assert len(splits) == 2


def test_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "my.conll"
    path.write_bytes("\u0434\u0430 X\n\u043d\u0435\u0442 Y\n".encode("cp1251"))
    (example,) = read_splits(path, Columns(kind="tags", encoding="cp1251"))[""].examples
    assert example.words == ["\u0434\u0430", "\u043d\u0435\u0442"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ner.csv", "Sentence #,Word,POS,Tag\nSentence: 1,Thousands,NNS,O\n,of,IN,O\n"),
        ("ner.CSV", "\ufeffword;tag\nThousands;O\n"),
    ],
)
def test_a_table_of_one_word_a_line_says_how_it_should_look(name: str, content: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a table with commas or semicolons, of which no tags are read"):
        read(tmp_path, name, content, "tags")
