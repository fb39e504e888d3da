"""The drawings of notebook 14."""

import pytest

from chapters.nb14 import drawings


def test_the_schematic_says_its_numbers() -> None:
    found = drawings.ForwardToLoss("a text", ("bad", "good"), [0.1, -0.2], [0.57, 0.43], 1, 0.84, 1000, 10)
    figure, told = drawings.draw_fine_tuning(found)
    assert "good: logit −0.20, probability 0.43" in told and "True is good" in told and "0.84 nats" in told
    drawn = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert "10 new weights and 1,000 pretrained ones" in drawn and "0.84 nats" in drawn
    with pytest.raises(ValueError, match="place of one"):
        drawings.ForwardToLoss("a text", ("bad", "good"), [0.1, -0.2], [0.57, 0.43], 2, 0.84, 1000, 10)
