"""The drawings of notebook 27."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb27 import drawings as nb27
from lib import records
from lib.bert import BertConfig
from lib.bert.heads import BertForSequenceClassification

WORTH, CHANGE = [[0.4, 0.1], [0.2, 0.05]], [[0.3, -0.01], [0.1, 0.0]]
TIME = {"whole": 1.0, "half of each layer": 0.4, "your cut": 0.5}


def _right(share: float) -> torch.Tensor:
    """Twenty answers of which the first ones are right."""
    return torch.arange(20) < 20 * share


RIGHT = {"whole": _right(0.8), "half of each layer": _right(0.5), "your cut": _right(0.2)}
RIGHT_AFTER = {"whole": _right(0.8), "half of each layer": _right(0.75), "your cut": _right(0.75)}
STRUCTURE, WEIGHTS = records.table("pruned_structure"), records.table("pruned_weights")
PRUNED = {"heads": 0.5, "neurons": 0.25}
KEPT = {"top": [0, 1], "bottom": [2, 3]}
BEFORE, AFTER = {"top": [60.0, 64.0], "bottom": 50.0}, {"top": [80.0, 82.0], "bottom": 70.0}

test_a_drawing_says_what_it_shows = for_each_example({
    "the worth of heads": (
        lambda: nb27.draw_head_worth(WORTH, CHANGE),
        ["largest estimate is of layer 0, head 0", "smallest of layer 1, head 1",
         "Of the 2 heads that matter most, 2 are among"],
        ["layer 0", "layer 1"],
    ),
    "a cut and its controls": (
        lambda: nb27.draw_cut(RIGHT, RIGHT_AFTER, TIME, WEIGHTS),
        ["your cut: 20.0 before, 75.0 after training, in 0.50 of the time",
         "half of the weights at zero, trained, 78.6"],
        ["your cut: 20.0, trained 75.0", "a guess"],
    ),
    "where the best parts lie": (
        lambda: nb27.draw_best_by_layer([3, 1], [2, 2], [1500, 40]),
        ["by estimate, 3, 1; measured, 2, 2", "Of the 1,540 best neurons, by estimate: 1,500, 40"],
        ["the 4 best heads", "measured (16 texts)"],
    ),
    "more and more heads": (
        lambda: nb27.draw_more_heads(STRUCTURE), ["worth least gone 0: 88.7", "36: 88.4"], [],
    ),
    "half of the question model": (
        lambda: nb27.draw_questions(records.table("pruned_questions")), ["worth least gone"], ["60.1"],
    ),
    "recorded rules": (
        lambda: nb27.draw_recorded_rules(STRUCTURE), ["bottom keeps 3, 4, 5"], ["middle"],
    ),
    "matrices lose rows and columns": (
        lambda: nb27.draw_pruned_layer(PRUNED, 4, "A title"),
        ["query: 50% of its rows with heads", "attention output: 50% of its columns with heads",
         "feed-forward in: 25% of its rows with neurons"],
        ["A title"],
    ),
    "matrices lose features": (
        lambda: nb27.draw_pruned_layer({"features": 0.5}, 4, "A title"),
        ["query: 50% of its columns with features", "feed-forward out: 50% of its rows with features"],
        [],
    ),
    "rules for layers": (
        lambda: nb27.draw_layer_rules(KEPT, 4, BEFORE, AFTER, "accuracy, %", "A title", 85.0),
        ["top keeps 0, 1: 62.0 before, 81.0 after"],
        ["accuracy, %"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a layer of changes": (lambda: nb27.draw_head_worth(WORTH, CHANGE[:1]), "give one for each head"),
    "a worth of 0": (lambda: nb27.draw_head_worth([[0.0, 1.0]], [[1.0, 1.0]]), "not above 0"),
    "no shares": (lambda: nb27.draw_pruned_layer({}, 4, ""), "Give the share"),
    "all heads": (lambda: nb27.draw_pruned_layer({"heads": 1.0}, 4, ""), "Give the share"),
    "no part": (lambda: nb27.draw_pruned_layer({"layers": 0.5}, 4, ""), "no part of a layer"),
    "other rules": (lambda: nb27.draw_layer_rules(KEPT, 4, {"top": 1.0}, AFTER, "x"), "same rules"),
    "no such layer": (
        lambda: nb27.draw_layer_rules({"top": [4]}, 4, {"top": 1.0}, {"top": 1.0}, "x"), "not there",
    ),
})  # fmt: skip


def test_every_head_is_a_dot() -> None:
    dots: Any = nb27.draw_head_worth(WORTH, CHANGE)[0].axes[0].lines[0]
    assert list(dots.get_xdata()) == [0.4, 0.1]
    assert list(dots.get_ydata()) == pytest.approx([0.3, 0.01])


def test_rules_show_what_stays_and_what_is_reached() -> None:
    left, right = nb27.draw_layer_rules(KEPT, 4, BEFORE, AFTER, "accuracy, %", "A title", 85.0)[0].axes
    dark = [patch for patch in left.patches if patch.get_facecolor()[0] < 0.5]
    assert len(left.patches) == 8 and len(dark) == 4
    lines: list[Any] = right.lines[:4]
    assert [line.get_xdata()[0] for line in lines] == [62, 81, 50, 70]


def test_recorded_halves_are_told_apart() -> None:
    halves, _ = nb27.recorded_halves(STRUCTURE)
    assert halves["minus worth least gone"] == ["+1.0, resolved", "", "-3.0, resolved", "-5.4, resolved"]
    table, _ = nb27.averages(STRUCTURE)
    assert min(zip(table["mean"], table["heads chosen"], strict=True))[1] == "per token"


def test_parts_are_counted() -> None:
    model = BertForSequenceClassification(BertConfig(20, 6, 2, 3, 10))
    assert nb27.parts_of(model) == "6 heads and 20 neurons in 2 layers"


def test_headlines_that_one_cut_alone_sorts_are_counted() -> None:
    before, after = nb27.only_one_right(RIGHT, RIGHT_AFTER).splitlines()
    assert "only your cut is right 0 times, only half of each layer 6 times" in before
    assert "(a coin splits them so in 3.1% of cases)" in before
    assert "0 times (a coin splits them so in 100.0% of cases)" in after
