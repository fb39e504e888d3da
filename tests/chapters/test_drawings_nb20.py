"""The drawings of notebook 20."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal, written

from chapters.nb20 import drawings as nb20

ROW = [0.31, -0.14, 0.04, 0.70]
SCALES = {"one scale": 1.0, "its own": 0.1}
PRODUCT = nb20.IntegerProduct([1.4, -0.5], [0.7, -0.1], [7, -3], [7, -1], 0.2, 0.1)
ROUNDED = {"by row": [[0.8, 0.82], [0.6, 0.64]], "by matrix": [[0.3, 0.3], [0.1, 0.1]]}
TRAINED = nb20.Trained(ROUNDED, {"by row": {3: [0.78, 0.8]}}, [0.8, 0.82], 1 / 9)
BLANK = nb20.BlankNow("paris is the [MASK] of france", "capital", 0.4, 0.1, "son")

test_a_drawing_says_what_it_shows = for_each_example({
    "what each scale leaves of a row": (
        lambda: nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title"),
        ["7.00 in row 1, at the median 0.70", "its own (0.1 a code): 25%"],
        ["row 1: 7.00", "one scale: 75% become 0", "its own: 25% become 0"],
    ),
    "a staircase": (
        lambda: nb20.draw_staircase(0.5, 3, [0.4]),
        ["7 steps, 0.5 high", "Beyond 1.5", "latent 0.40, rounded 0.50"],
        [],
    ),
    "a product in whole numbers": (
        lambda: nb20.draw_integer_product(PRODUCT),
        ["int32 to 52", "Without rounding it would be 1.03."],
        ["1.04", "int32: 52", "× 0.2 × 0.1", "not rounded: 1.03"],
    ),
    "rounded and trained": (
        lambda: nb20.draw_trained([4, 3], TRAINED, "A title"),
        ["by row, trained with rounding: 3 bits 79.0%", "a guess 11.1%"],
        [],
    ),
    "a blank before and now": (
        lambda: (nb20.draw_blanks([BLANK]), nb20.describe_blanks([BLANK])),
        ["first guess now son, “capital” 0.40 before and 0.10 now."],
        ["paris is the [son] of france", "“capital” 0.40 → 0.10"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "one scale": (lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0}, 3), "give two positive ones"),
    "a scale of 0": (
        lambda: nb20.draw_row_ranges([1.0], ROW, {"one": 1.0, "none": 0.0}, 3), "give two positive ones",
    ),
    "flat steps": (lambda: nb20.draw_staircase(0.0, 3, [0.4]), "positive"),
    "no blanks": (lambda: nb20.draw_blanks([]), "no blanks"),
})  # fmt: skip


def test_a_row_has_a_line_for_each_value_in_reach() -> None:
    _, coarse, fine = nb20.draw_row_ranges([0.7, 7.0, 0.5], ROW, SCALES, 7, "A title")[0].axes
    lines: list[Any] = [axes.collections[-1] for axes in (coarse, fine)]
    assert [len(line.get_segments()) for line in lines] == [1, 15]


def test_a_walk_stands_on_the_staircase() -> None:
    axes: Any = nb20.draw_staircase(0.5, 3, [0.4, 0.8, 9.0])[0].axes[0]
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines[2:]]
    assert dots == [(0.4, 0.5), (0.8, 1.0), (9.0, 1.5)]


def test_both_ways_of_an_integer_product_end_in_the_same_number() -> None:
    assert PRODUCT.total == 52 and PRODUCT.output == pytest.approx(1.04)
    assert written(nb20.draw_integer_product(PRODUCT)[0]).count("1.04") == 2


def test_trained_models_stand_above_those_that_were_only_rounded() -> None:
    axes: Any = nb20.draw_trained([4, 3], TRAINED, "A title")[0].axes[0]
    line, dots = axes.lines[:2]
    assert line.get_ydata().tolist() == pytest.approx([81, 62]) and line.get_label() == "by row, rounded"
    assert [dots.get_xdata()[0], dots.get_ydata()[0]] == pytest.approx([3, 79])
    assert axes.texts[0].xy == pytest.approx((3, 79))  # the line from rounded to trained
