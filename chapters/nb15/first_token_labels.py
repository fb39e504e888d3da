"""Where the label of a word stands among its tokens, from `word_ids()`."""

from collections.abc import Iterator, Sequence
from typing import Any

from chapters.nb15 import answers
from lib.exercises import compare
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

Case = tuple[list[int | None], list[int]]

LEFT_OUT = "if word is None or word == before:"


def cases(seed: int) -> Iterator[Case]:
    """Words of several tokens, padding, a sentence that was cut, a word without tokens, no word at all."""
    yield [None, 0, 0, 1, 2, None], [3, 0, 5]
    yield [None, 0, 0, 0, 1, 2, 2, 2, 3, 4, None], [1, 0, 3, 0, 0]
    yield [None, 0, 1, 1, 2, None, None, None], [0, 5, 6]
    yield [None, 0, 1, 2, 2, None], [7, 8, 0, 1, 2]  # cut: words 3 and 4 have no token
    yield [None, 0, 2, 2, 3, None], [1, 4, 2, 0]  # word 1 has none, as a zero-width space
    yield [None, 0, 1, 2, None], [2, 2, 2]
    yield [None, 0, 0, 0, 0, None], [4]
    yield [None, None], []
    yield [0, 0, 1, 1, 2], [6, 0, 3]  # a tokenizer without [CLS]


def run(candidate: Any, word_ids: Sequence[int | None], tags: Sequence[int]) -> list[int]:
    """The labels as whole numbers."""
    labels = candidate(list(word_ids), list(tags))
    if hasattr(labels, "tolist"):
        labels = labels.tolist()
    if not isinstance(labels, list | tuple) or not all(map(compare.is_number, labels)):
        raise Unfit("It should return a list of whole numbers, one for each token.")
    return [int(label) for label in labels]


def slid(word_ids: Sequence[int | None], tags: Sequence[int]) -> list[int]:
    """[CLS] forgotten: the labels begin at the first token of the row."""
    labels = answers.first_token_labels(word_ids, tags)
    return [*labels[1:], -100]


def one_each(word_ids: Sequence[int | None], tags: Sequence[int]) -> list[int]:
    """The tags one after the other, as if each word were one token."""
    labels = [-100, *tags][: len(word_ids)]
    return labels + [-100] * (len(word_ids) - len(labels))


def last_token(word_ids: Sequence[int | None], tags: Sequence[int]) -> list[int]:
    """The label at the last token of each word."""
    return answers.first_token_labels(list(word_ids)[::-1], tags)[::-1]


# fmt: off
EXERCISE = Exercise(
    name="first_token_labels", minutes=6, difficulty=2, reference=answers.first_token_labels, cases=cases,
    run=run, gradients=False,
    mistakes=[
        Mistake("every_token", "You label every token of a word. Only its first one gets the tag: compare"
            " with the word of the token before.", edit(LEFT_OUT, "if word is None:")),
        Mistake("others_are_o", "You give 0 where -100 belongs. 0 is a tag, O, and the model would learn it"
            " there: -100 leaves the token out of the loss.", edit("append(-100)", "append(0)")),
        Mistake("word_0_lost", "The first word of the sentence gets no label: its number is 0, and `not 0` is"
            " true. Ask whether the number `is None`.", edit("word is None or", "not word or")),
        Mistake("cls_forgotten", "Every label stands one token too early: the row begins with [CLS].", slid),
        Mistake("words_are_no_tokens", "You deal out the tags one by one, as if every word were one token."
            " Take the tag by the word's number: tags[word].", one_each),
        Mistake("last_token", "You label the last token of each word. Ask whether the word is another one"
            " than that of the token *before*.", last_token),
    ],
    hints=("Walk over the tokens. A token gets a label if it belongs to a word, and the token before it"
           " does not belong to the same word.",
           "The list has as many numbers as word_ids. Keep the word of the token before in a variable.",
           "labels.append(-100) if word is None or word == before, and else labels.append(tags[word]); then"
           " before = word"),
    why="Padding has no word either, so a padded row needs nothing more.",
    box="task_head",
)
# fmt: on
