"""Books of values, drawn: over a histogram, as they are stored, and every choice of bits as a dot."""

from typing import Any

import pytest

from chapters.nb25 import drawings
from lib import figures

WEIGHTS = [-0.2, -0.1, 0.0, 0.05, 0.1, 0.9]
BOOKS = {"linear": [-0.2, 0.9], "GOBO": [-0.1, 0.05]}
STORED = drawings.StoredWeights([0.3, -0.1, 9.0], [-0.1, 0.3], [1, 0, 1], {2: 9.0})
ROWS = {"seed 0": [0.5, 0.7, 0.9], "seed 1": [0.4, 0.6]}
MARKED = {"by curvature": {"seed 0": 0.9, "seed 1": 0.4}, "equal": {"seed 0": 0.7}}


def test_every_book_has_a_panel_with_its_values_and_outliers_another_color() -> None:
    figure: Any = drawings.draw_books(WEIGHTS, BOOKS, {"GOBO": (-0.3, 0.5)}, "A title")
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(BOOKS)
    for axes, colors in zip(figure.axes, (1, 2), strict=True):
        assert len(axes.collections[-1].get_segments()) == 2
        assert len({patch.get_facecolor() for patch in axes.patches}) == colors  # where outliers are kept
    said = drawings.describe_books(WEIGHTS, BOOKS, {"GOBO": (-0.3, 0.5)})
    assert "GOBO keeps the 1 outside of -0.300 to 0.500" in said and "GOBO: -0.100, 0.050" in said
    assert figures.png(figure)
    cut: Any = drawings.draw_books(WEIGHTS, BOOKS, {"GOBO": (-0.3, 0.5)}, beyond="orange: cut off")
    assert cut.axes[-1].get_xlabel().endswith("; orange: cut off")
    with pytest.raises(ValueError, match="one to three"):
        drawings.draw_books(WEIGHTS, {})


def test_what_is_stored_comes_back_with_its_outlier() -> None:
    figure: Any = drawings.draw_stored_weights(STORED, 1, "A title")[0]
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written.count("9") == 2 and "place 2: 9" in written and "0: -0.1, 1: 0.3" in written
    assert drawings.draw_stored_weights(STORED, 1, "a title")[1].endswith("Back come 0.3, -0.1, 9.")
    for wrong, bits in ((STORED, 2), (STORED._replace(codes=[1]), 1)):
        with pytest.raises(ValueError, match="a code for each"):
            drawings.draw_stored_weights(wrong, bits, "")


def test_choices_are_dots_and_named_ones_are_marked() -> None:
    figure: Any = drawings.draw_strips(ROWS, MARKED, "agreement", "A title")[0]
    lines = figure.axes[0].lines
    assert [len(line.get_xdata()) for line in lines] == [3, 2, 2, 1]
    assert list(lines[2].get_xdata()) == [0.9, 0.4]
    said = drawings.draw_strips(ROWS, MARKED, "")[1]
    assert "seed 1: 2 choices from 0.400 to 0.600, mean 0.500; by curvature 0.400." in said
    with pytest.raises(ValueError, match="no row"):
        drawings.draw_strips(ROWS, {"equal": {"seed 9": 0.1}}, "")
    with pytest.raises(ValueError, match="four marks"):
        drawings.draw_strips({}, {}, "")
