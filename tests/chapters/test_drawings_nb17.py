"""The drawings of notebook 17."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb17 import drawings as nb17

SIZES = {"adapters": 16, "low rank": 8, "prefix": 4, "prompt": 2}
SCORES = {"reviews": {"head": [0.70, 0.72], "all": [0.81, 0.83]}}
WEIGHTS = {"reviews": {"head": 150_000, "all": 22_000_000}}
TFIDF = {"reviews": 0.66}
OTHER_TASK = {**SCORES, "pairs": {"head": [0.5]}}

test_a_drawing_says_what_it_shows = for_each_example({
    "where weights are added": (
        lambda: nb17.draw_added_weights(SIZES, 384, ["adapters"]),
        ["of rank 8", "learn: adapters. Both norms"],
        ["adapter", "384 to 16 to 384", "+ BA", "rank 8", "4 × 384", "2 × 384", "light blue: other ways"],
    ),
    "scores over weights": (
        lambda: nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF"),
        ["head 0.710 (0.700 to 0.720) with 150,000 weights", "TF-IDF 0.660"],
        ["weights trained"],
    ),
    "scores without the pooler": (
        lambda: nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF", 147_840),
        ["with 2,160 weights"],
        ["weights trained, without the pooler"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no size": (lambda: nb17.draw_added_weights({"adapters": 16}, 384), "The ways are adapters"),
    "no such way": (lambda: nb17.draw_added_weights(SIZES, 384, ["magic"]), "The ways are adapters"),
    "weights": (
        lambda: nb17.draw_against_weights(SCORES, {"reviews": {"head": 1}}, TFIDF, "", ""), "How many",
    ),
    "other ways": (
        lambda: nb17.draw_against_weights(OTHER_TASK, WEIGHTS, TFIDF | {"pairs": 0}, "", ""), "same ways",
    ),
    "no task": (lambda: nb17.draw_against_weights({}, {}, {}, "A title", "TF-IDF"), "one to four"),
})  # fmt: skip


def test_norms_are_marked_where_adapters_train_them() -> None:
    for ways, count in ((["adapters"], 2), (["prefix"], 0)):
        figure, description = nb17.draw_added_weights(SIZES, 384, ways)
        assert sum(patch.get_linewidth() == 3.0 for patch in figure.axes[0].patches) == count
        assert ("norms" in description) == bool(count)


def test_scores_stand_over_their_weights() -> None:
    axes: Any = nb17.draw_against_weights(SCORES, WEIGHTS, TFIDF, "A title", "TF-IDF")[0].axes[0]
    dots = {line.get_label(): line for line in axes.lines if line.get_marker() != "None"}
    assert [dots[way].get_xdata()[0] for way in ("head", "all")] == [150_000, 22_000_000]
    assert [dots[way].get_ydata()[0] for way in ("head", "all")] == pytest.approx([0.71, 0.82])
    assert axes.get_xscale() == "log"
