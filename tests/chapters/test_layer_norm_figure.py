"""The schematic of layer norm: its numbers are those that it is given."""

import pytest

from chapters.nb07 import drawings
from lib import figures

STEPS = {
    "token's vector": [1, 7, 9, 15],
    "minus the mean": [-7, -1, 1, 7],
    "divided by the spread": [-1.4, -0.2, 0.2, 1.4],
    "times weight, plus bias": [-1.4, -0.2, 0.4, 1.7],
}
WEIGHT, BIAS = [1, 1, 2, 0.5], [0, 0, 0, 1]


def test_every_number_stands_in_a_box_and_every_sum_on_its_arrow() -> None:
    figure, _ = drawings.draw_layer_norm(STEPS, WEIGHT, BIAS, "A title")
    written = [text.get_text() for text in figure.axes[0].texts]
    assert {"A title", *STEPS, "feature 3", "mean 8, spread 5", "mean 0, spread 1"} <= {*written}
    assert {"mean: 8", "1 − 8", "15 − 8", "spread: 5", "−7 / 5", "× 2 + 0", "× 0.5 + 1"} <= {*written}
    assert written.count("−1") == 1 and written.count("−1.4") == 2 and written.count("15") == 1
    assert figures.png(figure)


def test_the_words_give_the_numbers_and_what_became_of_mean_and_spread() -> None:
    _, said = drawings.draw_layer_norm(STEPS, WEIGHT, BIAS, "A title")
    assert "token's vector: 1, 7, 9, 15 (mean 8, spread 5)" in said
    assert "divided by the spread: −1.4, −0.2, 0.2, 1.4 (mean 0, spread 1)" in said
    assert "share the mean 8 and the spread 5" in said and "a weight (1, 1, 2, 0.5)" in said


@pytest.mark.parametrize(
    ("steps", "weight"),
    [({}, [1.0]), ({"a": [1.0]}, [1.0]), (STEPS, [1.0]), (STEPS | {"divided by the spread": [1.0]}, WEIGHT)],
)
def test_steps_that_do_not_fit_are_refused(steps: dict[str, list[float]], weight: list[float]) -> None:
    with pytest.raises(ValueError, match="of one length"):
        drawings.draw_layer_norm(steps, weight, weight, "A title")
