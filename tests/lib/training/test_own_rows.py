"""Rows become examples: a class has one name, what has no label is None, and what is broken is told."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from lib.training.own_rows import Columns, Kind, Split, class_name, read_splits


def split_of(folder: Path, values: list[Any], kind: Kind = "classes") -> Split:
    """JSON lines with these labels."""
    path = folder / "my.jsonl"
    path.write_text("".join(json.dumps({"text": "a text", "label": value}) + "\n" for value in values))
    return read_splits(path, Columns(kind=kind))[""]


def csv_of(folder: Path, content: str, kind: Kind = "classes") -> Split:
    (folder / "my.csv").write_text(content, encoding="utf-8")
    return read_splits(folder / "my.csv", Columns(kind=kind))[""]


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        (("TRUE", "True", "true", " tRUE "), "true"),
        (("FALSE", "False"), "false"),
        (("tr\u00e8s", "tre\u0300s"), "tr\u00e8s"),
        (("very good", "very\u00a0good", "very  good", "very good\u200b"), "very good"),
        (("3", "3.0", " 3 ", "+3", "3.00"), "3"),
        (("-1", "-1.0"), "-1"),
        (("03",), "03"),
        (("3.5",), "3.5"),
        (("Pos",), "Pos"),
        (("\uff13", "3"), "3"),
        (("\ufb01ne", "fine"), "fine"),
        (("Lie\u00adferung", "\ufeffLieferung"), "Lieferung"),
        (("a\tb", "a\u3000b", "a\u2009b"), "a b"),
        (("\u2764\ufe0f", "\u2764"), "\u2764"),
        (("1.10",), "1.10"),
    ],
)
def test_a_class_has_one_name(spellings: tuple[str, ...], name: str) -> None:
    assert {class_name(spelling) for spelling in spellings} == {name}


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (["pos"], "pos"),
        (None, None),
        (True, "true"),
        ([3.0], "3"),
        ([True], "true"),
        ([], None),
        ([None], None),
        ("[other]", "[other]"),
    ],
)
def test_a_list_of_one_is_its_element_and_none_is_no_label(value: Any, label: Any, tmp_path: Path) -> None:
    (example,) = split_of(tmp_path, [value]).examples
    assert (example and example.label) == label


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (
            ["pos", "short"],
            "'label' holds ['pos', 'short'], not one word or whole number (multi-label is not learned)",
        ),
        ([1, 0], "'label' holds [1, 0], not one word"),
        ({"POS": 1.0, "NEG": 0.0}, "'label' holds {'POS': 1.0, 'NEG': 0.0}, not one word"),
        ([[0, 4, "PER"]], "'label' holds [0, 4, 'PER'], not one word"),
        (float("nan"), "'label' holds no class but nan"),
        ("", "'label' holds no class but ''"),
        ([""], "'label' holds no class but ''"),
        ("\u200b", "'label' holds no class but '\\u200b'"),
        ({}, "'label' holds {}, not one word"),
        (["x" * 10_000, "y"], f"'label' holds ['{'x' * 55}..., not one word"),
        ("['pos']", """'label' holds "['pos']", not one word"""),
        ("['pos' 'short']", """'label' holds "['pos' 'short']", not one word"""),
        ("[1, 0]", "'label' holds '[1, 0]', not one word"),
        ("[]", "'label' holds '[]', not one word"),
        ('{"POS": 1}', """'label' holds '{"POS": 1}', not one word"""),
    ],
)
def test_what_is_no_class_is_broken(value: Any, why: str, tmp_path: Path) -> None:
    (broken,) = split_of(tmp_path, [value]).broken
    assert broken.where == "line 1"
    assert broken.why.startswith(why)


def test_classes_of_every_type_of_a_column(tmp_path: Path) -> None:
    def labels(values: list[Any]) -> list[Any]:
        path = str(tmp_path / "my.parquet")
        Dataset.from_dict({"text": ["a", "b"], "label": values}).to_parquet(path)
        split = read_splits(Path(path), Columns())[""]
        return [example and example.label for example in split.examples] + [one.why for one in split.broken]

    assert labels([Decimal("3.00"), Decimal("4.00")]) == ["3", "4"]
    assert labels(["a", None]) == ["a", None]
    assert labels([["a"], []]) == ["a", None]
    assert labels([datetime.date(2020, 1, 2)] * 2)[0].startswith(
        "'label' holds datetime.date(2020, 1, 2), not one word"
    )
    assert labels([b"a", b"b"])[0].startswith("'label' holds b'a', not one word")


@pytest.mark.parametrize(
    ("cells", "grades"),
    [
        (["3,5", "4"], [3.5, 4]),
        (["1.234,5", "3,5", "1.234.567,0"], [1234.5, 3.5, 1234567]),
        (["3.5", "1.234"], [3.5, 1.234]),  # without a comma beside them these are points as ever
        (["-3,5", "+0,25", " 1,0 "], [-3.5, 0.25, 1]),
        (["1e3", "2,5"], [1000, 2.5]),
    ],
)
def test_a_comma_is_the_decimal_sign_where_semicolons_separate(
    cells: list[str], grades: list[float], tmp_path: Path
) -> None:
    split = csv_of(tmp_path, "text;label\n" + "".join(f"x;{cell}\n" for cell in cells), "grades")
    assert not split.broken
    assert [example.label for example in split.examples] == grades
    assert any("a comma is the decimal sign" in remark for remark in split.remarks) == any(
        "," in one for one in cells
    )


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("text;label\nx;3,5\nx;3.5\n", "line 3: '3.5' has a decimal point, where other rows have a comma"),
        ("text;label\nx;3,5\nx;1.234\n", "line 3: '1.234' has a decimal point, where other rows"),
        ("text;label\nx;3,5\nx;1,234.5\n", "line 3: 'label' holds no grade: '1,234.5' is no decimal number"),
        ("text;label\nx;3,5\nx;1.23,5\n", "line 3: 'label' holds no grade: '1.23,5' is no decimal number"),
        ("text;label\nx;3,5\nx;3,5,0\n", "line 3: 'label' holds no grade: '3,5,0' is no decimal number"),
        ('text,label\nx,"3,5"\n', "line 2: 'label' holds no grade: '3,5' is no decimal number such as 3.5"),
    ],
)
def test_a_number_that_can_be_read_in_two_ways_is_broken(content: str, why: str, tmp_path: Path) -> None:
    (broken,) = csv_of(tmp_path, content, "grades").broken
    assert ": ".join(broken).startswith(why)


def test_classes_may_be_whole_numbers_with_a_decimal_comma(tmp_path: Path) -> None:
    split = csv_of(tmp_path, "text;label\nx;3,0\nx;3\nx;good, really\n")
    assert [example.label for example in split.examples] == ["3", "3", "good, really"]


@pytest.mark.parametrize(
    ("words", "tags", "why"),
    [
        (["a", "b"], ["X"], "should be lists of as many words as tags"),
        (["a", None], ["X", "Y"], "None is no word"),
        (["a", "b"], ["X", None], "None is no"),
        (["a", ["b"]], ["X", "Y"], "['b'] is no word"),
        (["a", float("nan")], ["X", "Y"], "nan is no word"),
        (["a", ""], ["X", "\u200b"], "'label' holds no tag but '\\u200b'"),
    ],
)
def test_words_and_tags_that_are_none(words: list[Any], tags: list[Any], why: str, tmp_path: Path) -> None:
    rows = [{"text": ["a"], "label": ["X"]}, {"text": words, "label": tags}]
    (tmp_path / "my.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (broken,) = read_splits(tmp_path / "my.jsonl", Columns(kind="tags"))[""].broken
    assert why in broken.why


def test_questions_without_answers_and_with_none(tmp_path: Path) -> None:
    question = {"question": "What?", "context": "red"}
    rows = [
        question | {"answers": {"text": ["red"], "answer_start": [0]}},
        question | {"answers": None},
        question | {"answers": None, "is_impossible": True},
        question | {"answers": {"text": ["blue"], "answer_start": [0]}},
    ]
    (tmp_path / "my.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    split = read_splits(tmp_path / "my.jsonl", Columns(kind="questions"))[""]
    assert [example and len(example.answers) for example in split.examples] == [1, None, 0]
    assert [one.where for one in split.broken] == ["line 4"]


@pytest.mark.parametrize("encoding", ["cp1251", "utf-16", "gbk"])
def test_another_encoding_is_named(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "my.conll"
    path.write_bytes("\u0434\u0430 X\n\u043d\u0435\u0442 Y\n".encode(encoding))
    (example,) = read_splits(path, Columns(kind="tags", encoding=encoding))[""].examples
    assert example.words == ["\u0434\u0430", "\u043d\u0435\u0442"]
    with pytest.raises(ValueError, match="There is no encoding 'klingon': name one as Python does"):
        read_splits(path, Columns(kind="tags", encoding="klingon"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("ner.csv", "Sentence #,Word,POS,Tag\nSentence: 1,Thousands,NNS,O\n,of,IN,O\n"),
        ("ner.CSV", "\ufeffword;tag\nThousands;O\n"),
    ],
)
def test_a_table_of_one_word_a_line_says_how_it_should_look(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="is a table with commas or semicolons, of which no tags are read"):
        read_splits(tmp_path / name, Columns("Word", "Tag", kind="tags"))
