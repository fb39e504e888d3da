"""GLUE: nine tasks of a sentence or a pair, as tables (Wang et al., 2019)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.lines import lines_of


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


def read_glue(path: str | Path, task: str) -> list[TextExample]:
    """The examples of a file such as SST-2/train.tsv; the label is None where the file has none, as tests.

    task: one of `GLUE`. Quotation marks are part of the text. Raises ValueError, with the number of the line,
    where a row has too few columns or a label that is none.
    """
    if task not in GLUE:
        raise ValueError(f"There is no task {task!r} here: use {', '.join(GLUE)}.")
    form, lines = GLUE[task], lines_of(path, f"a file of {task}, such as {task}/dev.tsv")
    columns = lines[0].split("\t")
    if form.first in columns:
        lines[0] = ""
    elif form.columns:
        columns = list(form.columns)
    if missing := {form.first, form.second or form.first} - set(columns):
        raise ValueError(f"{path} has no column {min(missing)!r}: give a file of {task}, with its header.")
    found = []
    for number, line in enumerate(lines, start=1):
        if line:
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise ValueError(
                    f"Line {number} of {path} has {len(cells)} columns, not {len(columns)}: mend that line."
                )
            row = dict(zip(columns, cells, strict=True))
            label = _label(row[form.label], form, f"line {number} of {path}") if form.label in row else None
            found.append(TextExample(row[form.first], row[form.second] if form.second else None, label))
    return found


def _label(cell: str, form: GlueTask, where: str) -> int | float:
    """The number of a class, or a score."""
    if cell in form.classes:
        return form.classes.index(cell)
    try:
        if not form.classes:
            return float(cell)
    except ValueError:
        pass
    raise ValueError(
        f"{cell!r} in {where} is no label: give {', '.join(form.classes) or 'a number'}, or another task."
    )
