"""Somebody's own rows become a task: classes by their words, a split without leaks, remarks beforehand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, List, Value

from lib.text.tasks import TextExample
from lib.training.own_task import Columns, OwnTask, columns_of, load_own_task, read_own_task
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


@pytest.mark.parametrize("names", [("bad", "good"), (None, "bad", "good")])
def test_the_split_is_the_same_for_the_next_command_and_new_for_other_rows(
    names: tuple[Any, ...], tmp_path: Path
) -> None:
    data = table(tmp_path, classes(names=names))
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
    assert "'a' is right for" in remarks and "with fewer than 8 rows to learn from: 'b'." in remarks


def test_a_class_that_only_test_rows_have_is_named(tmp_path: Path) -> None:
    test = table(tmp_path, classes(9, ("bad", "good", "odd")), "test.jsonl")
    remarks = read_own_task(table(tmp_path, classes()), Columns(), test).remarks
    assert "Careful: classes in test rows only, which can't be learned: 'odd'." in remarks


TAGS, QUESTIONS, NO_TEXT = Columns(kind="tags"), Columns(kind="questions"), {"text": "", "label": "bad"}
ASKED = {"question": "What?", "context": "red", "answers": {"text": ["red"], "answer_start": [0]}}


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([{"text": "", "label": 1}], Columns(), "line 1: 'text' holds no text: ''"),
        ([{"text": None, "label": 1}], Columns(), "'text' holds no text: None"),
        ([{"text": 3, "label": 1}], Columns(), "'text' holds no text: 3"),
        ([{"text": "x", "label": None}], Columns(), "'label' holds no class but None"),
        ([{"text": "x", "label": "NaN"}], Columns(), "'label' is empty"),
        ([{"text": "x", "label": "n/a"}], Columns(kind="grades"), "holds no grade: 'n/a' is no decimal"),
        ([{"text": "x", "label": "inf"}], Columns(kind="grades"), "holds no grade: 'inf'"),
        ([{"text": "x", "label": "1_0"}], Columns(kind="grades"), "holds no grade: '1_0'"),
        ([{"text": "x", "label": "3,5"}], Columns(kind="grades"), "holds no grade: '3,5'"),
        (classes(20, ("a",)), Columns(), "All rows have the class 'a'"),
        (classes(20, ("1.5", "2")), Columns(), "for grades give --kind grades"),
        (classes(20, (3,)), Columns(kind="grades"), "All rows to learn from have the grade 3"),
        (classes(300, tuple(map(str, range(300)))), Columns(), "300 different values"),
        (classes(2), Columns(), "too few rows"),
        ([{"text": "x", "label": "O"}] * 9, Columns(kind="tags"), "should be lists of as many words as tags"),
        ([{"text": ["x"], "label": ["O"]}] * 9, TAGS, "All words have the tag 'O'"),
        ([{"text": ["a", None], "label": ["X", "Y"]}] * 2, TAGS, "None is no word"),
        ([{"text": ["a"], "label": ["\u200b"]}] * 2, TAGS, "'label' holds no tag but '.u200b'"),
        # few
        (classes(5, tuple("abcde")), Columns(), "my.jsonl has too few .*, as no class has two different"),
        ([{"text": ["x", "y"], "label": ["X", "Y"]}] * 9, TAGS, "as there is one sentence"),
        ([ASKED] * 20, QUESTIONS, "as all questions are about one paragraph: give more, or others"),
        # several
        (
            [*classes(18), NO_TEXT, *classes(42), {"text": "x", "label": ""}, *classes(338)],
            Columns(),
            "2 of 400 rows can't be learned from: line 19: 'text' holds no text: ''; "
            "line 62: 'label' is empty: ''. Mend these rows, or take them out.",
        ),
        ([NO_TEXT] * 8, Columns(), "line 5: 'text' holds no text: ''; and 3 more. Mend these rows, or"),
        ([ASKED, ASKED | {"question": ""}], QUESTIONS, "1 of 2 rows .*: line 2: it has no words"),
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


def saved(folder: Path, label: Any, splits: dict[str, list[Any]]) -> Path:
    """A folder of `datasets` with these labels in its splits."""
    features, made = Features({"text": Value("string"), "label": label}), DatasetDict()
    for name, labels in splits.items():
        texts = [f"{name} {number}" for number in range(len(labels))]
        made[name] = Dataset.from_dict({"text": texts, "label": labels}, features)
    made.save_to_disk(str(folder / "saved"))
    return folder / "saved"


NAMED, TEN, NONE = ClassLabel(names=["neg", "pos"]), [0, 1] * 5, [-1] * 10


@pytest.mark.parametrize(
    ("splits", "tested", "unused"),
    [
        ({"train": [*TEN, -1, -1], "test": TEN}, "test", []),
        ({"train": TEN, "validation": TEN, "test": NONE}, "validation", ["test (no row has a label)"]),
        ({"train": TEN, "test": TEN, "unsupervised": NONE}, "test", ["unsupervised (no row has a label)"]),
        (
            {"train": TEN, "validation_matched": TEN, "validation_mismatched": TEN, "test_matched": NONE},
            "validation_matched",
            ["validation_mismatched, test_matched (no row has a label)"],
        ),
        ({"train": [*TEN, -1], "test": NONE}, "train", ["test (no row has a label)"]),
        ({"train": TEN, "test": [-1, 0, 1]}, "test", []),
    ],
)
def test_what_has_no_label_is_neither_learned_nor_tested_on(
    splits: dict[str, list[int]], tested: str, unused: list[str], tmp_path: Path
) -> None:
    made = read_own_task(saved(tmp_path, NAMED, splits), Columns())
    assert made.task.kind.config["id2label"] == {0: "neg", 1: "pos"}
    assert {example.first.split()[0] for example in made.task.test} == {tested}
    remarks = "\n".join(made.remarks)
    assert re.findall(r"not used are the rows of (.+)\.", remarks) == unused
    counts = [splits[name].count(-1) for name in dict.fromkeys(("train", tested))]
    left_out = re.findall("Careful: (.+) of these rows have no label and are left out", remarks)
    assert left_out == [str(count) for count in counts if count]


@pytest.mark.parametrize(
    ("label", "kind", "why"),
    [
        ("int64", "classes", "its classes, such as '-1', are not learned"),
        ("float32", "grades", "all rows have the grade -1"),
    ],
)
def test_a_split_that_can_tell_nothing_is_not_tested_on(
    label: str, kind: Any, why: str, tmp_path: Path
) -> None:
    made = read_own_task(saved(tmp_path, Value(label), {"train": TEN, "test": NONE}), Columns(kind=kind))
    assert len(made.task.test) == 2
    assert any(one.endswith(f"not used are the rows of test ({why}).") for one in made.remarks)


def test_several_classes_of_a_row_are_not_one(tmp_path: Path) -> None:
    data = saved(tmp_path, List(NAMED), {"train": [[0], [1], [0, 1]]})
    with pytest.raises(
        ValueError, match=r"1 of 3 rows .*row 3: 'label' holds \['neg', 'pos'\], not one word"
    ):
        read_own_task(data, Columns())


def test_a_split_without_the_column_is_not_tested_on(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("text,label\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(20)))
    (tmp_path / "test.csv").write_text("text\nx\ny\n")
    assert len(read_own_task(tmp_path, Columns()).task.test) == 4


def test_rows_to_test_on_need_labels_that_are_learned(tmp_path: Path) -> None:
    for values, why in (((None,), "no row has a label"), (("x", "y"), "its classes, such as 'x', are not")):
        test = table(tmp_path, classes(6, values), "test.jsonl")
        with pytest.raises(ValueError, match=f"test.jsonl is nothing to test on: {why}"):
            read_own_task(table(tmp_path, classes()), Columns(), test)


@pytest.mark.parametrize(
    ("names", "alike"),
    [
        (("Pos", "pos", "neg"), ["'Pos' and 'pos'"]),
        (("01", "1", "2"), ["'01' and '1'"]),
        (("Straße", "STRASSE", "Weg"), ["'STRASSE' and 'Straße'"]),
        (("TRUE", "true", "false"), []),
        (
            ("Children's", "Children\u2019s", "-1", "\u22121"),
            ["'-1' and '\u22121'", "\"Children's\" and 'Children\u2019s'"],
        ),
        (
            ("Sci-Fi", "Sci\u2013Fi", "not_spam", "not spam"),
            ["'Sci-Fi' and 'Sci\u2013Fi'", "'not spam' and 'not_spam'"],
        ),
        (
            ("Positive.", "Positive", "1 - bad", "1-bad"),
            ["'1 - bad' and '1-bad'", "'Positive' and 'Positive.'"],
        ),
        (("C", "C++", "C#", "A", "A-", "A+", "+", "-"), []),
        (("1", "-1", "1.5x", "15x", "?", "!", "<a", ">a"), []),
    ],
)
def test_classes_that_are_spelled_almost_alike_are_named(
    names: tuple[str, ...], alike: list[str], tmp_path: Path
) -> None:
    remarks = "\n".join(own(tmp_path, classes(60, names)).remarks)
    assert re.findall("Careful: classes (.+) differ in case or zeros", remarks) == alike


@pytest.mark.parametrize(
    ("names", "lacking"),
    [
        (("NA", "a", "b"), "'NA'"),
        (("-", "?", "yes", "no"), "'-', '?'"),
        (("\\N", "#N/A", "#BEZUG!", "a"), "'#BEZUG!', '#N/A', '\\\\N'"),
        (("n.a.", "None", "NULL", "a"), "'NULL', 'None', 'n.a.'"),
        ((-1, 0, 1, 2), "'-1'"),
        (("-1", "a", "b"), "'-1'"),
        (("-1", "0", "1", "\u22121"), ""),
        ((-2, -1, 0, 1, 2), ""),
        (("+", "-"), ""),
        (("Nana", "no", "nullable", "#metoo"), ""),
    ],
)
def test_classes_that_look_like_no_label_are_named(
    names: tuple[Any, ...], lacking: str, tmp_path: Path
) -> None:
    remarks = "\n".join(own(tmp_path, classes(60, names)).remarks)
    assert "".join(re.findall(r"that look like no label \(.+\): (.+)\.", remarks)) == lacking


def test_a_text_in_many_rows_is_named(tmp_path: Path) -> None:
    rows = [*classes(94), *[{"text": "#NAME?", "label": "good"}] * 6]
    assert "Careful: texts that stand in many of the 100 rows: '#NAME?' (6)." in own(tmp_path, rows).remarks
    assert "in many of" not in "".join(own(tmp_path, rows[:98]).remarks)


def test_rows_that_contradict_one_class_a_text_are_named(tmp_path: Path) -> None:
    rows = [*classes(50), *classes(3, ("good", "bad"))]  # the three were there with the other class
    rows += [{"text": f"both {number}", "label": "good, bad"} for number in range(20)]
    remarks = own(tmp_path, rows).remarks
    assert "Careful: 3 texts stand there several times, with different classes." in remarks
    assert "Careful: classes that name several, where a text has one: 'good, bad'." in remarks


@pytest.mark.parametrize("labels", [(), ("False", "TRUE ")])
def test_names_are_compared_in_one_form(labels: tuple[str, ...], tmp_path: Path) -> None:
    test = table(tmp_path, classes(6, (True, False)), "test.jsonl")
    kind = own(tmp_path, classes(20, ("True", "FALSE")), test=test, labels=labels).task.kind
    assert kind.config["id2label"] == {0: "false", 1: "true"}


def tagged(folder: Path, *tags: Any) -> OwnTask:
    """Sentences of as many words as tags."""
    rows = [{"text": [f"w{place}{n}" for place in range(len(tags))], "label": [*tags]} for n in range(20)]
    return own(folder, rows, Columns(kind="tags"))


@pytest.mark.parametrize(
    ("tags", "metric"),
    [
        (("PROPN", "VERB", "NOUN"), "accuracy"),
        (("PER", "O", "LOC"), "accuracy"),
        (("B-PER", "I-PER", "O"), "f1"),
        (("NNP", "-LRB-", "PRP$"), "accuracy"),
        (("B", "M", "E", "S"), "f1"),
        ((0, 3, 7), "accuracy"),
    ],
)
def test_tags_are_scored_as_what_they_mark(tags: tuple[Any, ...], metric: str, tmp_path: Path) -> None:
    made = tagged(tmp_path, *tags)
    assert made.task.kind.metric == metric
    for said in ("words are scored (accuracy), not entities", "% of the test words"):
        assert (said in "".join(made.remarks)) == (metric == "accuracy")


@pytest.mark.parametrize(
    ("tags", "named"),
    [
        (("b-per", "O"), "b-per"),
        (("PER-B", "O"), "PER-B"),
        (("B_PER", "O"), "B_PER"),
        (("B-PER", "0", "0", "0"), "0"),
        (("B-PER", "O", "O", "person"), "person"),
    ],
)
def test_tags_that_look_like_entities_and_are_none_are_refused(
    tags: tuple[str, ...], named: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"'{named}' looks like one of an entity, or stands beside such"):
        tagged(tmp_path, *tags)


def test_a_tag_has_one_name(tmp_path: Path) -> None:
    assert tagged(tmp_path, "B-PER", "B-PER\u00a0", "\u200bB-PER", "O").task.kind == Tagging(("O", "B-PER"))


REST = "\t_" * 6


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("my.conllu", [f"1\tann{n}\t_\tPROPN{REST}\n2\tsings\t_\tVERB{REST}\n" for n in range(10)]),
        ("slashes.txt", [f"ann{n}/PROPN sings/VERB" for n in range(10)]),
        ("columns.txt", [f"ann{n} PROPN\nsings VERB\n" for n in range(10)]),
        ("my.ndjson", [f'{{"text": ["ann{n}", "sings"], "label": ["PROPN", "VERB"]}}' for n in range(10)]),
    ],
)
def test_parts_of_speech_in_every_form(name: str, content: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_text("\n".join(content) + "\n")
    task = read_own_task(tmp_path / name, Columns(kind="tags")).task
    assert (task.kind, len(task.test)) == (Tagging(("PROPN", "VERB"), "accuracy"), 2)


def test_what_is_no_path_is_refused() -> None:
    table: Any = {"text": ["a"], "label": ["b"]}
    with pytest.raises(ValueError, match=r"A dict is no path of a file: save it, as df\.to_csv"):
        read_own_task(table, Columns())


def test_the_names_of_tags_in_a_folder_of_datasets(tmp_path: Path) -> None:
    features = Features({"tokens": List(Value("string")), "tags": List(ClassLabel(names=["O", "B-PER"]))})
    rows = {"tokens": [["ann", f"s{n}"] for n in range(10)], "tags": [[1, 0]] * 10}
    Dataset.from_dict(rows, features).save_to_disk(str(tmp_path / "saved"))
    kind = read_own_task(tmp_path / "saved", Columns("tokens", "tags", kind="tags")).task.kind
    assert (kind, kind.metric) == (Tagging(("O", "B-PER")), "f1")


@pytest.mark.parametrize(
    ("labels", "tested"),
    [([*"aabbccddee"], 2), ([f"intent {n}" for n in range(40)] * 2, 16), ([*"aab"], 1), ([*"aaab"], 1)],
)
def test_of_few_rows_at_least_one_is_kept_back(labels: list[str], tested: int, tmp_path: Path) -> None:
    task = own(tmp_path, classes(len(labels), tuple(labels))).task
    assert len(task.test) == tested
    assert {example.label for example in task.test} <= {example.label for example in task.train}


def test_broken_rows_to_learn_from_and_to_test_on_are_told_at_once(tmp_path: Path) -> None:
    data, test = table(tmp_path, [NO_TEXT]), table(tmp_path, [NO_TEXT], "test.jsonl")
    with pytest.raises(ValueError, match=r"my.jsonl: 1 of 1 rows .*test.jsonl: 1 of 1 rows"):
        read_own_task(data, Columns(), test)


def test_grades_have_a_yardstick_in_their_own_unit(tmp_path: Path) -> None:
    test = table(tmp_path, classes(2, (1, 4)), "test.jsonl")
    made = own(tmp_path, classes(3, (1, 2, 6)), Columns(kind="grades"), test=test)
    assert "Always saying 3.000, the mean, is off by 1.500 on average (mae) on the test rows." in made.remarks
    assert made.baseline == {"mae": 1.5}
    scores = made.task.kind.score([2, 3], made.task.test)
    assert scores == pytest.approx({"pearson": 1, "spearman": 1, "mae": 1})


def test_a_folder_that_was_written_before_columns_had_an_encoding(tmp_path: Path) -> None:
    columns = {"text": "a", "label": "b", "second": None, "kind": "classes"}
    (tmp_path / "task.json").write_text(json.dumps({"columns": columns}))
    assert columns_of(tmp_path) == Columns("a", "b")
