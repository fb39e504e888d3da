"""The drawings of notebook 09."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from pictures import for_each_example, for_each_refusal

from chapters.nb09 import drawings as nb09
from lib.figures.style import LIT

CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
GPT = nb09.Stack("GPT", "token + position", 12, 768, CAUSAL, "the next word")
BANK = ["the", "bank", "gave"]

test_a_drawing_says_what_it_shows = for_each_example({
    "a stack": (
        lambda: nb09.draw_stacks([GPT], BANK, "A title"),
        ["12 layers", "768 numbers", "the at 1, bank at 2, gave at 3"],
        ["A title", "GPT", "token + position", "one of 12 layers", "768 numbers for each token"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "three stacks": (lambda: nb09.draw_stacks([GPT] * 3, BANK, "A title"), "one or two"),
    "seven tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 7, "A title"), "at most six"),
    "four tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 4, "A title"), "4 tokens for 3 rows"),
})  # fmt: skip


def test_the_squares_are_the_causal_mask() -> None:
    axes = nb09.draw_stacks([GPT], BANK, "A title")[0].axes[0]
    squares = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    rows = np.array([to_hex(square.get_facecolor()) == LIT for square in squares]).reshape(3, 3)
    assert (rows == CAUSAL).all() and squares[0].get_y() > squares[-1].get_y()  # the first token is on top
