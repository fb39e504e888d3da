"""The picture that grows: whose dots it has, and the reader's own among them."""

from typing import Any

import pytest
from matplotlib.text import Text
from tiny_task import tiny_model

from lib import figures
from lib.compression.ledger import timing
from lib.figures.style import LIT, QUIET
from lib.records import frontier
from lib.records.frontier import Dot
from lib.records.ledger import METHODS


def test_a_notebook_has_the_dots_of_those_before_it_and_its_own() -> None:
    first, later = frontier.dots_until("19"), frontier.dots_until("33")
    assert {dot.notebook for dot in first} == {"19"} and len(first) == 3
    assert later[: len(first)] == first
    assert [dot.name for dot in later] == [one.name for one in METHODS if "headlines" in one.answers]
    assert all(dot.megabytes > 0 and dot.milliseconds > 0 and 0 < dot.accuracy < 100 for dot in later)


def test_the_readers_own_model_is_weighed_and_timed_beside_the_original(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = tiny_model()

    def seconds_of(call: Any) -> float:
        """What a clock says by which the model out of its file takes half as long again."""
        call()
        return 0.002 if call.func is model else 0.003

    monkeypatch.setattr(timing, "seconds_of", seconds_of)
    dot = frontier.own_dot("mine", model, 0.75, model)
    whole = next(dot for dot in frontier.dots_until("19") if dot.name == "MiniLM")
    assert (dot.name, dot.notebook, dot.accuracy) == ("mine", "", 75.0)
    assert 0 < dot.megabytes < 5
    assert dot.milliseconds == pytest.approx(1.5 * whole.milliseconds)


def test_earlier_dots_are_gray_and_the_readers_is_a_black_diamond() -> None:
    figure, alt = figures.draw_frontier([*frontier.dots_until("20"), Dot("mine", "", 9.0, 4.0, 78.0)], "20")
    left, right, key = figure.axes
    for axes in (left, right):
        drawn = [(line.get_color(), line.get_marker()) for line in axes.lines]
        assert drawn.count(("black", "D")) == 1
        assert drawn.count((LIT, "o")) == 3
        assert drawn.count((QUIET, "o")) == 3
        assert axes.get_xscale() == "log"
        assert sorted(text.get_text() for text in axes.texts) == list("1234567")
    assert key.texts[-1].get_text() == "7  mine (yours)"
    assert "mine (yours) 78.0% at 9.0 MB and 4.0 ms" in alt
    assert "New in this notebook: 8 bits, onnxruntime, 4 bits, 3 bits, trained" in alt


def test_no_two_names_are_written_over_each_other() -> None:
    figure, _ = figures.draw_frontier([*frontier.dots_until("33"), Dot("mine", "", 60.0, 9.7, 79.0)], "33")
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the lines to their dots
        for place, one in enumerate(boxes):
            for other in boxes[:place]:
                overlap = one.intersection(one, other)
                assert overlap is None or min(overlap.width, overlap.height) < 7
