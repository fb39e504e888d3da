"""Few bits, drawn: blanks before and after, and curves over bits."""

from typing import Any

import pytest

from lib import figures

BLANK = figures.BlankNow("paris is the [MASK] of france", "capital", 0.4, 0.1, "son")
CURVES = {"all": {"row": [[0.98, 1.0], [0.8, 0.9]], "matrix": [[0.9, 0.9], [0.5, 0.5]]}}


def test_a_blank_shows_the_word_of_before_and_the_guess_of_now() -> None:
    figure: Any = figures.draw_blanks([BLANK])
    written = [text.get_text() for text in figure.axes[0].texts]
    assert written == ["paris is the [son] of france", "“capital” 0.40 → 0.10"]
    assert figure.axes[0].patches[0].get_width() == 0.1
    assert "first guess now son, “capital” 0.40 before and 0.10 now." in figures.describe_blanks([BLANK])
    with pytest.raises(ValueError, match="no blanks"):
        figures.draw_blanks([])


def test_curves_have_the_mean_and_the_range_of_their_seeds() -> None:
    drawn = figures.draw_bit_curves([8, 4], CURVES, "agreement", "A title", ("chance", 0.5))
    figure: Any = drawn[0]
    axes, said = figure.axes[0], drawn[1]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.99, 0.85])
    assert axes.get_xlim() == (8.4, 3.6)  # the fewest on the right
    assert "all, row: 8 bits 0.990, 4 bits 0.850;" in said and said.endswith(" chance 0.500.")


def test_curves_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        figures.draw_bit_curves([8, 4, 2], CURVES, "agreement")
    with pytest.raises(ValueError, match="same lines"):
        figures.draw_bit_curves([8, 4], {**CURVES, "part": {"row": [0.9, 0.8]}}, "agreement")
    with pytest.raises(ValueError, match="one to 4"):
        figures.draw_bit_curves([8, 4], {}, "agreement")
