"""The drawings of notebook 04."""

import numpy as np
import pytest

from chapters.nb04 import drawings


def test_the_input_is_drawn_as_three_lookups_and_their_sums() -> None:
    summed = (
        ["[CLS]", "love"], [0, 1], [[0.25, 9], [-0.5, 9]], [[1.0, 9], [2.0, 9]], [[0.125, 9], [0.0625, 9]],
    )  # fmt: skip
    figure, told = drawings.draw_input_sum(*summed)
    drawn = [text.get_text() for text in figure.axes[0].texts]
    assert drawn.count("0") == 2 and drawn.count("1") == 2  # position and token type of both tokens
    for number in ("0.2500", "-0.5000", "1.0000", "2.0000", "0.1250", "0.0625", "1.3750", "1.5625"):
        assert f"{number} ..." in drawn and number in told
    assert any("first of 2 numbers" in text for text in drawn) and "[2, 2]" in drawn
    assert "love: word -0.5000, position 1 2.0000, token type 1 0.0625, sum 1.5625" in told
    with pytest.raises(ValueError, match="a row of each table for each"):
        drawings.draw_input_sum(["i", "love"], [0, 0], [[1.0], [2.0]], [[1.0]], [[1.0], [2.0]])


def test_large_tables_have_scales_of_their_own_and_say_what_lies_below_a_row() -> None:
    table = np.arange(1200.0).reshape(40, 30)
    large = 100 * table
    large[0, 0] = 1e9  # the scale leaves out the most extreme numbers
    figure = drawings.draw_tables({"small": table, "large": large}, "x", "y", below=("new places", 1.5))
    assert [axes.get_title() for axes in figure.axes] == ["small", "large"]
    limits = [axes.images[0].get_clim() for axes in figure.axes]
    assert limits[0][1] <= 1200 < limits[1][1] < 1e6
    for axes in figure.axes:
        assert np.asarray(axes.lines[0].get_ydata()).tolist() == [1.5, 1.5]
        assert axes.texts[0].get_text() == "new places" and axes.texts[0].get_position()[1] > 1.5
    assert not drawings.draw_tables({"a": table}, "x", "y").axes[0].lines
    with pytest.raises(ValueError, match="between one and three"):
        drawings.draw_tables({}, "", "")
