"""The drawings of notebook 22."""

from pictures import for_each_example, for_each_refusal, written

from chapters.nb22 import drawings as nb22

LESSONS = [
    nb22.Lesson("states", 0, 0, "squared error", projected=True),
    nb22.Lesson("scores", 6, 2, "squared error"),
    nb22.Lesson("answers", 0, 0, "cross-entropy"),
]
BLOCK = {"hidden": 512, "narrow": 128, "intermediate": 512, "heads": 4, "feed-forwards": 4}
IN_BLOCK = {"bottlenecks": 131_072, "attention": 114_688, "feed-forward": 524_288, "way back": 65_536}
SENTENCE = ["the", "dog", "is", "wonderful"]
REWRITTEN = [(SENTENCE, 0.9), (["the", "dog", "is", "dead"], 0.2), (["the", "cat", "is", "wonderful"], 0.8)]
PLACES = {"wonderful": ["dead", "gone"], "dog": ["cat"]}

test_a_drawing_says_what_it_shows = for_each_example({
    "lessons of layers": (
        lambda: nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title"),
        ["the scores in layer 2 of the student learns from the scores in layer 6", "learned map W"],
        ["W", "embeddings", "scores 6 and 2", "answers"],
    ),
    "a block of MobileBERT": (
        lambda: nb22.draw_mobilebert_block(BLOCK, IN_BLOCK, "A title"),
        ["4 feed-forward networks, 128 to 512 to 128", "way back 65,536"],
        ["512 to 128", "524,288 weights", "2 × 65,536 weights"],
    ),
    "sentences made anew": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title"),
        ["Of 2 new sentences 1 get the opposite answer", "“the dog is dead” 0.20"],
        ["dead", "0.20", "0.80"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a teacher's layer": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("states", 7, 2, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "layers from 1": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("scores", 0, 1, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "no such lesson": (lambda: nb22.Lesson("mood", 1, 1, ""), "no lesson in 'mood'"),
    "no weights": (lambda: nb22.draw_mobilebert_block(BLOCK, {}, ""), "Give the weights of bottlenecks"),
    "words": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, [(SENTENCE[:2], 0.5)], ("no", "yes"), ""),
        "as many words as the original, 4",
    ),
    "a long word": (
        lambda: nb22.draw_augmentation(["a" * 90], {}, [(["a" * 90], 0.5)], ("no", "yes"), ""),
        "too long for its line",
    ),
})  # fmt: skip


def test_a_map_is_drawn_once_where_it_is_projected() -> None:
    texts = written(nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title")[0])
    assert (texts.count("W"), texts.count("embeddings"), texts.count("answers")) == (1, 3, 3)


def test_only_sentences_whose_answer_turns_are_bold() -> None:
    figure, _ = nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title")
    bold = {text.get_text() for text in figure.axes[0].texts if text.get_fontweight() == "bold"}
    assert {"dead", "cat", "0.20"} <= bold and "0.80" not in bold
