"""The drawings of notebook 15."""

from typing import Any

import numpy as np
from pictures import for_each_example, for_each_refusal

from chapters.nb15 import drawings as nb15

HEADS = [
    nb15.HeadShape("class", "[CLS]", (3, 8), (2, 3), "cross-entropy, 3 classes", 1.098),
    nb15.HeadShape("span", "every token", (2, 8), (2, 5, 2), "cross-entropy, 5 tokens", 1.609),
]
TOKENS = ["[CLS]", "who", "[SEP]", "a", "seal", "[SEP]"]
START, END = np.array([0.5, -1, -2, 3.25, 1, 0]), np.array([0, -1, -2, 0.5, 2.5, 4])
MARGINS, ANSWERED = [-13.1, -1.2, 3.0], [True, True, False]

test_a_drawing_says_what_it_shows = for_each_example({
    "heads and their shapes": (
        lambda: nb15.draw_head_shapes(HEADS, "Two heads"),
        ["span: reads every token, a matrix of [2, 8] gives logits of [2, 5, 2]", "5 tokens: 1.61."],
        ["Two heads", "class", "[3, 8]", "[2, 3]", "1.10", "span", "[2, 5, 2]", "1.61"],
    ),
    "scores of a span": (
        lambda: nb15.draw_span_scores(TOKENS, START, END, (3, 4)),
        ["The best span, a seal, has the sum 5.8.", "end logit 4.0 at [SEP]"],
        ["3.2", "4.0", *TOKENS],
    ),
    "margins": (
        lambda: (
            nb15.draw_margins(MARGINS, ANSWERED, -2, (-20, 8), "Three questions"),
            nb15.describe_margins(MARGINS, ANSWERED, -2),
        ),
        ["2 with an answer, from -13.1 to -1.2: 1 silent; 1 without, from 3.0 to 3.0: 1 silent."],
        ["2 with an answer", "1 without"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no head": (lambda: nb15.draw_head_shapes([], "Heads"), "room for 1 to 6"),
    "seven heads": (lambda: nb15.draw_head_shapes(HEADS[:1] * 7, "Heads"), "room for 1 to 6"),
    "a span upside down": (lambda: nb15.draw_span_scores(TOKENS, START, END, (4, 3)), "is no span of"),
    "a span beyond": (lambda: nb15.draw_span_scores(TOKENS, START, END, (0, 6)), "no span of 6 tokens"),
    "a span before": (lambda: nb15.draw_span_scores(TOKENS, START, END, (-1, 2)), "no span of 6 tokens"),
    "ends": (lambda: nb15.draw_span_scores(TOKENS, START, END[:-1], (3, 4)), "as many end as"),
    "off the scale": (
        lambda: nb15.draw_margins([-21, 0], [True, False], 0, (-20, 8)), "outside of the scale",
    ),
    "one kind": (lambda: nb15.draw_margins([-1, 0], [True, True], 0, (-20, 8)), "both kinds"),
})  # fmt: skip


def test_margins_beyond_the_threshold_are_silent() -> None:
    axes: Any = nb15.draw_margins(MARGINS, ANSWERED, -2, (-20, 8), "Three questions").axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    drawn = [(line.get_xdata()[0], line.get_markerfacecolor() == "white") for line in dots]
    assert drawn == [(-13.1, False), (-1.2, True), (3.0, True)]
