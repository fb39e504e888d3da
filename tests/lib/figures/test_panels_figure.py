"""The panels of several measures: what is drawn, said and refused."""

from typing import Any

import numpy as np
import pytest

from lib import figures

PANELS = {"accuracy, %": [[50, 60], [70, 80], [90, 91]], "seconds": [3, 20, 100]}


def test_panels_draw_means_and_the_range_of_seeds() -> None:
    labels = ["head", "top", "all"]
    drawn = figures.draw_panels(labels, PANELS, "A title", {"seconds": 1}, {"seconds": ("limit", 50)})
    figure: Any = drawn[0]
    first, second = figure.axes
    assert [bar.get_width() for bar in first.patches] == [55, 75, 90.5]
    assert {text.get_text() for text in second.texts} >= {"3.0", "20.0", "100.0"}
    ends = [tuple(np.asarray(line)[:, 0]) for line in first.collections[0].get_segments()]
    assert ends == [(50, 60), (70, 80), (90, 91)]
    assert not second.collections  # one seed has no range
    assert [tick.get_text() for tick in second.get_xticklabels()] == ["limit 50.0"]
    assert first.get_ylim()[0] > first.get_ylim()[1]  # the first label on top


def test_panels_in_words() -> None:
    _, said = figures.draw_panels(["head", "top", "all"], PANELS, digits={"accuracy, %": 1})
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
