"""Examples as rows of numbers.

What is encoded bears the names that the heads of `lib.bert` and of `transformers` have for it, so that
`model(**batches(number))` is a loss.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from lib.bert import WordPieceTokenizer
from lib.bert.validation import validate_tokenizer
from lib.text.masking import IGNORED
from lib.text.tasks.choices import ChoiceExample
from lib.text.tasks.conll import TaggedSentence
from lib.text.tasks.glue import TextExample
from lib.text.tasks.squad import Answer, QuestionExample

#: an encoded example: a list where there is a number for each piece, a list of lists where there is one for
#: each piece of each choice, a number where there is one for all
Row = Mapping[str, Any]

LONGEST_QUESTION = 64  # pieces; what is longer is cut, as in Devlin et al.'s run_squad.py


def encode_texts(
    examples: Sequence[TextExample], tokenizer: WordPieceTokenizer, max_length: int = 128
) -> list[Row]:
    """Rows of at most `max_length` pieces for sequence classification or regression; `labels` where known.

    They have `token_type_ids` where the tokenizer gives some. Raises ValueError for a label that is a word:
    which number a class has, a `Classification` tells.
    """
    validate_tokenizer(tokenizer)
    rows: list[Row] = []
    for number, (first, second, label) in enumerate(examples):
        if isinstance(label, str):
            raise ValueError(f"The label of example {number} is the word {label!r}: give its class's number.")
        encoded = tokenizer(first, second, max_length)
        row: dict[str, Any] = {
            name: ids[0].tolist() for name, ids in encoded.items() if name != "attention_mask"
        }
        rows.append(row if label is None else row | {"labels": label})
    return rows


def first_pieces(words: Sequence[str], tokenizer: WordPieceTokenizer, max_length: int) -> list[int | None]:
    """Where the first piece of each word stands in its row of `encode_tags`, which is where its tag is read.

    None for a word that was cut off, or that has no piece at all, as a zero-width space.
    """
    places: list[int | None] = []
    place = 1  # after [CLS]
    for word in words:
        size = len(tokenizer.tokenize(word))
        places.append(place if size and place < max_length - 1 else None)
        place += size
    return places


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


def encode_choices(
    examples: Sequence[ChoiceExample], tokenizer: WordPieceTokenizer, max_length: int = 128
) -> list[Row]:
    """Rows for multiple choice: as many lists of pieces as there are choices, each [CLS] context [SEP] choice
    [SEP], cut to `max_length`; `labels` where known (Devlin et al., 2019, section 4.4).

    Raises ValueError where the examples have not all the same number of choices, or a label is none of them.
    """
    validate_tokenizer(tokenizer)
    rows: list[Row] = []
    for number, (context, choices, label) in enumerate(examples):
        if len(choices) != len(examples[0].choices) or len(choices) < 2:
            raise ValueError(
                f"Example {number} has {len(choices)} choices and the first has {len(examples[0].choices)}: "
                "give all of them the same number, 2 at least."
            )
        if label is not None and label not in range(len(choices)):
            raise ValueError(
                f"The label of example {number} is {label}: give the place of a choice, from 0 to "
                f"{len(choices) - 1}."
            )
        encoded = [tokenizer(context, choice, max_length) for choice in choices]
        row: dict[str, Any] = {
            name: [one[name][0].tolist() for one in encoded] for name in ("input_ids", "token_type_ids")
        }
        rows.append(row if label is None else row | {"labels": label})
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
    validate_tokenizer(tokenizer)
    # several questions are asked about a paragraph
    cut = cache(lambda context: (tokenizer.encode(context)[1:-1], tokenizer.offsets(context)[1:-1]))
    windows = []
    for number, (_, question, context, answers, _) in enumerate(questions):
        question_ids = tokenizer.encode(question)[1:-1][:LONGEST_QUESTION]
        ids, spans = cut(context)
        first, last = _places(answers[0], spans) if answers else (-1, -1)
        room, before = max_length - len(question_ids) - 3, len(question_ids) + 2
        if room < 1 or stride < 1:
            raise ValueError(
                f"{max_length} pieces and a stride of {stride} leave no room beside a question of "
                f"{len(question_ids)}: enlarge them."
            )
        step = min(stride, room)
        for begin in range(0, max(len(ids) - room, 0) + step, step):
            window, inside = ids[begin : begin + room], spans[begin : begin + room]
            is_inside = begin <= first and last < begin + len(window)
            row: Row = {
                "input_ids": [
                    *(tokenizer.cls_token_id, *question_ids, tokenizer.sep_token_id),
                    *(*window, tokenizer.sep_token_id),
                ],
                "token_type_ids": [0] * before + [1] * (len(window) + 1),
                "start_positions": first - begin + before if is_inside else 0,
                "end_positions": last - begin + before if is_inside else 0,
            }
            windows.append(QuestionWindow(number, row, [*[(0, 0)] * before, *inside, (0, 0)]))
    return windows


def _places(answer: Answer, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first and the last piece that an answer shares a character with; (-1, -1) if there is none."""
    end = answer.start + len(answer.text)
    touched = [place for place, (begins, ends) in enumerate(spans) if begins < end and ends > answer.start]
    return (touched[0], touched[-1]) if touched else (-1, -1)
