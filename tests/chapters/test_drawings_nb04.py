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
WAVES = np.cos(np.arange(40) * 2 * np.pi / 6)[:, None] * [0, 1]
LIKENESS = {"learned": 0.5 * np.cos(np.arange(97) * 2 * np.pi / 6) + 0.25, "computed": 0.99 ** np.arange(97)}
RIGHT = np.array([[1.0] * 15 + [0.0] * 16] * 3)
BROKEN = np.arange(32)[:, None] < 16

test_a_drawing_says_what_it_shows = for_each_example({
    "three lookups and their sums": (
        lambda: nb04.draw_input_sum(*SUMMED),
        ["love: word -0.5000, position 1 2.0000, token type 1 0.0625, sum 1.5625", "1.3750"],
        ["0.2500 ...", "-0.5000 ...", "0.1250 ...", "1.3750 ...", "first of 2 numbers", "[6, 2]"],
    ),
    "what a swap moves": (
        lambda: nb04.draw_moved(["[CLS]", "dog", "man"], [[0, 3, 2], [1, 4, 2.5]], [[0, 0, 0], [0, 0, 0]]),
        ["intact, at the input: 0  [CLS] 0.0, 1  dog 3.0", "erased, after the last layer: 0  [CLS] 0.0"],
        ["intact: 2 of 3 vectors move at the input,\n3 after the last layer", "4.0", "2  man"],
    ),
    "two waves": (
        lambda: nb04.draw_two_waves(WAVES, [1]),
        ["column 1 is highest at positions 6, 12, 18, 24, 30"], ["column 1"],
    ),
    "positions alike": (
        lambda: nb04.draw_likeness(LIKENESS, {name: np.full(97, 0.1) for name in LIKENESS}),
        ["computed: 0.99 at 1", "learned: 0.50 at 1"],
        ["With distance the computed cosine falls, and the learned one swings"],
    ),
    "new places": (
        lambda: nb04.draw_new_places({"learned": RIGHT, "computed": RIGHT}, 0.14),
        ["learned: 1.00 at places 1 to 15, 0.00 at place 16", "Most frequent token: 0.14"],
        ["Neither learned nor computed positions carry over to new places"],
    ),
    "a diagonal that goes on": (
        lambda: nb04.draw_looks({"learned": np.eye(32, k=-1)[None]}),
        ["1.00 at place 20"], ["Who looks where"],
    ),
    "a diagonal that breaks off": (
        lambda: nb04.draw_looks({"learned": (np.eye(32, k=-1) * BROKEN)[None]}), ["0.00 at place 20"],
        ["The diagonal breaks off where the new places begin"],
    ),
    "what is missed": (
        lambda: nb04.draw_missed({"all positions zero": 0.7, "token types zero": 0.8}),
        ["token types zero: 0.80"], ["What is left when a small table is changed"],
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


def test_a_table_of_orders_has_a_column_for_each_model() -> None:
    table = nb04.orders_table([("dog", "a dog", "dog a")], {"intact": [0.9], "erased": [1.0]})
    assert list(table) == ["word", "one order", "the other", "intact", "erased"]
    assert table["intact"] == [0.9]
