"""The drawings of notebook 20."""

from typing import Any

import pytest

from chapters.nb20 import drawings
from lib import figures

ROW = [0.31, -0.14, 0.04, 0.70]
SCALES = {"one scale": 1.0, "its own": 0.1}
NUMBERS = drawings.IntegerProduct([1.4, -0.5], [0.7, -0.1], [7, -3], [7, -1], 0.2, 0.1)


def test_rows_show_the_largest_and_what_each_scale_leaves() -> None:
    figure: Any = drawings.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title")[0]
    left, coarse, fine = figure.axes
    assert "row 1: 7.00" in [text.get_text() for text in left.texts]
    assert coarse.get_title(loc="left") == "one scale: 75% become 0"
    assert fine.get_title(loc="left") == "its own: 25% become 0"
    lines = [len(axes.collections[-1].get_segments()) for axes in (coarse, fine)]
    assert lines == [1, 15]  # the values that are in reach
    said = drawings.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 3)[1]
    assert "7.00 in row 1, at the median 0.70" in said and "its own (0.1 a code): 25%" in said
    assert figures.png(figure)


@pytest.mark.parametrize("scales", [{"one": 1.0}, {"one": 1.0, "none": 0.0}])
def test_rows_need_two_scales(scales: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="give two positive ones"):
        drawings.draw_row_ranges([1.0], ROW, scales, 3)


def test_a_walk_stands_on_the_staircase() -> None:
    figure: Any = drawings.draw_staircase(0.5, 3, [0.4, 0.8, 9.0])[0]
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in figure.axes[0].lines[2:]]
    assert dots == [(0.4, 0.5), (0.8, 1.0), (9.0, 1.5)]
    said = drawings.draw_staircase(0.5, 3, [0.4])[1]
    assert "7 steps, 0.5 high" in said and "Beyond 1.5" in said and "latent 0.40, rounded 0.50" in said
    with pytest.raises(ValueError, match="positive"):
        drawings.draw_staircase(0.0, 3, [0.4])


def test_both_ways_of_an_integer_product_end_in_the_same_number() -> None:
    assert NUMBERS.total == 52 and NUMBERS.output == pytest.approx(1.04)
    figure: Any = drawings.draw_integer_product(NUMBERS)[0]
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written.count("1.04") == 2 and "int32: 52" in written and "× 0.2 × 0.1" in written
    assert "not rounded: 1.03" in written
    said = drawings.draw_integer_product(NUMBERS)[1]
    assert "int32 to 52" in said and "Without rounding it would be 1.03." in said


def test_trained_models_stand_above_those_that_were_only_rounded() -> None:
    rounded = {"by row": [[0.8, 0.82], [0.6, 0.64]], "by matrix": [[0.3, 0.3], [0.1, 0.1]]}
    task = drawings.Trained(rounded, {"by row": {3: [0.78, 0.8]}}, [0.8, 0.82], 1 / 9)
    figure, said = drawings.draw_trained([4, 3], task, "A title")
    axes: Any = figure.axes[0]
    line, dots = axes.lines[:2]
    assert line.get_ydata().tolist() == pytest.approx([81, 62]) and line.get_label() == "by row, rounded"
    assert [dots.get_xdata()[0], dots.get_ydata()[0]] == pytest.approx([3, 79])
    assert axes.texts[0].xy == pytest.approx((3, 79))  # the line from rounded to trained
    assert "by row, trained with rounding: 3 bits 79.0%" in said and "a guess 11.1%" in said
    assert figures.png(figure)


def test_a_blank_shows_the_word_of_before_and_the_guess_of_now() -> None:
    blank = drawings.BlankNow("paris is the [MASK] of france", "capital", 0.4, 0.1, "son")
    figure: Any = drawings.draw_blanks([blank])
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written == ["paris is the [son] of france", "“capital” 0.40 → 0.10"]
    assert figure.axes[0].patches[0].get_width() == 0.1
    assert "first guess now son, “capital” 0.40 before and 0.10 now." in drawings.describe_blanks([blank])
    with pytest.raises(ValueError, match="no blanks"):
        drawings.draw_blanks([])
