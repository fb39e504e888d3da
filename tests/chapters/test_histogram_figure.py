"""The histogram: each count over its bin, groups side by side, the threshold where it belongs."""

from typing import Any

import pytest
from matplotlib.patches import Rectangle

from chapters.nb11 import drawings
from lib import figures

EDGES = [0.0, 0.1, 0.2, 0.4]
COUNTS = {"alike": [1, 0, 7], "unlike": [5, 2, 0]}


def test_every_bar_stands_in_its_bin_as_high_as_its_count() -> None:
    figure, _ = drawings.draw_histogram(EDGES, COUNTS, "cosine", "pairs", "A title", threshold=0.1)
    axes: Any = figure.axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [bar.get_height() for bar in bars] == [1, 0, 7, 5, 2, 0]
    for number, bar in enumerate(bars):
        assert EDGES[number % 3] < bar.get_x() < bar.get_x() + bar.get_width() < EDGES[number % 3 + 1]
    for alike, unlike in zip(bars[:3], bars[3:], strict=True):
        assert alike.get_x() + alike.get_width() <= unlike.get_x() + 1e-9
    assert "threshold 0.10" in [text.get_text() for text in axes.texts]
    assert 0.1 in axes.lines[0].get_xdata()
    assert figures.png(figure)


def test_the_words_give_edges_counts_and_threshold() -> None:
    _, said = drawings.draw_histogram(EDGES, COUNTS, "cosine", "pairs", threshold=0.1)
    assert said == (
        "Counts between the edges 0.00, 0.10, 0.20, 0.40. alike: 1, 0, 7; unlike: 5, 2, 0."
        " The threshold is 0.10."
    )
    assert "threshold" not in drawings.draw_histogram(EDGES, COUNTS, "cosine", "pairs")[1]


@pytest.mark.parametrize("edges", [[0.1], [0.0, 0.2, 0.1, 0.3]])
def test_edges_that_do_not_ascend_are_refused(edges: list[float]) -> None:
    with pytest.raises(ValueError, match="each larger than the one before"):
        drawings.draw_histogram(edges, COUNTS, "x", "y")
