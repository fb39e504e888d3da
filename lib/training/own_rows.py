"""Somebody's own rows become examples: texts with a class or a grade, tagged sentences, questions.

    split = read_splits(Path("my.csv"), Columns(text="review", label="stars"))[""]
    split.examples, split.broken, split.remarks

Classes are called as the file calls them, in the one form in which two names can be compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from lib.text.tasks import Broken, TaggedSentence, TextExample, read_conll, read_squad
from lib.text.tasks.entity_tags import iob2, mark_entities
from lib.text.tasks.reading import DECIMAL, decimal, is_blank
from lib.text.tasks.squad import question_of
from lib.text.tasks.tables import SUFFIXES, TextTable, files_by_split, read_tables, shortened

LISTS = (".jsonl", ".ndjson", ".json", ".parquet")  # of words and of tags; else a word a line
IN_WORDS = re.compile(r"\[(.*['\",].*)?\]|\{.*\}")  # a list or an object, as tables write them: ['a', 'b']
WITH_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+", re.ASCII)  # 3,5 and 1.234,5
IN_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}", re.ASCII)  # 1.234, which may be 1234
HALF = re.compile("[\ud800-\udfff]")  # of a character that UTF-16 writes in two

Kind = Literal["classes", "grades", "tags", "questions"]


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what, and what is learned of the text."""

    text: str = "text"
    label: str = "label"
    second: str | None = None  # the second text of a pair
    kind: Kind = "classes"
    encoding: str | None = None  # of a text file, as Python names it; None: it is found out

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"There is no kind {self.kind!r}: it is one of {', '.join(get_args(Kind))}.")

    @property
    def learned(self) -> str:
        """The column of what is learned of the others."""
        return "answers" if self.kind == "questions" else self.label


@dataclass(frozen=True, eq=False)
class Split:
    """The examples of a file, or of one split of a folder, and how it was read.

    examples: with labels as the file has them; None for a row that the file gives no label.
    """

    path: Path
    examples: list[Any]
    broken: list[Broken]  # rows that can't be examples
    remarks: list[str]


def read_splits(data: Path, columns: Columns) -> dict[str, Split]:
    """The split "" of a file, or those of a folder by their names, see `read_tables`.

    Files of tags are read as CoNLL's columns unless they hold lists, and .json of questions as SQuAD's.
    """
    files = files_by_split(data, (*SUFFIXES, ".conll", ".conllu")) if data.is_dir() else {}
    parts = [part for of_split in files.values() for part in of_split]
    if "train" in files and len(parts) == len(files) and all(_is_no_table(part, columns) for part in parts):
        return {name: read_splits(part, columns)[""] for name, part in zip(files, parts, strict=True)}
    if columns.kind == "tags" and data.is_file() and _is_no_table(data, columns):
        _validate_no_commas(data)
        sentences = read_conll(data, columns.encoding, columns.text, columns.label)
        return _of_examples(data, _with_named_tags(sentences), "in columns", sentences.remarks)
    if data.is_file() and _is_no_table(data, columns):
        return _of_examples(data, list(read_squad(data, columns.encoding)), "in the form of SQuAD")
    texts = (columns.text, columns.second) if columns.kind != "questions" else ("question", "context")
    wanted = [name for name in (*texts, columns.learned) if name]
    tables = read_tables(data, wanted, (columns.learned,), columns.encoding)
    return {name: _of_table(data, name, table, columns) for name, table in tables.items()}


def _is_no_table(file: Path, columns: Columns) -> bool:
    """Whether a file is of CoNLL's columns or of SQuAD's JSON, by its name and by what is learned."""
    suffix = file.suffix.lower()
    if columns.kind == "tags":
        return suffix not in LISTS
    return columns.kind == "questions" and suffix == ".json"


def labeled(examples: Sequence[Any]) -> list[Any]:
    """Without those None that stand for rows without a label."""
    return [example for example in examples if example is not None]


def class_name(label: str) -> str:
    """A class as it is called and compared: " 3 ", "3.0" and "+3" are "3", "TRUE" is "true"; "03" is a code.

    Characters are those of NFKC, without such as have no width, and spaces are single.
    """
    spelled = unicodedata.normalize("NFKC", label)
    name = " ".join("".join(one for one in spelled if one.isspace() or not is_blank(one)).split())
    return name.lower() if name.lower() in ("true", "false") else re.sub(r"^\+?(-?\d+)(\.0+)?$", r"\1", name)


def _validate_no_commas(data: Path) -> None:
    if data.suffix.lower() == ".csv" and re.match(rb".*[,;]", data.read_bytes()):
        raise ValueError(
            f"{data} is a table with commas or semicolons, of which no tags are read: give a word, a space "
            "and its tag a line, blank lines between sentences, or JSON lines with lists of words and tags."
        )


def _of_examples(
    data: Path, examples: list[Any], format: str, remarks: Sequence[str] = ()
) -> dict[str, Split]:
    return {"": Split(data, examples, [], [f"{data}: {len(examples):,} rows, {format}.", *remarks])}


