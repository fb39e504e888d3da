"""Pruned weights, drawn: curves over sparsity, the weights of a matrix, what flows through a mask."""

from typing import Any

import pytest
import torch

from chapters.nb26 import drawings
from lib import figures

CURVES = {"by size": ([0.1, 0.5, 0.9], [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]), "one": ([0.9], [[0.8, 0.9]])}
FLOW = ([0.3, -0.1], [1, 0], [0.5, -0.5], [-1.0, 1.0])


def test_curves_have_the_mean_of_their_seeds_at_sparsities_of_their_own() -> None:
    figure: Any = drawings.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5})
    axes = figure.axes[0]
    assert list(axes.lines[0].get_xdata()) == pytest.approx([10, 50, 90])
    assert list(axes.lines[0].get_ydata()) == pytest.approx([85, 70, 55])
    assert list(axes.lines[1].get_ydata()) == pytest.approx([85])
    said = drawings.describe_sparsity_curves(CURVES, {"commonest": 0.5})
    assert "by size: 10% 85.0%, 50% 70.0%, 90% 55.0%; one: 90% 85.0%. commonest 50.0%." in said
    assert figures.png(figure)


@pytest.mark.parametrize("levels", [[0.5, 0.1], [0.1, 1.1], [0.1]])
def test_curves_need_ascending_shares_and_as_many_values(levels: list[float]) -> None:
    with pytest.raises(ValueError, match="give"):
        drawings.draw_sparsity_curves({"a": (levels, [0.1, 0.2])}, "accuracy")
    with pytest.raises(ValueError, match="one to 6"):
        drawings.draw_sparsity_curves({}, "accuracy")


def test_the_smallest_weights_are_named_with_what_they_carry() -> None:
    figure, said = drawings.draw_weight_histogram(torch.tensor([[1.0, -1.0], [3.0, -5.0]]), 0.5, "A title")
    assert "4 weights" in said and "between -1.000 and 1.000 and carry 5.6% of the sum of squares" in said
    axes: Any = figure.axes[0]
    assert {round(float(line.get_xdata()[0]), 6) for line in axes.lines} == {-1.0, 1.0}
    assert figures.png(figure)
    with pytest.raises(ValueError, match="between 0 and 1"):
        drawings.draw_weight_histogram(torch.ones(2, 2), 1.0)


def test_a_gradient_stops_at_the_mask_and_goes_on_to_the_score() -> None:
    figure, said = drawings.draw_mask_flow(*FLOW, title="A title")
    assert "m · w: 0.5, 0 (" in said and "g · m: -1, 0 (" in said and "g · w: -0.5, -0.5 (" in said
    assert len(figure.axes[0].patches) == 14
    assert figures.png(figure)
    with pytest.raises(ValueError, match="0 or 1"):
        drawings.draw_mask_flow([0.1], [2], [0.1], [0.1])
