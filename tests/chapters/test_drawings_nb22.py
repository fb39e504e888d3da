"""The drawings of notebook 22."""

import pytest

from chapters.nb22 import drawings
from chapters.nb22.drawings import Lesson

LESSONS = [
    Lesson("states", 0, 0, "squared error", projected=True),
    Lesson("scores", 6, 2, "squared error"),
    Lesson("answers", 0, 0, "cross-entropy"),
]
SIZES = {"hidden": 512, "narrow": 128, "intermediate": 512, "heads": 4, "feed-forwards": 4}
WEIGHTS = {"bottlenecks": 131_072, "attention": 114_688, "feed-forward": 524_288, "way back": 65_536}


def written(page: object) -> list[str]:
    return [text.get_text() for text in page.axes[0].texts]  # type: ignore[attr-defined]


def test_every_lesson_has_a_box_and_a_map_where_it_is_projected() -> None:
    texts = written(drawings.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title")[0])
    assert texts.count("W") == 1
    assert texts.count("embeddings") == 3  # of both models, and the lesson's
    assert "scores 6 and 2" in texts and texts.count("answers") == 3
    said = drawings.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "a title")[1]
    assert "the scores in layer 2 of the student learns from the scores in layer 6" in said
    assert said.count("learned map W") == 1


@pytest.mark.parametrize("lesson", [Lesson("states", 7, 2, ""), Lesson("scores", 0, 1, "")])
def test_a_layer_that_is_not_there_is_refused(lesson: Lesson) -> None:
    with pytest.raises(ValueError, match="names a layer that is not there"):
        drawings.draw_layer_teaching([lesson], (6, 2), (384, 192), "")


def test_another_kind_of_lesson_is_refused() -> None:
    with pytest.raises(ValueError, match="no lesson in 'mood'"):
        Lesson("mood", 1, 1, "")


def test_a_block_is_drawn_with_what_its_parts_weigh() -> None:
    texts = written(drawings.draw_mobilebert_block(SIZES, WEIGHTS, "A title")[0])
    assert texts.count("512 to 128") == 2 and "524,288 weights" in texts
    assert "2 × 65,536 weights" in texts
    said = drawings.draw_mobilebert_block(SIZES, WEIGHTS, "a title")[1]
    assert "4 feed-forward networks, 128 to 512 to 128" in said and "way back 65,536" in said
    with pytest.raises(ValueError, match="Give the weights of bottlenecks"):
        drawings.draw_mobilebert_block(SIZES, {}, "")


# --- sentences made anew --------------------------------------------------------------------------

WORDS = ["the", "dog", "is", "wonderful"]
ANSWERS = [(WORDS, 0.9), (["the", "dog", "is", "dead"], 0.2), (["the", "cat", "is", "wonderful"], 0.8)]
PLACES = {"wonderful": ["dead", "gone"], "dog": ["cat"]}


def test_sentences_whose_answer_turns_are_counted_and_bold() -> None:
    page, said = drawings.draw_augmentation(WORDS, PLACES, ANSWERS, ("complains", "praises"), "A title")
    bold = {text.get_text() for text in page.axes[0].texts if text.get_fontweight() == "bold"}
    assert {"dead", "cat", "0.20"} <= bold and "0.80" not in bold
    assert "Of 2 new sentences 1 get the opposite answer" in said and "“the dog is dead” 0.20" in said
    with pytest.raises(ValueError, match="as many words as the original, 4"):
        drawings.draw_augmentation(WORDS, PLACES, [(WORDS[:2], 0.5)], ("no", "yes"), "")
    with pytest.raises(ValueError, match="too long for its line"):
        drawings.draw_augmentation(["a" * 90], {}, [(["a" * 90], 0.5)], ("no", "yes"), "")
