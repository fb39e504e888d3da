"""Sentences made anew, drawn."""

import pytest

from lib import figures

WORDS = ["the", "dog", "is", "wonderful"]
ANSWERS = [(WORDS, 0.9), (["the", "dog", "is", "dead"], 0.2), (["the", "cat", "is", "wonderful"], 0.8)]
PLACES = {"wonderful": ["dead", "gone"], "dog": ["cat"]}


def test_sentences_whose_answer_turns_are_counted_and_bold() -> None:
    page, said = figures.draw_augmentation(WORDS, PLACES, ANSWERS, ("complains", "praises"), "A title")
    bold = {text.get_text() for text in page.axes[0].texts if text.get_fontweight() == "bold"}
    assert {"dead", "cat", "0.20"} <= bold and "0.80" not in bold
    assert "Of 2 new sentences 1 get the opposite answer" in said and "“the dog is dead” 0.20" in said


def test_a_sentence_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="as many words as the original, 4"):
        figures.draw_augmentation(WORDS, PLACES, [(WORDS[:2], 0.5)], ("no", "yes"), "")
    with pytest.raises(ValueError, match="too long for its line"):
        figures.draw_augmentation(["a" * 90], {}, [(["a" * 90], 0.5)], ("no", "yes"), "")
