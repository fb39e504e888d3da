"""SQuAD: questions that words of a paragraph answer, or none do, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lib.text.tasks.lines import lines_of
from lib.text.tasks.reading import Broken, Examples, whole_examples


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


def read_squad(path: str | Path) -> Examples[QuestionExample]:
    """The questions of a SQuAD file, 1.1 or 2.0 (Rajpurkar et al., 2016 and 2018).

    A question that lacks something, or whose answer does not stand where it is said to, is left out, which a
    warning says. Raises ValueError where the file is not SQuAD's JSON.
    """
    what = "a file of SQuAD, such as dev-v1.1.json"
    try:
        articles = json.loads("\n".join(lines_of(path, what)))["data"]
        paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
        questions = [(one, paragraph["context"]) for paragraph in paragraphs for one in paragraph["qas"]]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not SQuAD's JSON ({type(error).__name__}: {error}): give a file such as "
            "dev-v1.1.json."
        ) from None
    return whole_examples(path, _questions(questions), what)


def _questions(questions: list[tuple[Mapping[str, Any], str]]) -> Iterator[QuestionExample | Broken]:
    for number, (one, context) in enumerate(questions, start=1):
        try:
            answers = tuple(Answer(answer["text"], answer["answer_start"]) for answer in one["answers"])
            guessed = bool(one.get("answer_start_guessed", False))
            example = QuestionExample(one["id"], one["question"], context, answers, guessed)
            yield checked_question(example)
        except (KeyError, TypeError, AttributeError) as error:
            yield Broken(f"question {number}", f"something is missing or of another kind ({error})")


def checked_question(example: QuestionExample) -> QuestionExample | Broken:
    """The question itself, if each of its answers stands where it is said to."""
    for answer, start in example.answers:
        if not answer or example.context[start : start + len(answer)] != answer:
            return Broken(
                f"question {example.id}",
                f"its answer {answer!r} does not stand at character {start} of its paragraph",
            )
    return example
