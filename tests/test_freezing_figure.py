"""The schematic of freezing and the panels of several measures: what is drawn, said and refused."""

from typing import Any

import numpy as np
import pytest

from lib import figures

PARTS = ["words", "layer 0", "layer 1", "head"]
STACKS = [
    figures.FrozenStack("All learns", PARTS, 0, 9, 10, 20, 30),
    figures.FrozenStack("The top learns", PARTS, 2, 9, 1, 2, 3),
]
PANELS = {"accuracy, %": [[50, 60], [70, 80], [90, 91]], "seconds": [3, 20, 100]}


def test_each_stack_says_what_learns_and_what_it_holds() -> None:
    figure = figures.draw_freezing(STACKS, "A title")
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written.count("learns") == 4 + 2
    assert written.count("frozen") == 2
    for words in ("A title", "together 60.0 MB", "together 6.0 MB", "cut"):
        assert written.count(words) == 1, words
    assert figures.png(figure)


def test_the_words_name_the_frozen_parts_and_the_megabytes() -> None:
    said = figures.describe_freezing(STACKS)
    assert "frozen are none" in said
    assert "frozen are words, layer 0; learning are layer 1, head" in said
    assert "60.0 MB together, beside 9.0 MB of weights" in said and "6.0 MB together" in said


def test_the_sum_is_that_of_the_numbers_as_they_are_written() -> None:
    stack = figures.FrozenStack("All learns", PARTS, 0, 9, 0.14, 0.14, 0.14)
    assert stack.total == pytest.approx(0.3)


@pytest.mark.parametrize("cut", [-1, 4])
def test_a_stack_in_which_nothing_learns_is_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 3"):
        figures.FrozenStack("None", PARTS, cut, 1, 1, 1, 1)


def test_panels_draw_means_and_the_range_of_seeds() -> None:
    labels = ["head", "top", "all"]
    figure: Any = figures.draw_panels(labels, PANELS, "A title", {"seconds": 1}, {"seconds": ("limit", 50)})
    first, second = figure.axes
    assert [bar.get_width() for bar in first.patches] == [55, 75, 90.5]
    assert {text.get_text() for text in second.texts} >= {"3.0", "20.0", "100.0"}
    ends = [tuple(np.asarray(line)[:, 0]) for line in first.collections[0].get_segments()]
    assert ends == [(50, 60), (70, 80), (90, 91)]
    assert not second.collections  # one seed has no range
    assert [tick.get_text() for tick in second.get_xticklabels()] == ["limit 50.0"]
    assert first.get_ylim()[0] > first.get_ylim()[1]  # the first label on top


def test_panels_in_words() -> None:
    said = figures.describe_panels(["head", "top", "all"], PANELS, {"accuracy, %": 1})
    assert said.startswith("head: accuracy, % 55.0, seconds 3; top:")


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ({}, "There are 0 panels"),
        ({"a": [1, 2]}, "give 3 numbers"),
        ({"a": [1, 2, -3]}, "of 0 or more"),
        ({str(number): [1, 2, 3] for number in range(6)}, "between 1 and 5"),
    ],
)
def test_panels_that_do_not_fit_are_refused(panels: dict[str, list[float]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        figures.draw_panels(["x", "y", "z"], panels)
