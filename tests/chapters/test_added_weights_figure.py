"""Where added weights stand in a layer, and what they reach, drawn."""

from typing import Any

import pytest

from chapters.nb17 import drawings

SIZES = {"adapters": 16, "low rank": 8, "prefix": 4, "prompt": 2}
SCORES = {"reviews": {"head": [0.70, 0.72], "all": [0.81, 0.83]}}
WEIGHTS = {"reviews": {"head": 150_000, "all": 22_000_000}}


def test_every_addition_is_drawn_with_its_size() -> None:
    page = drawings.draw_added_weights(SIZES, 384, ["adapters"])[0]
    written = [text.get_text() for text in page.axes[0].texts]
    assert written.count("adapter") == written.count("384 to 16 to 384") == 2
    assert written.count("+ BA") == written.count("rank 8") == 2
    assert written.count("prefix") == written.count("4 × 384") == 2
    assert written.count("prompt") == written.count("2 × 384") == 1
    assert "1,536 to 384" in written
    assert any("light blue: other ways" in text for text in written)
    said = drawings.draw_added_weights(SIZES, 384, ["adapters"])[1]
    assert "of rank 8" in said and "learn: adapters. Both norms" in said


def test_norms_are_marked_where_adapters_train_them() -> None:
    assert "Both norms" in drawings.draw_added_weights(SIZES, 384)[1]
    assert "norms" not in drawings.draw_added_weights(SIZES, 384, ["prefix"])[1]
    thick = [
        sum(patch.get_linewidth() == 3.0 for patch in page.axes[0].patches)
        for page in (drawings.draw_added_weights(SIZES, 384, ways)[0] for ways in (["adapters"], ["prefix"]))
    ]
    assert thick == [2, 0]


def test_a_way_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="The ways are adapters"):
        drawings.draw_added_weights({"adapters": 16}, 384)
    with pytest.raises(ValueError, match="The ways are adapters"):
        drawings.draw_added_weights(SIZES, 384, ["magic"])


def test_scores_stand_over_their_weights() -> None:
    figure = drawings.draw_against_weights(SCORES, WEIGHTS, {"reviews": 0.66}, "A title", "TF-IDF")[0]
    lines: list[Any] = [line for line in figure.axes[0].lines if line.get_marker() != "None"]
    markers = {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in lines}
    assert markers["head"] == pytest.approx((150_000, 0.71))
    assert markers["all"] == pytest.approx((22_000_000, 0.82))
    assert figure.axes[0].get_xscale() == "log"
    said = drawings.draw_against_weights(SCORES, WEIGHTS, {"reviews": 0.66}, "a title", "TF-IDF")[1]
    assert "head 0.710 (0.700 to 0.720) with 150,000 weights" in said and "TF-IDF 0.660" in said


def test_what_every_way_trains_is_left_off_the_axis() -> None:
    figure, said = drawings.draw_against_weights(
        SCORES, WEIGHTS, {"reviews": 0.66}, "A title", "TF-IDF", 147_840
    )
    assert "with 2,160 weights" in said
    assert figure.axes[0].get_xlabel() == "weights trained, without the pooler"


def test_ways_without_weights_and_other_ways_are_refused() -> None:
    with pytest.raises(ValueError, match="How many weights 'all'"):
        drawings.draw_against_weights(SCORES, {"reviews": {"head": 1}}, {"reviews": 0.66}, "", "TF-IDF")
    with pytest.raises(ValueError, match="same ways for each task"):
        other = {**SCORES, "pairs": {"head": [0.5]}}
        drawings.draw_against_weights(other, WEIGHTS, {"reviews": 0.66, "pairs": 0.5}, "", "TF-IDF")
    with pytest.raises(ValueError, match="one to four"):
        drawings.draw_against_weights({}, {}, {}, "a title", "TF-IDF")
