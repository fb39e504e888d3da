"""The drawings of notebook 26."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb26 import drawings as nb26
from lib import records

CURVES = {"by size": ([0.1, 0.5, 0.9], [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]), "one": ([0.9], [[0.8, 0.9]])}
STEP = ([0.6, -0.5, 0.2, -0.1], [0.1, 0.6, -0.8, 0.2])
SCAN = {"lower": [(0.0, 0.8), (0.5, 0.7)], "upper": [(0.0, 0.8), (0.5, 0.75)]}
BACK = {f"{name}{ending}": 0.79 for name in nb26.SHARES for ending in ("", ", trained")}
BET = {"by magnitude": 0.3, "by score": 0.4}
TABLE = records.table("pruned_weights")

test_a_drawing_says_what_it_shows = for_each_example({
    "curves over sparsity": (
        lambda: (
            nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}),
            nb26.describe_sparsity_curves(CURVES, {"commonest": 0.5}),
        ),
        ["by size: 10% 85.0%, 50% 70.0%, 90% 55.0%; one: 90% 85.0%. commonest 50.0%."],
        ["accuracy, %"],
    ),
    "two rules keep two halves": (
        lambda: nb26.draw_two_rules(*STEP),
        ["magnitude prunes 0.2 and -0.1, together +0.18", "the loss prunes 0.6 and -0.1, together -0.04"],
        ["by the magnitude of w", "by the change of the loss without w"],
    ),
    "what is recorded": (
        lambda: nb26.draw_recorded_sparsity(TABLE),
        ["smallest go: 10% 80.7%", "points, resolved"],
        ["No training: the smallest weights go, or random ones (three models)"],
    ),
    "what is recorded of training": (
        lambda: nb26.draw_recorded_training(TABLE),
        ["smallest, gradually: 0% 78.8%", "smallest, at once: 50% 78.6%", "points, resolved"],
        [],
    ),
    "a scan": (lambda: nb26.draw_scan(SCAN), ["with 0, 50% zeros", "upper 80.0, 75.0"], []),
    "before and after": (
        lambda: nb26.draw_brought_back(BACK, 300, TABLE),
        ["right of 300 headlines", "whole, trained 79.0", "recorded, 100 steps, chosen"],
        ["One share or chosen shares, with and without training"],
    ),
    "a bet beside the record": (
        lambda: nb26.draw_bet(BET, TABLE, "pretrained", 0.9),
        ["by score 40.0", "recorded, fine-tuned, by score"],
        ["Three layers with 90% zeros, and without (recorded: three seeds)"],
    ),
    "a bet that nobody recorded": (
        lambda: nb26.draw_bet(BET, TABLE, "fine-tuned", 0.5),
        ["Whole, recorded: 77.0. No other such run is"],
        [],
    ),
    "tickets": (lambda: nb26.draw_tickets(TABLE), ["ticket less random mask: +6.5 points, resolved"], []),
    "two of four": (lambda: nb26.draw_two_of_four(TABLE), ["two of four less free choice"], []),
    "lost knowledge": (lambda: nb26.draw_lost_knowledge(TABLE), ["3.19", "the task, learned after 41.3"], []),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "falling levels": (lambda: nb26.draw_sparsity_curves({"a": ([0.5, 0.1], [0.1, 0.2])}, ""), "give"),
    "beyond all": (lambda: nb26.draw_sparsity_curves({"a": ([0.1, 1.1], [0.1, 0.2])}, ""), "give"),
    "values": (lambda: nb26.draw_sparsity_curves({"a": ([0.1], [0.1, 0.2])}, ""), "give"),
    "no curves": (lambda: nb26.draw_sparsity_curves({}, ""), "one to 6"),
    "an odd number": (lambda: nb26.draw_two_rules([0.1], [0.1]), "even number"),
})  # fmt: skip


def test_curves_have_the_mean_of_their_seeds_at_sparsities_of_their_own() -> None:
    axes: Any = nb26.draw_sparsity_curves(CURVES, "accuracy, %", "A title", {"commonest": 0.5}).axes[0]
    assert list(axes.lines[0].get_xdata()) == pytest.approx([10, 50, 90])
    assert list(axes.lines[0].get_ydata()) == pytest.approx([85, 70, 55])
    assert list(axes.lines[1].get_ydata()) == pytest.approx([85])
