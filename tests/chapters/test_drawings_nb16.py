"""The drawings of notebook 16."""

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb16 import drawings as nb16

PARTS = ["words", "layer 0", "layer 1", "head"]
STACKS = [
    nb16.FrozenStack("All learns", PARTS, 0, 9, 10, 20, 30),
    nb16.FrozenStack("The top learns", PARTS, 2, 9, 1, 2, 3),
]
GENTLE = {"one rate": [80.0, 81.0], "layer rates": [82.0, 83.5], "gradual": [83.0, 84.0]}

test_a_drawing_says_what_it_shows = for_each_example({
    "what a frozen part holds": (
        lambda: nb16.draw_freezing(STACKS, "A title"),
        ["frozen are none", "frozen are words, layer 0; learning are layer 1, head",
         "60.0 MB together, beside 9.0 MB of weights", "6.0 MB together"],
        ["A title", "together 60.0 MB", "together 6.0 MB", "cut", "learns", "frozen"],
    ),
    "two gentle ways": (
        lambda: nb16.draw_gentle(PARTS, [0.1, 0.2, 0.4, 0.4], [30, 20, 10, 0], 40, GENTLE, "A title"),
        ["words: rate 0.10000, or frozen until step 30", "gradual 83.5 (83.0 to 84.0)"],
        ["0.10000", "0.40000", "frozen", "80.5", "82.8", "83.5"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a cut below": (lambda: nb16.FrozenStack("None", PARTS, -1, 1, 1, 1, 1), "from 0 to 3"),
    "nothing learns": (lambda: nb16.FrozenStack("None", PARTS, 4, 1, 1, 1, 1), "from 0 to 3"),
})  # fmt: skip


def test_a_sum_of_megabytes_is_that_of_the_numbers_as_they_are_written() -> None:
    assert nb16.FrozenStack("All learns", PARTS, 0, 9, 0.14, 0.14, 0.14).total == pytest.approx(0.3)
