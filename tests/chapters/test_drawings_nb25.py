"""The drawings of notebook 25."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb25 import drawings as nb25
from chapters.nb25 import recorded
from lib import records

VALUES = [-0.2, -0.1, 0.0, 0.05, 0.1, 0.9]
BOOKS = {"linear": [-0.2, 0.9], "GOBO": [-0.1, 0.05]}
INSIDE = {"GOBO": (-0.3, 0.5)}
STORED = nb25.StoredWeights([0.3, -0.1, 9.0], [-0.1, 0.3], [1, 0, 1], {2: 9.0})
CHOICES = {"seed 0": [0.5, 0.7, 0.9], "seed 1": [0.4, 0.6]}
MARKED = {"by curvature": {"seed 0": 0.9, "seed 1": 0.4}, "equal": {"seed 0": 0.7}}
KEPT = {
    nb25.BOOK: [True, True, True, False],
    nb25.ROWS: [True, False, False, False],
    nb25.BARE_BOOK: [True, True, False, False],
    nb25.FAIR_ROWS: [True, True, True, True],
}
MINE = {"your rows": [True, True, False, False], "your book": [False, True, True, True]}
BITS = {"all": {"row": [[0.98, 1.0], [0.8, 0.9]], "matrix": [[0.9, 0.9], [0.5, 0.5]]}}

test_a_drawing_says_what_it_shows = for_each_example({
    "books of values": (
        lambda: (
            nb25.draw_books(VALUES, BOOKS, INSIDE, "A title", beyond="orange: cut off"),
            nb25.describe_books(VALUES, BOOKS, INSIDE),
        ),
        ["GOBO keeps the 1 outside of -0.300 to 0.500", "GOBO: -0.100, 0.050"],
        ["linear", "GOBO", "; orange: cut off"],
    ),
    "stored weights": (
        lambda: nb25.draw_stored_weights(STORED, 1, "A title"),
        ["Back come 0.3, -0.1, 9."],
        ["place 2: 9", "0: -0.1, 1: 0.3"],
    ),
    "nine weights": (
        lambda: nb25.draw_nine_weights([0.31, -0.14], [-0.28, 0.0, 0.2, 0.31], [3, 0], 7.0),
        ["The weights 0.31, -0.14, 7 become the codes 3, 0, 3", "outliers 7 at place 2"],
        ["place 2: 7"],
    ),
    "three books": (
        lambda: nb25.draw_three_books([VALUES], [[True] * 5 + [False]], BOOKS, [161.2, 0.038]),
        ["linear: error 161 times the variance: -0.200, 0.900", "keeps the 1 outside of -0.200 to 0.100"],
        ["linear: error 161 times the variance", "GOBO: error 0.038 times the variance"],
    ),
    "a bet": (
        lambda: nb25.draw_bet(KEPT, MINE, 2, 0.001),
        ["your rows, 2.15 bits 50.0, your book, 2.06 bits 75.0", "alone: 1; that the book keeps alone: 2"],
        ["your rows, 2.15 bits"],
    ),
    "all choices of the record": (
        lambda: nb25.draw_choices(records.table("choosing_bits")),
        ["seed 0: 20 choices", "by curvature less reversed +5.8 points, resolved"],
        ["by curvature", "seed 2"],
    ),
    "fewer bits in the record": (
        lambda: nb25.draw_fewer_bits(records.table("choosing_bits")),
        ["GOBO: 4 bits 0.887", "Not rounded: 0.890", "GOBO less one scale a matrix, outliers kept +35"],
        ["accuracy", "one answer 0.51"],
    ),
    "every choice as a dot": (
        lambda: nb25.draw_strips(CHOICES, MARKED, "agreement", "A title"),
        ["seed 1: 2 choices from 0.400 to 0.600, mean 0.500; by curvature 0.400."],
        ["seed 0", "seed 1"],
    ),
    "curves over bits": (
        lambda: nb25.draw_bit_curves([8, 4], BITS, "agreement", "A title", ("chance", 0.5)),
        ["all, row: 8 bits 0.990, 4 bits 0.850;", " chance 0.500."],
        ["agreement"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no books": (lambda: nb25.draw_books(VALUES, {}), "one to three"),
    "bits": (lambda: nb25.draw_stored_weights(STORED, 2, ""), "a code for each"),
    "codes": (lambda: nb25.draw_stored_weights(STORED._replace(codes=[1]), 1, ""), "a code for each"),
    "no such row": (lambda: nb25.draw_strips(CHOICES, {"equal": {"seed 9": 0.1}}, ""), "no row"),
    "no choices": (lambda: nb25.draw_strips({}, {}, ""), "four marks"),
    "bits without curves": (lambda: nb25.draw_bit_curves([8, 4, 2], BITS, ""), "shape"),
    "lines": (lambda: nb25.draw_bit_curves([8, 4], {**BITS, "part": {"row": [0.9]}}, ""), "same lines"),
    "no panels": (lambda: nb25.draw_bit_curves([8, 4], {}, ""), "one to 4"),
})  # fmt: skip


def test_bits_have_the_mean_of_their_seeds_and_the_fewest_on_the_right() -> None:
    axes: Any = nb25.draw_bit_curves([8, 4], BITS, "agreement", "A title", ("chance", 0.5))[0].axes[0]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.99, 0.85])
    assert axes.get_xlim() == (8.4, 3.6)


def test_outliers_that_are_kept_have_another_color() -> None:
    figure: Any = nb25.draw_books(VALUES, BOOKS, INSIDE, "A title")
    for axes, colors in zip(figure.axes, (1, 2), strict=True):
        assert len(axes.collections[-1].get_segments()) == 2
        assert len({patch.get_facecolor() for patch in axes.patches}) == colors


def test_choices_are_dots_and_named_ones_are_marked() -> None:
    axes: Any = nb25.draw_strips(CHOICES, MARKED, "agreement", "A title")[0].axes[0]
    assert [len(line.get_xdata()) for line in axes.lines] == [3, 2, 2, 1]
    assert list(axes.lines[2].get_xdata()) == [0.9, 0.4]


def test_tables_say_the_shares_and_the_headlines() -> None:
    assert nb25.agreements(MINE) == {"way": ["your rows", "your book"], "answers kept": ["50%", "75%"]}
    four = nb25.four_ways(KEPT)
    assert four["rows"] == ["1 of 4 (25%)", "4 of 4 (100%)"]
    assert four["book"] == ["2 of 4 (50%)", "3 of 4 (75%)"]
    columns = {"one": [[True, False], [True, True]], "two": [[True, True], [True, True]]}
    assert nb25.two_by_two(["a", "b"], columns) == {
        "": ["a", "b"],
        "one": ["1 of 2 (50%)", "2 of 2 (100%)"],
        "two": ["2 of 2 (100%)", "2 of 2 (100%)"],
        "only one": ["0", "0"],
        "only two": ["1", "0"],
        "2√k": ["2.0", "0.0"],
    }


def test_a_lead_has_the_headlines_that_only_one_keeps() -> None:
    assert nb25.lead(MINE, "your rows", "your book") == "only your rows: 1, only your book: 2; 2√k = 3.5"


def test_what_gptq_keeps_is_told_by_what_it_reads() -> None:
    line = nb25.by_headlines_read({1: 0.5, 480: 0.75}, [True, True, False, True])
    assert line == "full reach: to the nearest 75%, GPTQ after 1 50%, after 480 75%"


def test_other_tasks_say_what_is_resolved() -> None:
    said = nb25.on_other_tasks(records.table("choosing_bits")).splitlines()
    assert said[0].endswith(
        "outliers alone 70.6%, GOBO 78.4%; GOBO less outliers alone +7.9 points, resolved"
    )
    assert said[3] == "reviews: noise in a quarter less in all -3.6 points, resolved"
    assert sum(line.endswith("not resolved") for line in said) == 3


def test_the_record_reads_what_was_written() -> None:
    kept = [bool(number % 3) for number in range(16)]
    assert recorded.written(kept) == "6db6"
    assert {len(recorded.kept_of(way)) for way in recorded.KEPT} == {720}


def test_a_printed_size_stands_beside_the_least() -> None:
    table = nb25.published(lambda matrices, tables: 10.0 * matrices + tables)
    assert table["model, bits"][0] == "Q-BERT, 2-8-8"
    assert table["at least, MiB"] == [28.0, 22.0]
