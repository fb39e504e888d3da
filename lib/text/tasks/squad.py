"""SQuAD: questions that words of a paragraph answer, or none do, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from lib.text.tasks.lines import lines_of


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
    text = "\n".join(lines_of(path, "a file of SQuAD, such as dev-v1.1.json"))
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
