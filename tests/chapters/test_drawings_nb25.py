"""The drawings of notebook 25."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb25 import drawings as nb25

VALUES = [-0.2, -0.1, 0.0, 0.05, 0.1, 0.9]
BOOKS = {"linear": [-0.2, 0.9], "GOBO": [-0.1, 0.05]}
INSIDE = {"GOBO": (-0.3, 0.5)}
STORED = nb25.StoredWeights([0.3, -0.1, 9.0], [-0.1, 0.3], [1, 0, 1], {2: 9.0})
CHOICES = {"seed 0": [0.5, 0.7, 0.9], "seed 1": [0.4, 0.6]}
MARKED = {"by curvature": {"seed 0": 0.9, "seed 1": 0.4}, "equal": {"seed 0": 0.7}}
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
