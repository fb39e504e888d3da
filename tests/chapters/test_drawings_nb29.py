"""The drawings of notebook 29."""

import torch
from pictures import for_each_example

from chapters.nb29 import drawings as nb29

EIGHT = torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26])

test_a_drawing_says_what_it_shows = for_each_example({
    "three values of a row": (
        lambda: nb29.draw_three_values(EIGHT, {"one": (0.35, 0.7), "two": (0.177, 0.4225)}, "A row"),
        ["one: beyond 0.350 a weight becomes ±0.700, 75% become 0",
         "two: beyond 0.177 a weight becomes ±0.422, 50% become 0"],
        [],
    ),
    "a product of sums": (
        lambda: nb29.draw_sums([2, -1, 4], [1, 0, -1], 0.5, "An output"),
        ["Codes +1 for 2, +0 for -1, -1 for 4.", "sum -2, times the scale 0.5: -1."],
        [],
    ),
})  # fmt: skip
