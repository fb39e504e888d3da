"""The drawings of notebook 26."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb26 import drawings as nb26

CURVES = {"by size": ([0.1, 0.5, 0.9], [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]), "one": ([0.9], [[0.8, 0.9]])}
FLOW = ([0.3, -0.1], [1, 0], [0.5, -0.5], [-1.0, 1.0])

test_a_drawing_says_what_it_shows = for_each_example({
    "curves over sparsity": (
        lambda: (
            nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}),
            nb26.describe_sparsity_curves(CURVES, {"commonest": 0.5}),
        ),
        ["by size: 10% 85.0%, 50% 70.0%, 90% 55.0%; one: 90% 85.0%. commonest 50.0%."],
        ["accuracy, %"],
    ),
    "the smallest weights": (
        lambda: nb26.draw_weight_histogram(torch.tensor([[1.0, -1.0], [3.0, -5.0]]), 0.5, "A title"),
        ["4 weights", "between -1.000 and 1.000 and carry 5.6% of the sum of squares"],
        [],
    ),
    "a gradient stops at the mask": (
        lambda: nb26.draw_mask_flow(*FLOW, title="A title"),
        ["m · w: 0.5, 0 (", "g · m: -1, 0 (", "g · w: -0.5, -0.5 ("],
        ["A title"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "falling levels": (lambda: nb26.draw_sparsity_curves({"a": ([0.5, 0.1], [0.1, 0.2])}, ""), "give"),
    "beyond all": (lambda: nb26.draw_sparsity_curves({"a": ([0.1, 1.1], [0.1, 0.2])}, ""), "give"),
    "values": (lambda: nb26.draw_sparsity_curves({"a": ([0.1], [0.1, 0.2])}, ""), "give"),
    "no curves": (lambda: nb26.draw_sparsity_curves({}, ""), "one to 6"),
    "all weights": (lambda: nb26.draw_weight_histogram(torch.ones(2, 2), 1.0), "between 0 and 1"),
    "no mask": (lambda: nb26.draw_mask_flow([0.1], [2], [0.1], [0.1]), "0 or 1"),
})  # fmt: skip


def test_curves_have_the_mean_of_their_seeds_at_sparsities_of_their_own() -> None:
    axes: Any = nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}).axes[0]
    assert list(axes.lines[0].get_xdata()) == pytest.approx([10, 50, 90])
    assert list(axes.lines[0].get_ydata()) == pytest.approx([85, 70, 55])
    assert list(axes.lines[1].get_ydata()) == pytest.approx([85])


def test_the_smallest_weights_end_at_their_lines() -> None:
    figure: Any = nb26.draw_weight_histogram(torch.tensor([[1.0, -1.0], [3.0, -5.0]]), 0.5, "A title")[0]
    assert sorted(float(line.get_xdata()[0]) for line in figure.axes[0].lines) == pytest.approx([-1.0, 1.0])
