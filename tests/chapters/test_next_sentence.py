"""The next-sentence head as a schematic: what is drawn, what is said, and what is refused."""

import numpy as np
import pytest

from chapters.nb11 import drawings

CLS, POOLED = np.array([0.5, -1.25, 2.0, 7.0]), np.array([0.1, -0.2, 0.3, 0.4])
WAY = ("The calf drinks.", "It is lucky. " * 9, 6, CLS, POOLED, [2.0, -1.0], [0.953, 0.047])


def test_the_numbers_are_those_given() -> None:
    written = {text.get_text() for text in drawings.draw_next_sentence(*WAY)[0].axes[0].texts}
    assert written >= {"[0.50, −1.25, 2.00, …]", "[0.10, −0.20, 0.30, …]", "[2.00, −1.00]", "0.953", "0.047"}
    assert written >= {"dense, 4 to 2", "The calf drinks.", "B follows A", "another document"}
    assert any(text.startswith("It is lucky.") and text.endswith("…") for text in written), "too long: cut"


def test_the_words_say_what_the_picture_shows() -> None:
    _, said = drawings.draw_next_sentence(*WAY)
    assert "6 layers" in said and "B follows A 0.953, another document 0.047" in said and WAY[1] in said


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="the pooler keeps their count"):
        drawings.draw_next_sentence(*WAY[:4], POOLED[:3], *WAY[5:])
    with pytest.raises(ValueError, match="two logits"):
        drawings.draw_next_sentence(*WAY[:5], [1.0, 2.0, 3.0], WAY[6])
