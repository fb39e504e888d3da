"""The drawings of notebook 13."""

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb13 import drawings as nb13

SORTED = [["vertical", "block", "vertical + diagonal"], 3 * ["vertical"]]
KINDS = ["vertical", "diagonal", "vertical + diagonal", "block"]
ROW = [0.1, 0.5, 0.1, 0.9]  # the word itself, number 3, is no answer
PARSES = {"the gold parse": (1, "direct object"), "fixed offset": (2, "one word back")}

test_a_drawing_says_what_it_shows = for_each_example({
    "the largest other weight is the link": (
        lambda: nb13.draw_link_test(["she", "read", "a", "book"], ROW, 3, PARSES, "T"),
        ["read (largest weight); the gold parse: read (direct object)", "fixed offset: a (one word back)"],
        ["T", "read", "0.50", "itself", "one word back"],
    ),
    "sorted heads": (
        lambda: (nb13.draw_sorted_heads(SORTED, KINDS), nb13.describe_sorted_heads(SORTED, KINDS)),
        ["Of 6 heads in 2 layers: 4 vertical (in layers 0, 1); 0 diagonal; 1 vertical"],
        ["V\nB\nVD\nV\nV\nV", "V  vertical: 4"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "an empty layer": (lambda: nb13.draw_sorted_heads([["a"], []], ["a"]), "for each layer"),
    "no such kind": (lambda: nb13.draw_sorted_heads([["a"]], ["b"]), "'a' is none of the kinds b"),
    "ten words": (lambda: nb13.draw_link_test(10 * ["a"], np.ones(10), 0, PARSES), "two to 9"),
    "no such word": (
        lambda: nb13.draw_link_test(["a", "b"], [0.5, 0.5], 0, {"gold": (4, "object")}), "not possible",
    ),
})  # fmt: skip
