"""The schematic of layer norm: its numbers are those that it is given."""

import pytest

from lib import figures

STEPS = {
    "token's vector": [1, 7, 9, 15],
    "minus the mean 8": [-7, -1, 1, 7],
    "divided by 5": [-1.4, -0.2, 0.2, 1.4],
}


def test_every_number_stands_in_a_box_and_every_step_is_named() -> None:
    figure = figures.draw_layer_norm(STEPS, "A title")
    written = [text.get_text() for text in figure.axes[0].texts]
    assert {"A title", *STEPS, "feature 3", "mean 8, spread 5", "mean 0, spread 1"} <= {*written}
    assert written.count("−1") == 1 and written.count("−1.4") == 1 and written.count("15") == 1
    assert figures.png(figure)


def test_the_words_give_the_numbers_and_what_became_of_mean_and_spread() -> None:
    said = figures.describe_layer_norm(STEPS)
    assert "token's vector: 1, 7, 9, 15 (mean 8, spread 5)" in said
    assert "divided by 5: −1.4, −0.2, 0.2, 1.4 (mean 0, spread 1)" in said


@pytest.mark.parametrize("steps", [{}, {"a": [1.0]}, {"a": [1.0, 2.0], "b": [1.0]}])
def test_steps_that_do_not_fit_are_refused(steps: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match="two or more vectors of one length"):
        figures.draw_layer_norm(steps, "A title")
