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
