"""The drawings of notebook 30."""

from pictures import for_each_example

from chapters.nb30 import drawings as nb30

test_a_drawing_says_what_it_shows = for_each_example({
    "a weight as two": (
        lambda: nb30.draw_rows({"weight": ["0.3", "-0.1"], "sum": ["0.2", "0"]}, {"sum": "lit"}, "A split"),
        ["weight: 0.3, -0.1; sum: 0.2, 0."],
        ["0.3", "-0.1", "0.2"],
    ),
    "accuracy over bits": (
        nb30.draw_bits,
        ["Rounded only: 32 bits 80.7", "1 bit 15.5", "inputs in four bits: three values 76.5"],
        ["three values", "rounded only", "a guess"],
    ),
})  # fmt: skip
