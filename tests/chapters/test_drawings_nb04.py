"""The drawings of notebook 04."""

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb04 import drawings as nb04

TABLE = np.arange(1200.0).reshape(40, 30)
ZEROS = [[0.0, 0.0]] * 4
SUMMED = (
    ["[CLS]", "love", *"four"], [0] + [1] * 5, [[0.25, 9], [-0.5, 9], *ZEROS], [[1.0, 9], [2.0, 9], *ZEROS],
    [[0.125, 9], [0.0625, 9], *ZEROS],
)  # fmt: skip

test_a_drawing_says_what_it_shows = for_each_example({
    "three lookups and their sums": (
        lambda: nb04.draw_input_sum(*SUMMED),
        ["love: word -0.5000, position 1 2.0000, token type 1 0.0625, sum 1.5625", "1.3750"],
        ["0.2500 ...", "-0.5000 ...", "0.1250 ...", "1.3750 ...", "first of 2 numbers", "[6, 2]"],
    ),
    "tables": (
        lambda: nb04.draw_tables({"small": TABLE, "large": TABLE}, "x", "y", below=("new places", 1.5)),
        [],
        ["small", "large", "new places"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "rows": (
        lambda: nb04.draw_input_sum(["i", "love"], [0, 0], [[1.0], [2.0]], [[1.0]], [[1.0], [2.0]]),
        "a row of each table for each",
    ),
    "no tables": (lambda: nb04.draw_tables({}, "", ""), "between one and three"),
})  # fmt: skip


def test_large_tables_have_scales_of_their_own_and_say_what_lies_below_a_row() -> None:
    large = 100 * TABLE
    large[0, 0] = 1e9  # the scale leaves out the most extreme numbers
    figure = nb04.draw_tables({"small": TABLE, "large": large}, "x", "y", below=("new places", 1.5))
    limits = [axes.images[0].get_clim() for axes in figure.axes]
    assert limits[0][1] <= 1200 < limits[1][1] < 1e6
    for axes in figure.axes:
        assert np.asarray(axes.lines[0].get_ydata()).tolist() == [1.5, 1.5]
        assert axes.texts[0].get_position()[1] > 1.5
