"""The drawings of notebook 10."""

from typing import Any

import pytest

from chapters.nb10 import drawings


def a_head(**changes) -> drawings.MaskedLMHead:
    stations = ("hidden state", "dense", "GELU", "layer norm")
    given: dict[str, Any] = {
        "tokens": ["a", "[MASK]", "."],
        "vectors": {name: [number + 0.25, -0.004, 9.0] for number, name in enumerate(stations)},
        "guesses": {"letter": (12.5, 0.64), "book": (9.1, 0.02)},
        "vocabulary": 9000,
    }
    return drawings.MaskedLMHead(**(given | changes))


def test_the_masked_lm_head_is_drawn_and_described_with_its_numbers():
    figure, said = drawings.draw_masked_lm_head(a_head(), "A title")
    written = {text.get_text() for text in figure.axes[0].texts}
    assert {"A title", "3.25  0.00  …", "64%", "9.1", "a [MASK] .", "[9,000, 3]"} <= written
    for station in ("1.25  0.00  …", "9,000 by 3", "letter with logit 12.5 and probability 64%"):
        assert station in said


@pytest.mark.parametrize(
    "wrong",
    [
        {"vectors": {"hidden state": [1.0, 2.0]}},
        {"vectors": {"dense": [1.0], "hidden state": [1.0], "GELU": [1.0], "layer norm": [1.0]}},
        {"guesses": {}},
        {"guesses": {str(number): (1.0, 0.1) for number in range(5)}},
    ],
)
def test_a_masked_lm_head_that_does_not_fit_the_picture(wrong):
    with pytest.raises(ValueError, match=r"The vectors should be|room for one to four"):
        a_head(**wrong)
