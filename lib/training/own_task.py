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
from statistics import mean
from typing import Any

from lib.analysis.prediction.scores import mae
from lib.files import digest, write_json
from lib.text.tasks import TaggedSentence, TextExample
from lib.text.tasks.tables import listed, shortened
from lib.training.known_tasks import tagging, tags_of
from lib.training.own_rows import Columns as Columns
from lib.training.own_rows import Kind as Kind
from lib.training.own_rows import Split, class_name, labeled, read_splits
from lib.training.task_kinds import Classification, Regression, SpanExtraction, Tagging, Task, TaskKind

TASK = "task.json"
ONE_IN = 5  # texts are kept back to test on
SHOWN = 5  # broken rows, of which one sentence tells
FEW = 8  # rows of a class: with fewer it is hardly learned
MOST_CLASSES = 200
OFTEN = 0.02  # of all rows: a text that stands in more of them may be no text
# as SNLI, R, SQL and tables write that there is none
NO_LABEL = re.compile(r"[-?.]+|-1|n[/.]?a\.?|null|none|\\n|#n/a|#nv|#.+[!?]|not available", re.IGNORECASE)
TEST_SPLITS = ("test", "validation", "dev")  # also those whose names begin so, as validation_matched does
#: of each kind, what a row is learned for, and when no row can be kept back
LEARNED: dict[Kind, tuple[str, str]] = {
    "classes": ("class", "no class has two different texts"),
    "grades": ("grade", "all have one text"),
    "tags": ("tags", "there is one sentence"),
    "questions": ("answers", "all questions are about one paragraph"),
}


