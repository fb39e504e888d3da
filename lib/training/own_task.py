"""A task made of somebody's own rows: classes, grades, tags or questions, some kept back to test on.

    own = read_own_task("my.csv", Columns(text="review", label="stars"))
    print(*own.remarks, sep="\\n")     # how the file was read, how many rows a class has, what is tested on
    fine_tune(fresh_model(own.task), tokenizer, own.task)
    own.save(folder)

Beside a model, `task.json` says which columns it reads, how its classes are called and which rows were kept
back, so that the next command tests on nothing that the model has learned.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from lib.files import digest, write_json
from lib.text.tasks import Broken, QuestionExample, TaggedSentence, TextExample, read_conll, read_squad
from lib.text.tasks.entity_tags import iob2, mark_entities
from lib.text.tasks.reading import decimal, is_blank
from lib.text.tasks.squad import question_of
from lib.text.tasks.tables import read_tables
from lib.training.known_tasks import tags_of
from lib.training.task_kinds import Classification, Regression, SpanExtraction, Tagging, Task, TaskKind

TASK = "task.json"
ONE_IN = 5  # texts are kept back to test on
FEW = 8  # rows of a class: with fewer it is hardly learned
MOST_CLASSES = 200

Kind = Literal["classes", "grades", "tags", "questions"]


@dataclass(frozen=True)
class Columns:
    """Which columns of a table hold what, and what is learned of the text."""

    text: str = "text"
    label: str = "label"
    second: str | None = None  # the second text of a pair
    kind: Kind = "classes"
    encoding: str | None = None  # of a text file, as Python names it; None: it is found out


@dataclass(frozen=True)
class OwnTask:
    """A task, and what there is to say of its rows before the first step.

    data: the file's name and digest. kept_back: the places of the examples that are tested on, in a file that
    has no test rows of its own.
    """

    task: Task
    columns: Columns
    remarks: list[str]
    data: Mapping[str, str]
    kept_back: list[int] = field(default_factory=list)

    def save(self, folder: str | Path) -> None:
        """Write beside a model what the next command has to know."""
        about = {"columns": asdict(self.columns), "data": self.data, "kept_back": self.kept_back}
        write_json(Path(folder, TASK), about)


def read_own_task(
    data: str | Path,
    columns: Columns,
    test: str | Path | None = None,
    labels: Sequence[str] = (),
    kept_back: Sequence[int] | None = None,
) -> OwnTask:
    """The task of a table (`read_tables`), of CoNLL's columns for tags, of SQuAD's JSON for questions.

    test: a file of rows to test on. Without one, and without a split of that name, one text in five is kept
    back, of each class alike and with all rows that equal it. labels: the names of the classes, or tags, of a
    model that is there already. kept_back: which rows it has not learned. Raises ValueError, a sentence with
    the row, where a text is empty, a grade is no number or a class none of `labels`, and where fewer than two
    classes or no rows to test on are left.
    """
    splits = _splits(Path(data), columns)
    if test is not None:
        splits = {"train": _only(splits), "test": _only(_splits(Path(test), columns))}
    remarks = [
        f"{data}: {len(found):,} {name} rows, {found.format}.".replace("  ", " ")
        for name, found in splits.items()
    ]
    kind = _kind(columns, [example for found in splits.values() for example in found.examples], labels)
    tested = next((splits[name] for name in ("test", "validation", "dev") if name in splits), None)
    train = splits.get("train") or _only(splits)
    if tested is not None:
        learned, kept = list(train.examples), list(tested.examples)
        places = list[int]()
    else:
        places = list(kept_back) if kept_back is not None else _kept_back(train.examples)
        kept = [train.examples[place] for place in places]
        left_out = set(places)
        learned = [example for place, example in enumerate(train.examples) if place not in left_out]
        remarks.append(f"{len(kept):,} of them are kept back to test on, {len(learned):,} are learned.")
    if not kept or not learned:
        raise ValueError(
            f"{data} has too few rows to learn from some and test on others: give at least {ONE_IN}."
        )
    return OwnTask(
        Task(Path(data).stem, kind, _numbered(learned, kind), _numbered(kept, kind)),
        columns,
        [*remarks, *_remarks(learned, kept, kind)],
        {"name": Path(data).name, "digest": digest_of(data)},
        places,
    )


def columns_of(model: str | Path) -> Columns:
    """The columns that a model was fine-tuned on, as its `task.json` tells, or the usual ones."""
    about = Path(model, TASK)
    if not about.is_file():
        return Columns()
    return Columns(**json.loads(about.read_text(encoding="utf-8"))["columns"])


def load_own_task(
    model: str | Path,
    data: str | Path,
    columns: Columns | None = None,
    labels: Sequence[str] = (),
    test: str | Path | None = None,
) -> OwnTask:
    """The task that a model was fine-tuned on, as its `task.json` tells, or of other rows for it.

    columns: where nothing lies beside the model. In a file that it has not learned from, rows are kept back
    as `read_own_task` does, and a remark says what is not known of them. ValueError where the model has
    learned all rows of the file and there are no others to test on.
    """
    about = Path(model, TASK)
    known = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else None
    same = known is not None and known["data"]["digest"] == digest_of(data)
    kept_back = known["kept_back"] if known and same and test is None else None
    own = read_own_task(data, columns or columns_of(model), test, labels, kept_back or None)
    if same and own.kept_back and not kept_back:
        raise ValueError(f"The model has learned all rows of {data}: give others to test on, --test FILE.")
    if not same and own.kept_back:
        own.remarks.append(
            f"Careful: nothing says whether the model has learned rows of {data}. Of rows that it has "
            "learned, scores are too good."
        )
    return own


def digest_of(data: str | Path) -> str:
    """The digest of a file, or of all files of a folder."""
    if Path(data).is_file():
        return digest(data)
    inside = sorted(path for path in Path(data).rglob("*") if path.is_file())
    return " ".join(digest(path)[:16] for path in inside)


# ---------------------------------------------------------------------------------------------
# Rows become examples


@dataclass(frozen=True)
class Found:
    """The examples of a split, with labels as the file has them."""

    examples: list[Any]
    format: str

    def __len__(self) -> int:
        return len(self.examples)


def _splits(data: Path, columns: Columns) -> dict[str, Found]:
    if columns.kind == "tags" and data.is_file() and data.suffix not in (".jsonl", ".parquet"):
        return {"": Found(list(read_conll(data)), "in columns")}
    if columns.kind == "questions" and data.is_file() and data.suffix == ".json":
        return {"": Found(list(read_squad(data)), "in the form of SQuAD")}
    if columns.kind == "questions":
        wanted: tuple[str, ...] = ("question", "context", "answers")
    else:
        wanted = tuple(filter(None, (columns.text, columns.second, columns.label)))
    made = {"classes": _text, "grades": _graded, "tags": _tagged, "questions": _question}[columns.kind]
    splits = {}
    for name, table in read_tables(data, wanted).items():
        examples = []
        for row, where in zip(table.rows, table.where, strict=True):
            try:
                examples.append(made(row, columns))
            except ValueError as error:
                raise ValueError(f"{data / name}, {where}: {error}") from None
        splits[name] = Found(examples, table.format)
    return splits


def _text(row: Mapping[str, Any], columns: Columns) -> TextExample:
    texts = [row[name] for name in (columns.text, columns.second) if name]
    for name, text in zip((columns.text, columns.second), texts, strict=False):
        if not isinstance(text, str) or is_blank(text):
            raise ValueError(f"{name!r} holds no text but {text!r}: fill it, or take the row out.")
    return TextExample(
        texts[0], texts[1] if columns.second else None, _label(row[columns.label], columns.label)
    )


def _label(value: Any, column: str) -> Any:
    """A class as a word: 3, 3.0, "3.0" and " 3 " are one class."""
    if isinstance(value, bool):
        return str(value).lower()
    label = "" if value is None else str(value).strip()
    if not label or label.lower() == "nan":
        raise ValueError(f"{column!r} holds no class but {value!r}: fill it, or take the row out.")
    return re.sub(r"^(-?\d+)\.0+$", r"\1", label)


def _graded(row: Mapping[str, Any], columns: Columns) -> TextExample:
    try:
        grade = decimal(row[columns.label])
    except ValueError as error:
        raise ValueError(f"{columns.label!r} holds no grade: {error}.") from None
    return _text({**row, columns.label: "a grade"}, columns)._replace(label=grade)


def _tagged(row: Mapping[str, Any], columns: Columns) -> TaggedSentence:
    words, tags = row[columns.text], row[columns.label]
    if not isinstance(words, list) or not isinstance(tags, list) or len(words) != len(tags) or not words:
        raise ValueError(f"{columns.text!r} and {columns.label!r} should be lists of as many words as tags.")
    tags = [str(tag) for tag in tags]
    return TaggedSentence([str(word) for word in words], iob2(tags) if mark_entities(tags) else tags)


def _question(row: Mapping[str, Any], columns: Columns) -> QuestionExample:
    question = question_of(row)
    if isinstance(question, Broken):
        raise ValueError(f"{question.where}: {question.why}.")
    return question


def _only(splits: Mapping[str, Found]) -> Found:
    if len(splits) > 1 and "train" not in splits:
        raise ValueError(f"The folder has the splits {', '.join(splits)}: name the file of one.")
    return splits.get("train") or next(iter(splits.values()))


# ---------------------------------------------------------------------------------------------
# Which rows are tested on, and what is learned


def _same(example: Any) -> Any:
    """What examples that have to stay together have in common: their text."""
    if isinstance(example, TextExample):
        return example.first, example.second
    return tuple(example.words) if isinstance(example, TaggedSentence) else example.context


def _kept_back(examples: Sequence[Any]) -> list[int]:
    """The places of one text in ONE_IN, of each class alike, drawn from a fixed seed."""
    groups: dict[Any, list[int]] = {}
    for place, example in enumerate(examples):
        groups.setdefault(_same(example), []).append(place)
    by_class: dict[Any, list[list[int]]] = {}
    for places in groups.values():
        first = examples[places[0]]
        label = first.label if isinstance(first, TextExample) and isinstance(first.label, str) else ""
        by_class.setdefault(label, []).append(places)
    draw, chosen = random.Random(0), list[int]()
    for of_class in by_class.values():
        for places in draw.sample(of_class, round(len(of_class) / ONE_IN)):
            chosen += places
    return sorted(chosen)


def _kind(columns: Columns, examples: Sequence[Any], labels: Sequence[str]) -> TaskKind:
    if columns.kind == "questions":
        return SpanExtraction()
    if columns.kind == "grades":
        return Regression()
    if columns.kind == "tags":
        tags = tags_of(examples)
        if labels and not {*tags} <= {*labels}:
            raise ValueError(
                f"The rows have the tag {min({*tags} - {*labels})!r}, the model has {', '.join(labels)}."
            )
        return Tagging(tuple(labels) or tags)
    there = {example.label for example in examples}
    if labels:
        if unknown := there - {*labels}:
            raise ValueError(
                f"The rows have the class {min(unknown)!r}, the model has {', '.join(labels)}: write its "
                "classes into the rows, or fine-tune a model on yours."
            )
        return Classification(tuple(labels), ("accuracy", "macro_f1"))
    if len(there) < 2:
        raise ValueError(f"All rows have the class {there.pop()!r}: there is nothing to tell apart.")
    if len(there) > MOST_CLASSES or any(_is_fraction(label) for label in there):
        raise ValueError(
            f"{columns.label!r} has {len(there)} different values, such as {min(there)!r}: for grades give "
            "--kind grades; classes are words or whole numbers."
        )
    whole = all(label.removeprefix("-").isdecimal() for label in there)
    return Classification(tuple(sorted(there, key=int if whole else None)), ("accuracy", "macro_f1"))


def _is_fraction(label: str) -> bool:
    whole, _, part = label.lstrip("-").partition(".")
    return whole.isdecimal() and part.isdecimal()


def _numbered(examples: Sequence[Any], kind: TaskKind) -> list[Any]:
    """The examples with the numbers of their classes."""
    if not isinstance(kind, Classification):
        return list(examples)
    return [example._replace(label=kind.labels.index(example.label)) for example in examples]


def _remarks(learned: Sequence[Any], kept: Sequence[Any], kind: TaskKind) -> Iterator[str]:
    """What is worth knowing before the first step: classes and their rows, and texts on both sides."""
    if isinstance(kind, Classification):
        counts, tested = (Counter(example.label for example in rows) for rows in (learned, kept))
        rows_of = ", ".join(f"{name} ({counts[name]:,})" for name in kind.labels)
        yield f"Classes, with rows to learn from: {rows_of}."
        name = max(counts, key=lambda label: counts[label])
        yield f"Always saying {name!r} is right for {tested[name] / len(kept):.1%} of the test rows."
        for label in kind.labels:
            if not counts[label] and tested[label]:
                yield f"Careful: the class {label!r} is in test rows only, so it can't be learned."
            elif counts[label] < FEW:
                yield f"Careful: the class {label!r} has {counts[label]} rows to learn from, which are few."
            elif not tested[label]:
                yield f"Careful: no test row has the class {label!r}, so no score tells how it is learned."
    shared = {_same(example) for example in learned} & {_same(example) for example in kept}
    if shared and not isinstance(kind, SpanExtraction):
        yield f"Careful: {len(shared):,} texts are in the rows to learn from and in the test rows, too."
