"""The drawings of notebook 16."""

import pytest

from chapters.nb16 import drawings
from lib import figures

PARTS = ["words", "layer 0", "layer 1", "head"]
STACKS = [
    drawings.FrozenStack("All learns", PARTS, 0, 9, 10, 20, 30),
    drawings.FrozenStack("The top learns", PARTS, 2, 9, 1, 2, 3),
]


def test_each_stack_says_what_learns_and_what_it_holds() -> None:
    figure = drawings.draw_freezing(STACKS, "A title")[0]
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written.count("learns") == 4 + 2
    assert written.count("frozen") == 2
    for words in ("A title", "together 60.0 MB", "together 6.0 MB", "cut"):
        assert written.count(words) == 1, words
    assert figures.png(figure)


def test_the_words_name_the_frozen_parts_and_the_megabytes() -> None:
    said = drawings.draw_freezing(STACKS, "a title")[1]
    assert "frozen are none" in said
    assert "frozen are words, layer 0; learning are layer 1, head" in said
    assert "60.0 MB together, beside 9.0 MB of weights" in said and "6.0 MB together" in said


def test_the_sum_is_that_of_the_numbers_as_they_are_written() -> None:
    stack = drawings.FrozenStack("All learns", PARTS, 0, 9, 0.14, 0.14, 0.14)
    assert stack.total == pytest.approx(0.3)


@pytest.mark.parametrize("cut", [-1, 4])
def test_a_stack_in_which_nothing_learns_is_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 3"):
        drawings.FrozenStack("None", PARTS, cut, 1, 1, 1, 1)


def test_two_gentle_ways_and_what_they_bring() -> None:
    accuracies = {"one rate": [80.0, 81.0], "layer rates": [82.0, 83.5], "gradual": [83.0, 84.0]}
    figure, told = drawings.draw_gentle(
        PARTS, [0.1, 0.2, 0.4, 0.4], [30, 20, 10, 0], 40, accuracies, "A title"
    )
    left, middle, right = figure.axes
    assert [text.get_text() for text in left.texts] == ["0.10000", "0.20000", "0.40000", "0.40000"]
    assert [text.get_text() for text in middle.texts] == ["frozen", "frozen"]  # where there is room for it
    assert [text.get_text() for text in right.texts] == ["80.5", "82.8", "83.5"]
    assert "words: rate 0.10000, or frozen until step 30" in told
    assert "gradual 83.5 (83.0 to 84.0)" in told
    assert figures.png(figure)