def _of_table(data: Path, name: str, table: TextTable, columns: Columns) -> Split:
    numbers = [str(row.get(columns.label)).strip() for row in table.rows if table.decimal_comma]
    comma = next((number for number in numbers if WITH_COMMA.fullmatch(number)), None)
    if comma and columns.kind == "classes" and any(number.isdecimal() for number in numbers):
        raise ValueError(
            f"{data}: {columns.label!r} holds {comma!r} beside whole numbers: for grades give --kind grades; "
            "several classes of one text are not learned."
        )
    examples, broken = list[Any](), list[Broken]()
    for row, where in zip(table.rows, table.where, strict=True):
        try:
            changed = {columns.label: _with_point(row[columns.label])} if comma else {}
            examples.append(_example(row | changed, columns))
        except ValueError as error:
            broken.append(Broken(where, str(error)))
    what = f"{name} rows" if name else "rows"
    remarks = [f"{data}: {len(table.rows):,} {what}, {table.format}."]
    if unlabeled := examples.count(None):
        remarks.append(f"Careful: {unlabeled:,} of these rows have no label and are left out.")
    if comma:
        remarks.append(f"In {columns.label!r} a comma is the decimal sign: {comma} is {_with_point(comma)}.")
    remarks += table.remarks
    pointed = [number for number in numbers if "." in number]
    if columns.kind == "grades" and pointed and all(map(IN_THOUSANDS.fullmatch, pointed)):
        remarks.append(f"Careful: in {columns.label!r} the point is read as the decimal sign: {pointed[0]}.")
    rejected = sum(row.get("answer") in ("reject", "ignore") for row in table.rows)  # as Prodigy has it
    if rejected and columns.label != "answer":
        remarks.append(f"Careful: {rejected:,} rows with the answer reject or ignore are read like others.")
    if columns.kind == "tags":
        examples = _with_named_tags(examples)
    return Split(data / name, examples, broken, remarks)


def _with_point(label: str) -> str:
    """A number of a column in which some have a decimal comma: 3,5 is 3.5, and 1.234,5 is 1234.5."""
    if WITH_COMMA.fullmatch(label.strip()):
        return label.replace(".", "").replace(",", ".")
    if "." in label and DECIMAL.fullmatch(label.strip()):
        raise ValueError(f"{label!r} has a decimal point, where other rows have a comma")
    return label


def _example(row: Mapping[str, Any], columns: Columns) -> Any:
    """The example of a row, None for one without a label. ValueError, without a stop, for a broken one."""
    if columns.kind == "questions":
        unanswered = row["answers"] is None and row.get("is_impossible") is None
        question = None if unanswered else question_of(row)
        if isinstance(question, Broken):
            raise ValueError(question.why)
        return question
    label = row[columns.label]
    if columns.kind == "tags":
        return None if label is None else _tagged(row[columns.text], label, columns)
    if isinstance(label, list) and len(label) < 2:
        label = label[0] if label else None
    if label is None:
        return None
    for name in filter(None, (columns.text, columns.second)):
        if not isinstance(row[name], str) or is_blank(row[name]):
            raise ValueError(f"{name!r} holds no text: {shortened(row[name])}")
    for name in filter(None, (columns.text, columns.second, columns.label)):
        if HALF.search(str(row[name])):
            raise ValueError(f"{name!r} has half a character (a lone surrogate): {shortened(row[name])}")
    second = row[columns.second] if columns.second else None
    return TextExample(row[columns.text], second, _label(label, columns))


def _label(value: Any, columns: Columns) -> Any:
    """A class by its name, or a grade."""
    if columns.kind == "grades":
        try:
            return decimal(value)
        except ValueError:
            raise ValueError(
                f"{columns.label!r} holds no grade: {shortened(value)} is no decimal number such as 3.5 (or "
                "3,5 between semicolons)"
            ) from None
    if not isinstance(value, str | int | float) or IN_WORDS.fullmatch(str(value).strip()):
        several = isinstance(value, list | dict | str)
        why = "multi-label is not learned" if several else f"it is of type {type(value).__name__}"
        raise ValueError(f"{columns.label!r} holds {shortened(value)}, not one word or whole number ({why})")
    name = class_name(str(value))
    if not name or name.lower() == "nan":
        raise ValueError(f"{columns.label!r} is empty: {shortened(value)}")
    return name


def _tagged(words: Any, tags: Any, columns: Columns) -> TaggedSentence:
    if not isinstance(words, list) or not isinstance(tags, list) or len(words) != len(tags) or not words:
        raise ValueError(f"{columns.text!r} and {columns.label!r} should be lists of as many words as tags")
    for one in (*words, *tags):
        if not isinstance(one, str | int | float) or one != one:  # as NaN is
            raise ValueError(f"{shortened(one)} is no word and no tag")
    if blank := [tag for tag in tags if is_blank(str(tag))]:
        raise ValueError(f"{columns.label!r} holds no tag but {shortened(blank[0])}")
    return TaggedSentence([str(word) for word in words], [str(tag) for tag in tags])


def _with_named_tags(sentences: Sequence[Any]) -> list[Any]:
    """The sentences with each tag under one name, and in IOB2 if all tags together are of entities."""
    tags = [tag for sentence in labeled(sentences) for tag in sentence.tags]
    scheme: Callable[[list[str]], list[str]] = iob2 if mark_entities(tags) else list
    return [one and one._replace(tags=scheme([*map(class_name, one.tags)])) for one in sentences]
