"""SQuAD: questions that words of a paragraph answer, or none do, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, is_blank, whole_examples, whole_number


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
    start_guessed: bool = False  # where the answers begin is not known: good to score, not to learn from


def read_squad(path: str | Path, encoding: str | None = None) -> Examples[QuestionExample]:
    """The questions of a SQuAD file, 1.1 or 2.0 (Rajpurkar et al., 2016 and 2018), or of one laid out flat.

    Flat is a row for each question with its `id`, `question`, `context` and `answers`, as a list, under
    "data", or a row a line, as `datasets` writes them. What `question_of` refuses is left out, and so is a
    question with the id of one before it; a warning says so with the id. encoding: another one than UTF-8, as
    Python calls it. Raises ValueError where the file has neither layout.
    """
    what = "a file of SQuAD, such as dev-v1.1.json"
    try:
        rows = list(_rows(_parsed("\n".join(lines_of(path, what, encoding)))))
    except (json.JSONDecodeError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path} is not SQuAD's JSON ({type(error).__name__}: {error}): give a file such as "
            "dev-v1.1.json."
        ) from None
    return whole_examples(path, _questions(rows), what)


def question_of(row: Mapping[str, Any], number: int = 1) -> QuestionExample | Broken:
    """The question of a row with its `context`, or why it is none; without an id it is called by its number.

    `answers` are SQuAD's list of `{"text", "answer_start"}`, or the hub's `{"text": [...], "answer_start":
    [...]}`, and a start may be 4, "4" or 4.0. Where `is_impossible` is true there are none, whatever stands
    there, as in `plausible_answers`; where it is false there has to be one.
    """
    name = str(number if row.get("id") in (None, "") else row["id"])
    try:
        flag = str(row.get("is_impossible")).lower()
        answers = () if flag in ("true", "1") else _answers(row["answers"])
        guessed = bool(row.get("answer_start_guessed", False))
        if flag not in ("true", "1", "false", "0", "none") or (flag in ("false", "0") and not answers):
            return Broken(
                f"question {name}", f"its is_impossible is {flag}, and its answers are {len(answers)}"
            )
        return checked_question(QuestionExample(name, row["question"], row["context"], answers, guessed))
    except (KeyError, TypeError, ValueError) as error:
        return Broken(f"question {name}", f"something is missing or of another kind ({error})")


def checked_question(example: QuestionExample) -> QuestionExample | Broken:
    """The question itself, if it and its paragraph have words, and each of its answers stands where it is
    said to."""
    if is_blank(example.question) or is_blank(example.context):
        return Broken(f"question {example.id}", "it has no words, or its paragraph has none")
    for answer, start in example.answers:
        if is_blank(answer) or start < 0 or not example.context.startswith(answer, start):
            return Broken(
                f"question {example.id}",
                f"its answer {answer!r} does not stand at character {start} of its paragraph",
            )
    return example


def _answers(given: Any) -> tuple[Answer, ...]:
    if isinstance(given, str):
        raise ValueError(
            f"its answers are a text, {given[:20]!r}..., not texts with their starts: save it as JSON lines"
        )
    if isinstance(given, Mapping):
        columns = (given["text"], given["answer_start"])
        texts, starts = ([one] for one in columns) if isinstance(columns[0], str) else columns
    else:
        texts, starts = [one["text"] for one in given], [one["answer_start"] for one in given]
    return tuple(Answer(text, whole_number(start)) for text, start in zip(texts, starts, strict=True))


def _parsed(text: str) -> Any:
    """What a text holds in JSON, or the list of what its lines hold."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":  # as it is behind a first line that is whole
            raise
    lines = enumerate(text.split("\n"))
    return [json.loads("\n" * above + line) for above, line in lines if line.strip()]  # errors name the line


def _rows(content: Any) -> Iterator[Mapping[str, Any]]:
    """Each question as a row with the context of its paragraph."""
    entries = content.get("data", content) if isinstance(content, Mapping) else content
    for entry in [entries] if isinstance(entries, Mapping) else entries:
        if "question" in entry:
            yield entry
        else:
            for paragraph in entry["paragraphs"]:
                yield from ({"context": paragraph.get("context")} | row for row in paragraph["qas"])


def _questions(rows: list[Mapping[str, Any]]) -> Iterator[QuestionExample | Broken]:
    ids: set[str] = set()
    for number, row in enumerate(rows, start=1):
        one = question_of(row, number)
        if isinstance(one, QuestionExample) and one.id in ids:
            yield Broken(f"question {one.id}", "a question before it has this id: give each one of its own")
        else:
            yield one
        ids |= {one.id} if isinstance(one, QuestionExample) else set()
