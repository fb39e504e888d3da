"""The picture that grows: whose dots it has, and the reader's own among them."""

from math import hypot
from typing import Any

import pytest
from matplotlib.text import Text
from tiny_task import tiny_model

from lib import figures
from lib.compression.ledger import timing
from lib.figures.frontier import FIXED, PALE
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


def test_new_dots_and_four_others_are_named_and_the_readers_is_a_black_diamond() -> None:
    figure, alt = figures.draw_frontier([*frontier.dots_until("20"), Dot("mine", "", 9.0, 4.0, 78.0)], "20")
    for axes in figure.axes:
        drawn = [(line.get_color(), line.get_marker()) for line in axes.lines]
        assert drawn.count(("black", "D")) == 1
        assert drawn.count((LIT, "o")) == 3
        assert drawn.count((QUIET, "o")) == 2  # of earlier notebooks, named
        assert drawn.count((PALE, "o")) == 1
        assert axes.get_xscale() == "log"
        names = {"TF-IDF", "MiniLM", "8 bits, onnxruntime", "4 bits", "3 bits, trained", "mine (yours)"}
        assert {text.get_text() for text in axes.texts} == names
    assert "mine (yours) 78.0% at 9.0 MB and 4.0 ms" in alt
    assert "New in this notebook: 8 bits, onnxruntime, 4 bits, 3 bits, trained" in alt


def test_the_fixed_names_are_those_of_recorded_dots() -> None:
    assert {dot.name for dot in frontier.dots_until("33")} >= set(FIXED)


@pytest.mark.parametrize("notebook", ["19", "21", "26", "31", "33"])
def test_no_two_names_are_written_over_each_other(notebook: str) -> None:
    own = Dot("mine", "", 60.0, 9.7, 79.0)
    figure, _ = figures.draw_frontier([*frontier.dots_until(notebook), own], notebook)
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the lines to their dots
        panel = axes.get_window_extent()
        for place, one in enumerate(boxes):
            assert panel.x0 < one.x0 and one.x1 < panel.x1 and one.y1 < panel.y1
            assert not any(one.overlaps(other) for other in boxes[:place])


def has_line(name: Any) -> bool:
    """Whether a line joins a name to its dot."""
    return bool(name.arrow_patch.get_visible())


def test_a_name_far_from_its_dot_has_a_line_to_it() -> None:
    figure, _ = figures.draw_frontier([Dot("mine", "", 10.0, 4.0, 78.0)], "20")
    (name,) = figure.axes[0].texts
    assert not has_line(name)
    figure, _ = figures.draw_frontier(frontier.dots_until("33"), "33")
    lines = {text.get_text(): has_line(text) for text in figure.axes[0].texts}
    assert lines["8 bits, onnxruntime"] and not lines["TF-IDF"]


@pytest.mark.parametrize("notebook", ["20", "21", "26", "27", "31", "33"])
def test_a_line_joins_a_name_to_its_dot_unless_it_stands_right_beside_it_alone(notebook: str) -> None:
    dots = [*frontier.dots_until(notebook), Dot("mine", "", 9.0, 4.0, 76.0)]
    figure, _ = figures.draw_frontier(dots, notebook)
    figure.draw_without_rendering()
    for axes, cost in zip(figure.axes, ("megabytes", "milliseconds"), strict=True):
        for text in axes.texts:
            box = Text.get_window_extent(text)
            away = {}
            for dot in dots:
                x, y = axes.transData.transform((getattr(dot, cost), dot.accuracy))
                across = max(box.x0 - x, x - box.x1, 0)
                away[dot.name] = hypot(across, max(box.y0 - y, y - box.y1, 0)) * 72 / figure.dpi
            own = away.pop(text.get_text().removesuffix(" (yours)"))
            line = getattr(text, "arrow_patch", None)
            is_joined = line is not None and line.get_visible()
            assert is_joined or (own < 12 and own < min(away.values()))
