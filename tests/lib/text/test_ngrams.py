"""The count model: it sums to one, agrees with the formula by hand, and fills blanks from either side."""

import math

import numpy as np
import pytest

from lib.text.ngrams import END, BlankFiller, NGrams

TEXTS = [text.split() for text in ("the cat sat", "the dog sat", "the cat ran home", "a dog barked")]
WORDS = sorted({word for text in TEXTS for word in text} | {"fish"})


@pytest.fixture(scope="module")
def counted() -> NGrams:
    return NGrams(TEXTS, WORDS, order=3)


@pytest.mark.parametrize("before", [[], ["the"], ["the", "cat"], ["fish"], ["a", "b", "c"]])
def test_probabilities_sum_to_one_and_agree(counted, before) -> None:
    found = counted.distribution(before)
    assert found.sum() == pytest.approx(1) and (found > 0).all()
    assert [counted.probability(word, before) for word in counted.words] == pytest.approx(list(found))


def test_by_hand() -> None:
    counted = NGrams([["a", "b"], ["a", "c"], ["a", "b"]], ["a", "b", "c"], order=2)
    # 9 words in all (three ends), 4 kinds; after "a": 3 words, 2 kinds.
    one = (2 + 4 * 1 / 4) / (9 + 4)
    assert counted.probability("b", []) != pytest.approx(one)  # at the beginning, not after nothing
    assert counted.probability("b", ["a"]) == pytest.approx((2 + 2 * one) / (3 + 2))
    assert counted.probability("b", ["never seen"]) == pytest.approx(one)


def test_all_texts_together_have_probability_one() -> None:
    counted = NGrams([["a"], ["b", "a"]], ["a", "b"], order=2)
    short = [[], *[[x] for x in "ab"], *[[x, y] for x in "ab" for y in "ab"]]
    ended = sum(math.exp(counted.log_probability(text)) for text in short)
    going_on = sum(
        math.exp(sum(np.log(counted.probability(w, text[:i])) for i, w in enumerate(text)))
        * (1 - counted.probability(END, text))
        for text in short
        if len(text) == 2
    )
    assert ended + going_on == pytest.approx(1)


def test_only_both_sides_tell_these_apart() -> None:
    texts = ["teddy bears are toys", "teddy roosevelt is dead", "they are toys", "he is dead"]
    split = [text.split() for text in texts * 3]
    filler = BlankFiller(split, sorted({word for text in split for word in text}))
    many, one = ["teddy", "_", "are", "toys"], ["teddy", "_", "is", "dead"]
    assert filler.fill(many, 1, "left") == filler.fill(one, 1, "left")
    assert filler.fill(many, 1)[0][0] == "bears" and filler.fill(one, 1)[0][0] == "roosevelt"
    assert filler.fill(many, 1, "right")[0][0] in ("bears", "they")
    for side in ("left", "right", "both"):
        assert filler.probabilities(many, 1, side).sum() == pytest.approx(1)


def test_both_sides_are_the_whole_text_compared(counted) -> None:
    filler = BlankFiller(TEXTS, WORDS)
    found = filler.probabilities(["the", "_", "sat"], 1)
    fillings = filler.forward.words[:-1]  # all but the end
    each = np.exp([counted.log_probability(["the", word, "sat"]) for word in fillings])
    assert found == pytest.approx([*(each / each.sum()), 0])


@pytest.mark.parametrize(
    "before, between", [([], []), (["the"], []), (["a", "the"], ["sat"]), ([], ["a", "b"])]
)
def test_after_each_word_is_the_probability_after_that_word(counted, before, between) -> None:
    found = counted.after_each(before, between, "sat")
    each = [counted.probability("sat", [*before, word, *between]) for word in counted.words]
    assert found == pytest.approx(each)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="use 1 or more"):
        NGrams(TEXTS, WORDS, order=0)
    with pytest.raises(ValueError, match=r"add it, or put \[UNK\]"):
        NGrams([["mouse"]], WORDS)
