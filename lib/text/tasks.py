"""Task data sets: examples from the usual files of the public sets, and padded, numbered batches of them.

GLUE comes as tables (.tsv), SQuAD as JSON, entities in the columns of CoNLL. What is encoded bears the names
that the heads of `lib.bert` and of `transformers` have for it, so that `model(**batches(number))` is a loss.

Sizes in the comments: B rows, T pieces in the longest row of a batch.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lib.bert import WordPieceTokenizer
from lib.text.masking import IGNORED

#: an encoded example: a list where there is a number for each piece, a number where there is one for all
Row = Mapping[str, Any]

LONGEST_QUESTION = 64  # pieces; what is longer is cut, as in Devlin et al.'s run_squad.py


# --- GLUE -----------------------------------------------------------------------------------------


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


ENTAILMENT = ("entailment", "not_entailment")
GLUE = {
    "CoLA": GlueTask("sentence", None, "label", ("0", "1"), ("source", "label", "star", "sentence")),
    "SST-2": GlueTask("sentence", None, "label", ("0", "1")),
    "MRPC": GlueTask("#1 String", "#2 String", "Quality", ("0", "1")),
    "STS-B": GlueTask("sentence1", "sentence2", "score", ()),
    "QQP": GlueTask("question1", "question2", "is_duplicate", ("0", "1")),
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
    form, lines = GLUE[task], _lines(path, f"a file of {task}, such as {task}/dev.tsv")
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


# --- SQuAD ----------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """Words of a paragraph that answer a question, and where in it they begin, in characters."""

    text: str
    start: int


class QuestionExample(NamedTuple):
    """A question on a paragraph; no answers where the paragraph has none (SQuAD 2.0)."""

    id: str
    question: str
    context: str
    answers: tuple[Answer, ...]


def read_squad(path: str | Path) -> list[QuestionExample]:
    """The questions of a SQuAD file, 1.1 or 2.0 (Rajpurkar et al., 2016 and 2018).

    Raises ValueError where the file is not SQuAD's JSON or an answer does not stand where it is said to.
    """
    text = "\n".join(_lines(path, "a file of SQuAD, such as dev-v1.1.json"))
    try:
        examples = [
            QuestionExample(
                asked["id"],
                asked["question"],
                paragraph["context"],
                tuple(Answer(answer["text"], answer["answer_start"]) for answer in asked["answers"]),
            )
            for article in json.loads(text)["data"]
            for paragraph in article["paragraphs"]
            for asked in paragraph["qas"]
        ]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not SQuAD's JSON ({type(error).__name__}: {error}): give a file such as "
            "dev-v1.1.json."
        ) from None
    for example in examples:
        for answer, start in example.answers:
            if example.context[start : start + len(answer)] != answer:
                raise ValueError(
                    f"{path}: the answer {answer!r} to question {example.id} does not stand at character "
                    f"{start} of its paragraph: mend its answer_start."
                )
    return examples


# --- CoNLL ----------------------------------------------------------------------------------------


class TaggedSentence(NamedTuple):
    """Words, and a tag for each, such as B-person, I-person, O."""

    words: list[str]
    tags: list[str]


def read_conll(path: str | Path) -> list[TaggedSentence]:
    """The sentences of a file in columns: a word a line, the word first, its tag last, blank lines between.

    Columns are parted by a tab, or by spaces where there is none (Tjong Kim Sang and De Meulder, 2003; their
    lines -DOCSTART- are passed over). Raises ValueError, with the number of the line, for a word with no tag.
    """
    sentences = [TaggedSentence([], [])]
    for number, line in enumerate(_lines(path, "a file in CoNLL's columns, such as train.conll"), start=1):
        if not line.strip() or line.startswith("-DOCSTART-"):
            sentences.append(TaggedSentence([], []))
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) < 2 or not cells[0] or not cells[-1]:
            raise ValueError(
                f"Line {number} of {path} is {line!r}, not a word and its tag: part them by a tab."
            )
        sentences[-1].words.append(cells[0])
        sentences[-1].tags.append(cells[-1])
    return [sentence for sentence in sentences if sentence.words]


def _lines(path: str | Path, what: str) -> list[str]:
    """The lines of a text file in UTF-8, with or without a mark of byte order; only line ends cut them."""
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}: name {what}.")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not in UTF-8 ({error}): name {what}, in UTF-8.") from None
    return text.split("\n")


# --- encoding -------------------------------------------------------------------------------------


def encode_texts(
    examples: Sequence[TextExample], tokenizer: WordPieceTokenizer, max_length: int = 128
) -> list[Row]:
    """Rows of at most `max_length` pieces for sequence classification or regression; `labels` where known."""
    rows: list[Row] = []
    for first, second, label in examples:
        encoded = tokenizer(first, second, max_length)
        row: dict[str, Any] = {name: encoded[name][0].tolist() for name in ("input_ids", "token_type_ids")}
        rows.append(row if label is None else row | {"labels": label})
    return rows


def encode_tags(
    sentences: Sequence[TaggedSentence],
    tokenizer: WordPieceTokenizer,
    tags: Sequence[str],
    max_length: int = 128,
) -> list[Row]:
    """Rows for token classification: a tag's place in `tags` at the first piece of each word.

    The loss leaves out all other pieces (Devlin et al., 2019, section 5.3), and so does a row what does not
    fit into `max_length` pieces.
    """
    numbers = {tag: number for number, tag in enumerate(tags)}
    rows: list[Row] = []
    for sentence in sentences:
        if unknown := [tag for tag in sentence.tags if tag not in numbers]:
            raise ValueError(f"{unknown[0]!r} is none of the tags {', '.join(tags)}: add it to them.")
        pieces: list[int] = []
        labels: list[int] = []
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            ids = tokenizer.encode(word)[1:-1]
            pieces += ids
            labels += [numbers[tag], *[IGNORED] * (len(ids) - 1)][: len(ids)]  # a word may have no piece
        room = max_length - 2
        rows.append(
            {
                "input_ids": [tokenizer.cls_token_id, *pieces[:room], tokenizer.sep_token_id],
                "token_type_ids": [0] * (min(len(pieces), room) + 2),
                "labels": [IGNORED, *labels[:room], IGNORED],
            }
        )
    return rows


class QuestionWindow(NamedTuple):
    """A question with as much of its paragraph as fits into a row."""

    question: int  # its place among the questions
    row: Row
    spans: list[tuple[int, int]]  # of each piece in the paragraph's characters; (0, 0) for other pieces


def encode_questions(
    questions: Sequence[QuestionExample],
    tokenizer: WordPieceTokenizer,
    max_length: int = 384,
    stride: int = 128,
) -> list[QuestionWindow]:
    """Rows [CLS] question [SEP] paragraph [SEP]; a long paragraph gives several, each `stride` pieces on.

    `start_positions` and `end_positions` are the first answer's first and last piece, or both 0, the place of
    [CLS], where the window does not hold all of it or there is none (Devlin et al., 2019, section 4.3).
    """
    found = []
    for number, (_, question, context, answers) in enumerate(questions):
        asked = tokenizer.encode(question)[1:-1][:LONGEST_QUESTION]
        ids, spans = tokenizer.encode(context)[1:-1], tokenizer.offsets(context)[1:-1]
        first, last = _places(answers[0], spans) if answers else (-1, -1)
        room, before = max_length - len(asked) - 3, len(asked) + 2
        if room < 1 or stride < 1:
            raise ValueError(
                f"{max_length} pieces and a stride of {stride} leave no room beside a question of "
                f"{len(asked)}: enlarge them."
            )
        step = min(stride, room)
        for begin in range(0, max(len(ids) - room, 0) + step, step):
            window, inside = ids[begin : begin + room], spans[begin : begin + room]
            is_inside = begin <= first and last < begin + len(window)
            row: Row = {
                "input_ids": [
                    *(tokenizer.cls_token_id, *asked, tokenizer.sep_token_id),
                    *(*window, tokenizer.sep_token_id),
                ],
                "token_type_ids": [0] * before + [1] * (len(window) + 1),
                "start_positions": first - begin + before if is_inside else 0,
                "end_positions": last - begin + before if is_inside else 0,
            }
            found.append(QuestionWindow(number, row, [*[(0, 0)] * before, *inside, (0, 0)]))
    return found


def _places(answer: Answer, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first and the last piece that an answer shares a character with; (-1, -1) if there is none."""
    end = answer.start + len(answer.text)
    touched = [place for place, (begins, ends) in enumerate(spans) if begins < end and ends > answer.start]
    return (touched[0], touched[-1]) if touched else (-1, -1)