@dataclass(frozen=True)
class OwnTask:
    """A task, and what there is to say of its rows before the first step.

    data: the file's name and digest. kept_back: the places of the rows that are tested on, in a file that has
    no test rows of its own. baseline: what always saying the same scores (`_always`).
    """

    task: Task
    columns: Columns
    remarks: list[str]
    data: Mapping[str, str]
    kept_back: list[int] = field(default_factory=list)
    baseline: Mapping[str, float] = field(default_factory=dict)

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

    test: a file of rows to test on. Without one, and without a split of TEST_SPLITS that has labels, one text
    in five is kept back, of each class alike and with all rows that equal it. labels: the names of the
    classes, or tags, of a model that is there already. kept_back: which rows it has not learned. Raises
    ValueError, a sentence with the rows, where a text is empty, a grade is no number or a class none of
    `labels`, and where fewer than two classes or no rows to test on are left.
    """
    train, tested, remarks = _chosen(data, columns, test)
    if tested is not None:
        places, kept = list[int](), tested.examples
    else:
        places = list(kept_back) if kept_back is not None else _kept_back(train.examples)
        kept = [train.examples[place] for place in places]
    left_out = set(places)
    learned = [example for place, example in enumerate(train.examples) if place not in left_out]
    learned, kept = labeled(learned), labeled(kept)
    kind = _kind(columns, learned, kept, labels)
    if not kept or not learned:
        raise ValueError(
            f"{data} has too few rows to learn from some and test on others, as {LEARNED[columns.kind][1]}: "
            "give more, or others to test on, --test FILE."
        )
    if tested is None:
        remarks.append(f"{len(kept):,} rows are kept back to test on, {len(learned):,} are learned.")
    same, baseline = _always(learned, kept, kind)
    return OwnTask(
        Task(Path(data).stem, kind, _numbered(learned, kind), _numbered(kept, kind)),
        columns,
        [*remarks, *_remarks(learned, kept, kind, same, baseline)],
        {"name": Path(data).name, "digest": digest_of(data)},
        places,
        baseline,
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
# Which rows are tested on, and what is learned


def _chosen(
    data: str | Path, columns: Columns, test: str | Path | None
) -> tuple[Split, Split | None, list[str]]:
    """The split to learn from, one to test on if there is one, and remarks on how both were read."""
    for one in (data,) if test is None else (data, test):
        if not isinstance(one, str | Path):
            raise ValueError(
                f"A {type(one).__name__} is no path of a file: save it, as df.to_csv('my.csv', index=False) "
                "does, and give that."
            )
    splits = read_splits(Path(data), columns)
    train = _main_split(data, splits)
    if test is None:
        tested = _test_split(splits, train)
    else:
        tested = _main_split(test, read_splits(Path(test), columns))
        if why := _why_untested(tested, train):
            raise ValueError(f"{test} is nothing to test on: {why}.")
    used = [train] if tested is None else [train, tested]
    _validate_rows(used, columns)
    remarks = [remark for split in used for remark in split.remarks]
    reasons = {name: _why_untested(split, train) for name, split in splits.items() if split not in used}
    if reasons:
        named = ", ".join(f"{name} ({why})" if why else name for name, why in reasons.items())
        remarks.append(f"{data}: not used are the rows of {named}.")
    return train, tested, remarks


def _main_split(data: str | Path, splits: Mapping[str, Split]) -> Split:
    if len(splits) > 1 and "train" not in splits:
        raise ValueError(f"{data} has the splits {', '.join(splits)}: name the file of one.")
    return splits.get("train") or next(iter(splits.values()))


def _test_split(splits: Mapping[str, Split], train: Split) -> Split | None:
    """The first that is meant to test on and can be."""
    meant = [splits[name] for start in TEST_SPLITS for name in sorted(splits) if name.startswith(start)]
    return next((split for split in meant if not _why_untested(split, train)), None)


def _why_untested(split: Split, train: Split) -> str:
    """Why a split cannot tell how labels are learned; "" where it can, or rows have to be mended first."""
    tested, learned = labeled(split.examples), labeled(train.examples)
    if split.broken or train.broken or not learned:
        return ""
    if not tested:
        return "no row has a label"
    if not isinstance(tested[0], TextExample):
        return ""
    labels = {example.label for example in tested}
    if isinstance(tested[0].label, float):
        return f"all rows have the grade {tested[0].label:g}" if len(labels) == 1 else ""
    if labels & {example.label for example in learned}:
        return ""
    return f"its classes, such as {shortened(min(labels))}, are not learned"


def _validate_rows(splits: Sequence[Split], columns: Columns) -> None:
    """ValueError where rows are broken, which counts all and shows the first, or where none has a label."""
    if faults := [_fault(split) for split in splits if split.broken]:
        raise ValueError(f"{' '.join(faults)} Mend these rows, or take them out.")
    if not labeled(splits[0].examples):
        raise ValueError(
            f"{splits[0].path}: {columns.learned!r} holds no {LEARNED[columns.kind][0]} but None: name the "
            "column that does."
        )


def _fault(split: Split) -> str:
    broken, count = split.broken, len(split.broken) + len(split.examples)
    first = "; ".join(": ".join(one) for one in broken[:SHOWN])
    more = f"; and {len(broken) - SHOWN:,} more" if len(broken) > SHOWN else ""
    return f"{split.path}: {len(broken):,} of {count:,} rows can't be learned from: {first}{more}."


def _same(example: Any) -> Any:
    """What examples that have to stay together have in common: their text."""
    if isinstance(example, TextExample):
        return example.first, example.second
    return tuple(example.words) if isinstance(example, TaggedSentence) else example.context


def _kept_back(examples: Sequence[Any]) -> list[int]:
    """The places of one text in ONE_IN, of each class alike, from a fixed seed; of none without a label.

    Where no class has three texts, one is kept back of as many of those that have two.
    """
    groups: dict[Any, list[int]] = {}
    for place, example in enumerate(examples):
        if example is not None:
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
    if not chosen:
        pairs = [of_class for of_class in by_class.values() if len(of_class) == 2]
        for of_class in draw.sample(pairs, min(len(pairs), max(1, round(len(groups) / ONE_IN)))):
            chosen += draw.choice(of_class)
    return sorted(chosen)


def _kind(columns: Columns, learned: Sequence[Any], kept: Sequence[Any], labels: Sequence[str]) -> TaskKind:
    if columns.kind == "questions":
        return SpanExtraction()
    if columns.kind == "grades":
        if len({example.label for example in learned}) == 1:
            raise ValueError(
                f"All rows to learn from have the grade {learned[0].label:g}: there is nothing to tell apart."
            )
        return Regression(("pearson", "spearman", "mae"))
    if columns.kind == "tags":
        return _tagging([*learned, *kept], labels)
    return _classification(columns, {example.label for example in [*learned, *kept]}, labels)


def _tagging(sentences: Sequence[TaggedSentence], labels: Sequence[str]) -> Tagging:
    tags = tags_of(sentences)
    if labels and not {*tags} <= {*labels}:
        raise ValueError(
            f"The rows have the tag {min({*tags} - {*labels})!r}, the model has {', '.join(labels)}."
        )
    if len(tags) == 1:
        raise ValueError(f"All words have the tag {tags[0]!r}: there is nothing to tell apart.")
    return tagging(labels or tags)


def _classification(columns: Columns, there: set[str], labels: Sequence[str]) -> Classification:
    if labels:
        names = tuple(map(class_name, labels))
        if unknown := there - {*names}:
            raise ValueError(
                f"The rows have the class {shortened(min(unknown))}, the model has {', '.join(names)}: write "
                "its classes into the rows, or fine-tune a model on yours."
            )
        return Classification(names, ("accuracy", "macro_f1"))
    if len(there) < 2:
        raise ValueError(f"All rows have the class {shortened(*there)}: there is nothing to tell apart.")
    if len(there) > MOST_CLASSES or any(_is_fraction(label) for label in there):
        raise ValueError(
            f"{columns.label!r} has {len(there)} different values, such as {shortened(min(there))}: for "
            "grades give --kind grades; classes are words or whole numbers."
        )
    whole = all(label.removeprefix("-").isdecimal() for label in there)
    return Classification(tuple(sorted(sorted(there), key=int if whole else None)), ("accuracy", "macro_f1"))


def _is_fraction(label: str) -> bool:
    whole, _, part = label.lstrip("-").partition(".")
    return whole.isdecimal() and part.isdecimal()


def _numbered(examples: Sequence[Any], kind: TaskKind) -> list[Any]:
    """The examples with the numbers of their classes."""
    if not isinstance(kind, Classification):
        return list(examples)
    return [example._replace(label=kind.labels.index(example.label)) for example in examples]


def _always(learned: Sequence[Any], kept: Sequence[Any], kind: TaskKind) -> tuple[Any, dict[str, float]]:
    """The commonest class or tag, or the mean, of what is learned, and what always saying it scores."""
    if isinstance(kind, Regression):
        tested = [example.label for example in kept]
        middle = mean(example.label for example in learned)
        return middle, {"mae": mae([middle] * len(tested), tested)}
    if isinstance(kind, SpanExtraction) or kind.metric != "accuracy":
        return None, {}
    counts, tests = (
        Counter(label for example in rows for label in _labels(example)) for rows in (learned, kept)
    )
    same = max(counts, key=lambda label: counts[label])
    return same, {"accuracy": tests[same] / tests.total()}


def _labels(example: Any) -> Sequence[str]:
    """The class of a text, or the tags of its words."""
    return example.tags if isinstance(example, TaggedSentence) else [example.label]


def _remarks(
    learned: Sequence[Any], kept: Sequence[Any], kind: TaskKind, same: Any, baseline: Mapping[str, float]
) -> Iterator[str]:
    """What is worth knowing before the first step: what is easily reached, and what rows can't tell.

    same, baseline: of `_always`.
    """
    if isinstance(kind, Classification):
        counts = Counter(example.label for example in learned)
        rows_of = ", ".join(f"{name} ({counts[name]:,})" for name in kind.labels)
        yield f"Classes, with rows to learn from: {rows_of}."
        yield f"Always saying {same!r} is right for {baseline['accuracy']:.1%} of the test rows."
        yield from _remarks_on_classes(learned, kept, kind)
    if isinstance(kind, Regression):
        off = baseline["mae"]
        yield f"Always saying {same:.3f}, the mean, is off by {off:.3f} on average (mae) on the test rows."
    if isinstance(kind, Tagging) and baseline:
        yield "No tag marks where an entity begins, as B-PER does: words are scored (accuracy), not entities."
        yield f"Always saying {same!r} is right for {baseline['accuracy']:.1%} of the test words."
    shared = {_same(example) for example in learned} & {_same(example) for example in kept}
    if shared and not isinstance(kind, SpanExtraction):
        yield f"Careful: {len(shared):,} texts are in the rows to learn from and in the test rows, too."
    if isinstance(kind, Classification | Regression):
        texts = Counter(_same(example) for example in (*learned, *kept))
        often = [one for one in texts.most_common(SHOWN) if one[1] >= max(SHOWN, OFTEN * texts.total())]
        named = ", ".join(f"{shortened(text)} ({count:,})" for (text, _), count in often)
        if named:
            yield f"Careful: texts that stand in many of the {texts.total():,} rows: {named}."


def _remarks_on_classes(learned: Sequence[Any], kept: Sequence[Any], kind: Classification) -> Iterator[str]:
    counts, tested = (Counter(example.label for example in rows) for rows in (learned, kept))
    unknown = [label for label in kind.labels if not counts[label] and tested[label]]
    few = [label for label in kind.labels if label not in unknown and counts[label] < FEW]
    untested = [label for label in kind.labels if not tested[label] and label not in few]
    parts_of = {label: re.split(r"\s*[,;|/+]\s*", label) for label in kind.labels}
    several = [label for label, parts in parts_of.items() if len(parts) > 1 and {*parts} <= {*kind.labels}]
    bare = {*map(_bare, kind.labels)}
    signed = bare <= {"-1", "0", "1"} or not bare.isdisjoint({"-2", "+"})
    lacking = [
        label for label in kind.labels if NO_LABEL.fullmatch(label) and not (signed and label.startswith("-"))
    ]
    for labels, what in (
        (lacking, "that look like no label (take their rows out, if so)"),
        (unknown, "in test rows only, which can't be learned"),
        (few, f"with fewer than {FEW} rows to learn from"),
        (untested, "without a test row, so that no score tells how they are learned"),
        (several, "that name several, where a text has one"),
    ):
        if labels:
            yield f"Careful: classes {what}: {listed(labels)}."
    alike: dict[str, list[str]] = {}
    for label in kind.labels:
        alike.setdefault(_bare(label), []).append(repr(label))
    for names in alike.values():
        if len(names) > 1:
            yield (
                f"Careful: classes {' and '.join(names)} differ in case or zeros, marks or spaces: write "
                "alike what is one."
            )
    labels_of: dict[Any, set[str]] = {}
    for example in (*learned, *kept):
        labels_of.setdefault(_same(example), set()).add(example.label)
    if unsure := sum(len(labels) > 1 for labels in labels_of.values()):
        yield f"Careful: {unsure:,} texts stand there several times, with different classes."


def _bare(label: str) -> str:
    """What of a class is compared: not its case, zeros in front, spaces and marks except before digits."""
    dashed = re.sub("[‐–—−]", "-", label.casefold())
    bare = re.sub(r"""[\s_'’‘"“”.,;:!?()](?!\d)|-(?=\s?[^\W\d])""", "", dashed)
    return re.sub("^0+(?=.)", "", bare) or label
