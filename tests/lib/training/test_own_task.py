"""Somebody's own rows become a task: classes by their words, a split without leaks, remarks beforehand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lib.text.tasks import TextExample
from lib.training.own_task import Columns, OwnTask, load_own_task, read_own_task
from lib.training.task_kinds import Classification, Regression, SpanExtraction, Tagging


def table(folder: Path, rows: list[dict[str, Any]], name: str = "my.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def classes(count: int = 50, names: tuple[Any, ...] = ("bad", "good")) -> list[dict[str, Any]]:
    return [{"text": f"text {number}", "label": names[number % len(names)]} for number in range(count)]


def own(folder: Path, rows: list[dict[str, Any]], columns: Columns | None = None, **more: Any) -> OwnTask:
    return read_own_task(table(folder, rows), columns or Columns(), **more)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("neg", "pos"), ("neg", "pos")),
        ((1, 2, 10), ("1", "2", "10")),
        (("10", "9", "-1"), ("-1", "9", "10")),
        ((1.0, 2.0), ("1", "2")),
        (("1.0", "2.00"), ("1", "2")),
        ((True, False), ("false", "true")),
        ((" yes", "no "), ("no", "yes")),
        (("B", "a"), ("B", "a")),
    ],
)
def test_classes_are_called_as_the_file_calls_them(
    names: tuple[Any, ...], labels: tuple[str, ...], tmp_path: Path
) -> None:
    kind = own(tmp_path, classes(60, names)).task.kind
    assert isinstance(kind, Classification)
    assert kind.labels == labels


def test_one_text_in_five_is_kept_back_of_each_class_and_with_its_equals(tmp_path: Path) -> None:
    rows = classes(100, ("a", "a", "a", "b"))
    rows += [rows[number] for number in range(0, 40, 2)]  # twenty rows twice
    task = own(tmp_path, rows).task
    tested = Counter(example.label for example in task.test)
    texts, kept = {one.first for one in task.train}, {one.first for one in task.test}
    assert not texts & kept
    assert len(kept) == 20
    assert tested[1] == 5
    assert len(task.train) + len(task.test) == 120


def test_the_split_is_the_same_for_the_next_command_and_new_for_other_rows(tmp_path: Path) -> None:
    data = table(tmp_path, classes())
    first = read_own_task(data, Columns())
    first.save(tmp_path)
    again = load_own_task(tmp_path, data, labels=("bad", "good"))
    assert again.task.test == first.task.test
    assert not {*again.task.test} & {*first.task.train}
    other = table(tmp_path, classes(30), "other.jsonl")
    assert len(load_own_task(tmp_path, other, labels=("bad", "good")).task.test) == 6


def test_rows_of_their_own_to_test_on(tmp_path: Path) -> None:
    data, test = table(tmp_path, classes()), table(tmp_path, classes(7), "test.jsonl")
    made = read_own_task(data, Columns(), test)
    assert (len(made.task.train), len(made.task.test), made.kept_back) == (50, 7, [])
    assert any("Careful: 7 texts are in the rows to learn from" in remark for remark in made.remarks)


def test_pairs_and_grades(tmp_path: Path) -> None:
    rows = [{"a": f"one {n}", "b": f"two {n}", "score": n / 4} for n in range(20)]
    task = own(tmp_path, rows, Columns("a", "score", "b", "grades")).task
    assert isinstance(task.kind, Regression)
    assert TextExample("one 3", "two 3", 0.75) in [*task.train, *task.test]


def test_tags_in_lists_and_in_columns(tmp_path: Path) -> None:
    rows = [{"tokens": ["ann", "sings", str(n)], "tags": ["B-person", "O", "O"]} for n in range(10)]
    listed = own(tmp_path, rows, Columns("tokens", "tags", kind="tags")).task
    lines = "\n\n".join(f"ann B-person\nsings O\n{n} O" for n in range(10))
    (tmp_path / "my.conll").write_text(lines + "\n")
    in_columns = read_own_task(tmp_path / "my.conll", Columns(kind="tags")).task
    assert isinstance(listed.kind, Tagging)
    assert listed.kind.tags == ("O", "B-person")
    assert listed.train == in_columns.train


def test_questions_of_one_paragraph_stay_together(tmp_path: Path) -> None:
    answers = [{"text": "red", "answer_start": 0}]
    paragraphs = [
        {
            "context": f"red {place}",
            "qas": [{"id": f"{place}-{n}", "question": f"What, {n}?", "answers": answers} for n in range(3)],
        }
        for place in range(10)
    ]
    path = tmp_path / "my.json"
    path.write_text(json.dumps({"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]}))
    task = read_own_task(path, Columns(kind="questions")).task
    assert isinstance(task.kind, SpanExtraction)
    assert (len(task.train), len(task.test)) == (24, 6)


def test_what_is_worth_knowing_is_said_beforehand(tmp_path: Path) -> None:
    remarks = "\n".join(own(tmp_path, classes(60, ("a",) * 19 + ("b",))).remarks)
    assert "'a' is right for" in remarks and "Careful: the class 'b' has" in remarks


def test_a_class_that_only_test_rows_have_is_named(tmp_path: Path) -> None:
    test = table(tmp_path, classes(9, ("bad", "good", "odd")), "test.jsonl")
    remarks = read_own_task(table(tmp_path, classes()), Columns(), test).remarks
    assert "Careful: the class 'odd' is in test rows only, so it can't be learned." in remarks


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([{"text": "", "label": 1}], Columns(), "line 1: 'text' holds no text but ''"),
        ([{"text": None, "label": 1}], Columns(), "'text' holds no text but None"),
        ([{"text": 3, "label": 1}], Columns(), "'text' holds no text but 3"),
        ([{"text": "x", "label": None}], Columns(), "'label' holds no class but None"),
        ([{"text": "x", "label": "NaN"}], Columns(), "'label' holds no class"),
        ([{"text": "x", "label": "n/a"}], Columns(kind="grades"), "holds no grade: 'n/a' is no decimal"),
        ([{"text": "x", "label": "inf"}], Columns(kind="grades"), "holds no grade: 'inf'"),
        ([{"text": "x", "label": "1_0"}], Columns(kind="grades"), "holds no grade: '1_0'"),
        ([{"text": "x", "label": "3,5"}], Columns(kind="grades"), "holds no grade: '3,5'"),
        (classes(20, ("a",)), Columns(), "All rows have the class 'a'"),
        (classes(20, ("1.5", "2")), Columns(), "for grades give --kind grades"),
        (classes(300, tuple(map(str, range(300)))), Columns(), "300 different values"),
        (classes(2), Columns(), "too few rows"),
        ([{"text": "x", "label": "O"}] * 9, Columns(kind="tags"), "should be lists of as many words as tags"),
    ],
)
def test_rows_that_are_wrong_are_named(
    rows: list[dict[str, Any]], columns: Columns, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=message):
        own(tmp_path, rows, columns)


def test_rows_of_classes_that_the_model_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'good', the model has bad, worse"):
        own(tmp_path, classes(), labels=("bad", "worse"))
