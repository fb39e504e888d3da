"""The picture of one training step, and its words."""

from typing import Any

import pytest

from chapters.nb03 import drawings


def a_pair_step(**changed) -> drawings.PairStep:
    given: dict[str, Any] = {
        "words": ["bank", "river", "spoon"],
        "vectors": [[1.0, 0.5], [-0.5, 1.0], [1.0, 0.0]],
        "probabilities": [0.5, 0.731],
        "losses": [0.693, 1.313],
        "gradients": [[0.981, -0.5], [-0.5, -0.25], [0.731, 0.366]],
        "learning_rate": 0.4,
        "new_loss": 1.312,
    }
    return drawings.PairStep(**(given | changed))


def test_a_training_step_is_drawn_and_told_with_its_numbers():
    step = a_pair_step()
    figure, told = drawings.draw_training_step(step)
    drawn = " ".join(text.get_text() for text in figure.axes[0].texts)
    for number in (
        "2.01",
        "1.31",
        "0.73",
        "[0.98, −0.50]",
        "[0.61, 0.70]",
        "[−0.30, 1.10]",
        "−0.50 river + 0.73 spoon",
    ):
        assert number in drawn and number in told
    longer = a_pair_step(learning_rate=1.0)
    assert "[0.02, 1.00]" in drawings.draw_training_step(longer)[1]


def test_a_step_that_is_no_pair_with_a_noise_word_is_refused():
    with pytest.raises(ValueError, match="losses"):
        a_pair_step(losses=[0.7])
    with pytest.raises(ValueError, match="gradients"):
        a_pair_step(gradients=[[0.1, 0.2]])
    with pytest.raises(ValueError, match="2 tokens for 3"):
        a_pair_step(words=["bank", "river"])
