"""The stacks of BERT and GPT: what is drawn, what is said, and what is refused."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from chapters.nb09 import drawings
from lib.figures.style import LIT

TOKENS = ["the", "bank", "gave"]
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
GPT = drawings.Stack("GPT", "token + position", 12, 768, CAUSAL, "the next word")


def test_the_squares_are_the_mask() -> None:
    figure, _ = drawings.draw_stacks([GPT], TOKENS, "A title")
    squares = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle) and patch.get_fill()]
    rows = np.array([to_hex(square.get_facecolor()) == LIT for square in squares]).reshape(3, 3)
    assert (rows == CAUSAL).all()
    assert squares[0].get_y() > squares[-1].get_y(), "the first token's row is on top"


def test_the_numbers_are_those_given() -> None:
    figure, said = drawings.draw_stacks([GPT], TOKENS, "A title")
    written = {text.get_text() for text in figure.axes[0].texts}
    assert written >= {"A title", "GPT", "token + position", "one of 12 layers", "768 numbers for each token"}
    assert "12 layers" in said and "768 numbers" in said and "the at 1, bank at 2, gave at 3" in said


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="one or two"):
        drawings.draw_stacks([GPT] * 3, TOKENS, "A title")
    with pytest.raises(ValueError, match="at most six"):
        drawings.draw_stacks([GPT], ["a"] * 7, "A title")
    with pytest.raises(ValueError):
        drawings.draw_stacks([GPT], ["a"] * 4, "A title")