# --- batches --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TaskBatches:
    """All batches of encoded examples: `batches(number)` makes one, and always the same for the same number.

    Each epoch has `size` batches and reads every row once, in an order of its own that `seed` decides, or in
    the order of the rows where there is no seed, as for scoring. An epoch's last batch may be smaller.
    """

    rows: Sequence[Row]
    pad_id: int = 0
    batch_size: int = 32
    seed: int | None = 0

    def __post_init__(self) -> None:
        if not self.rows or self.batch_size < 1:
            raise ValueError(
                f"{len(self.rows)} rows in batches of {self.batch_size}: give at least 1 row, and at least 1 "
                "to a batch."
            )
        if any(row.keys() != self.rows[0].keys() for row in self.rows):
            raise ValueError("Some rows have a label and others none: make batches of one kind.")

    @property
    def size(self) -> int:
        """Batches in an epoch."""
        return -(-len(self.rows) // self.batch_size)

    @cached_property
    def fingerprint(self) -> dict[str, Any]:
        """All that the numbers in a batch depend on, as JSON."""
        found = hashlib.sha256()
        for row in self.rows:
            found.update(json.dumps(row, sort_keys=True).encode() + b"\n")
        return {
            "kind": "task",
            "rows": found.hexdigest(),
            "pad_id": self.pad_id,
            "batch_size": self.batch_size,
            "seed": self.seed,
        }

    def __call__(self, number: int) -> dict[str, Tensor]:
        """Batch `number`, from 0: `input_ids`, `attention_mask`, `token_type_ids` [B, T] and what is asked.

        `labels` are [B], or [B, T] for a label a piece; `start_positions` and `end_positions` are [B].
        """
        epoch, place = divmod(number, self.size)
        order = _order(len(self.rows), self.seed, epoch)[place * self.batch_size :][: self.batch_size]
        rows = [self.rows[row] for row in order]
        fill = {"input_ids": self.pad_id, "labels": IGNORED}
        batch = {name: _stacked([row[name] for row in rows], fill.get(name, 0)) for name in rows[0]}
        batch["attention_mask"] = _stacked([[1] * len(row["token_type_ids"]) for row in rows], 0)
        return batch


def _stacked(values: list[Any], fill: int) -> Tensor:
    """Numbers as [B]; lists, filled up to the longest, as [B, T]."""
    if isinstance(values[0], list):
        return pad_sequence([torch.tensor(value) for value in values], batch_first=True, padding_value=fill)
    return torch.tensor(values)


@lru_cache(maxsize=4)
def _order(count: int, seed: int | None, epoch: int) -> list[int]:
    """The order of so many rows in an epoch."""
    if seed is None:
        return list(range(count))
    order: list[int] = np.random.default_rng([seed, 0, epoch]).permutation(count).tolist()
    return order
