"""GLUE: nine tasks of a sentence or a pair, as tables (Wang et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, decimal, is_blank, whole_examples


class TextExample(NamedTuple):
    """A text or a pair of texts, and its label: a class, a score, or None where the file does not tell."""

    first: str
    second: str | None
    label: int | float | None


class GlueTask(NamedTuple):
    """The columns in which a task of GLUE has its texts and its label (Wang et al., 2019)."""

    first: str
    second: str | None
    label: str
    classes: tuple[str, ...]  # in the order of their numbers; none where the label is a score
    columns: tuple[str, ...] = ()  # of files that do not begin with them
    metrics: tuple[str, ...] = ("accuracy",)


ENTAILMENT = ("entailment", "not_entailment")
BOTH = ("accuracy", "f1")
GLUE = {
    "CoLA": GlueTask(
        "sentence", None, "label", ("0", "1"), ("source", "label", "star", "sentence"), ("matthews",)
    ),
    "SST-2": GlueTask("sentence", None, "label", ("0", "1")),
    "MRPC": GlueTask("#1 String", "#2 String", "Quality", ("0", "1"), metrics=BOTH),
    "STS-B": GlueTask("sentence1", "sentence2", "score", (), metrics=("pearson", "spearman")),
    "QQP": GlueTask("question1", "question2", "is_duplicate", ("0", "1"), metrics=BOTH),
    "MNLI": GlueTask("sentence1", "sentence2", "gold_label", ("entailment", "neutral", "contradiction")),
    "QNLI": GlueTask("question", "sentence", "label", ENTAILMENT),
    "RTE": GlueTask("sentence1", "sentence2", "label", ENTAILMENT),
    "WNLI": GlueTask("sentence1", "sentence2", "label", ("0", "1")),
}


def read_glue(path: str | Path, task: str) -> Examples[TextExample]:
    """The examples of a file such as SST-2/train.tsv; the label is None where the file has none, as tests.

    task: one of `GLUE`. Quotation marks are part of the text. A row with too few or too many columns, without
    a text, or with a label that is no class, or no decimal number from 0 to 5 in STS-B, is left out, which a
    warning says with its line. Raises ValueError where the file is none of the task's.
    """
    if task not in GLUE:
        raise ValueError(f"There is no task {task!r} here: use {', '.join(GLUE)}.")
    form, what = GLUE[task], f"a file of {task}, such as {task}/train.tsv"
    lines = lines_of(path, what)
    columns = lines[0].split("\t")
    if form.first in columns:
        lines[0] = ""
    elif form.columns:
        columns = list(form.columns)
    if missing := {form.first, form.second or form.first} - set(columns):
        raise ValueError(f"{path} has no column {min(missing)!r}: give a file of {task}, with its header.")
    return whole_examples(path, _rows(lines, columns, form), what)


def _rows(lines: list[str], columns: list[str], form: GlueTask) -> Iterator[TextExample | Broken]:
    for number, line in enumerate(lines, start=1):
        if not line:
            continue
        cells = line.split("\t")
        if len(cells) != len(columns):
            yield Broken(f"line {number}", f"it has {len(cells)} columns, not {len(columns)}")
            continue
        row = dict(zip(columns, cells, strict=True))
        try:
            label = _label(row[form.label], form) if form.label in row else None
        except ValueError as error:
            yield Broken(f"line {number}", str(error))
            continue
        example = TextExample(row[form.first], row[form.second] if form.second else None, label)
        if is_blank(example.first) or (example.second is not None and is_blank(example.second)):
            yield Broken(f"line {number}", "it has no text")
        else:
            yield example


def _label(cell: str, form: GlueTask) -> int | float:
    """The number of a class, or a grade. ValueError, without a stop at its end, for what is neither."""
    if cell.strip() in form.classes:
        return form.classes.index(cell.strip())
    with suppress(ValueError):
        if not form.classes and 0 <= decimal(cell) <= 5:
            return decimal(cell)
    raise ValueError(f"{cell!r} is none of the labels {', '.join(form.classes) or '0.0 to 5.0'}")
