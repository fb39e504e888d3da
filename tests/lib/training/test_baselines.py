"""What counting words finds on a task, and what it cannot find."""

from __future__ import annotations

from itertools import pairwise

from lib.text.tasks import Answer, ChoiceExample, QuestionExample, TaggedSentence, TextExample
from lib.training import baselines
from lib.training.known_tasks import OWN

GOOD, BAD = ("a fine film", "fine food", "a warm room", "warm and fine"), ("dull", "a cold room", "dull food")


def pair(first: str, second: str, label: float) -> TextExample:
    return TextExample(first, second, label)


def test_each_of_the_courses_tasks_has_one() -> None:
    assert OWN.keys() <= baselines.OF_TASK.keys()


def test_texts_by_their_words() -> None:
    train = [TextExample(text, None, int(text in GOOD)) for text in GOOD + BAD]
    test = [TextExample(text, None, 0) for text in ("dull and cold", "fine and warm")]
    assert baselines.classify_texts(train, test) == [0, 1]


def test_pairs_by_what_they_share_where_every_word_is_new() -> None:
    words = [f"w{number}" for number in range(48)]
    groups = [" ".join(words[begin : begin + 4]) for begin in range(0, 48, 4)]
    train = [pair(one, one, 1) for one in groups]
    train += [pair(one, other, 0) for one, other in pairwise(groups)]
    test = [pair("so very new", "so very new", 0), pair("so very new", "and quite another", 0)]
    assert baselines.classify_pairs(train, test) == [1, 0]
    same, other = baselines.grade_pairs([one._replace(label=5.0 * (one.label or 0)) for one in train], test)
    assert same > other + 1


def test_a_choice_by_the_endings_alone() -> None:
    train = [
        ChoiceExample("She sat down.", ("Luckily she won.", "It rained."), 0),
        ChoiceExample("He ran.", ("They left.", "Hooray, he came."), 1),
        ChoiceExample("It was late.", ("Luckily it ended.", "The door was shut."), 0),
    ]
    test = [
        ChoiceExample(f"It was {number}.", ("The cat slept.", "Luckily all is well."), 1) for number in (1, 2)
    ]
    turned = [one._replace(choices=one.choices[::-1], label=0) for one in test]
    assert baselines.choose_without_context(train, test) == [1, 1]
    assert baselines.choose_without_context(train, turned) == [0, 0]


def test_tags_by_the_word_and_new_words_by_the_most_frequent_tag() -> None:
    train = [
        TaggedSentence(["Paris", "is", "big"], ["B-LOC", "O", "O"]),
        TaggedSentence(["Paris", "met", "Ann"], ["B-PER", "O", "B-PER"]),
        TaggedSentence(["Paris", "too"], ["B-LOC", "O"]),
    ]
    test = [TaggedSentence(["Ann", "saw", "Paris"], ["O", "O", "O"])]
    assert baselines.tag_by_word(train, test) == [["B-PER", "O", "B-LOC"]]


def test_an_answer_is_the_sentence_that_shares_most_with_the_question() -> None:
    context = "The mill burned in 1890. Ada opened a bakery. The bridge came later"
    asked = QuestionExample("1", "Who opened a bakery?", context, (Answer("Ada", 25),))
    assert baselines.answer_by_overlap([], [asked]) == ["Ada opened a bakery"]


def test_texts_without_spaces_by_their_characters() -> None:
    train = [
        TextExample("野球の試合", "投手が勝つ", 0),
        TextExample("試合の結果", "野球で負ける", 0),
        TextExample("映画の公開", "監督が語る", 1),
        TextExample("新作映画", "公開を待つ", 1),
    ]
    test = [TextExample("今日の野球", "試合開始", 1), TextExample("映画館", "監督の新作", 0)]
    assert baselines.classify_characters(train, test) == [0, 1]
