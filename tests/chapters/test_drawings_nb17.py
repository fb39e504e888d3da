"""The drawings of notebook 17."""

from typing import Any

import pytest
from pictures import for_each_example, for_each_refusal

from chapters.nb17 import drawings as nb17
from lib import records

SIZES = {"adapters": 16, "low rank": 8, "prefix": 4, "prompt": 2}
RECORD = records.table("ways_of_training")
MINE = {"your patch": (21_897, 0.8), "your head": (3465, 0.64)}

test_a_drawing_says_what_it_shows = for_each_example({
    "where weights are added": (
        lambda: nb17.draw_added_weights(SIZES, 384, ["adapters"]),
        ["of rank 8", "learn: adapters."],
        ["adapter", "384 to 16 to 384", "+ BA", "rank 8", "4 × 384", "2 × 384", "light blue: other ways"],
    ),
    "the record and own runs": (
        lambda: nb17.draw_ways(RECORD, MINE),
        [
            "head and pooler 0.724 (0.715 to 0.732) with 151,305 weights",
            "yours: your patch 0.800 with 21,897 weights.", "a guess 0.500",
        ],
        ["guess 0.11", "counting words 0.53", "guess 0.50", "counting words 0.65"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no size": (lambda: nb17.draw_added_weights({}, 384, []), "The ways are adapters"),
    "not drawn": (
        lambda: nb17.draw_added_weights({"adapters": 16}, 384, ["prefix"]), "The ways are adapters",
    ),
    "no such way": (lambda: nb17.draw_added_weights(SIZES, 384, ["magic"]), "The ways are adapters"),
})  # fmt: skip


@pytest.mark.parametrize("way", nb17.WAYS)
def test_only_the_named_ways_are_drawn(way: str) -> None:
    others = {other: size for other, size in SIZES.items() if other != way}
    figure, description = nb17.draw_added_weights(others, 384, [*others])
    words = " ".join(text.get_text() for text in figure.axes[0].texts)
    shown = {"adapters": "adapter", "low rank": "+ BA"}
    assert shown.get(way, way) not in words and shown.get(way, way) not in description


def test_own_runs_stand_among_the_recorded_ones() -> None:
    figure, _ = nb17.draw_ways(RECORD, MINE)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names[0] == "all, 22.7 million" and names[-1] == "yours: your head, 3 thousand"
    stars: Any = [line for line in figure.axes[0].lines if line.get_marker() == "*"]
    assert [star.get_xdata()[0] for star in stars] == [0.8, 0.64]
    assert not [line for line in figure.axes[1].lines if line.get_marker() == "*"]


def test_nothing_of_the_axis_is_cut_off() -> None:
    for axes in nb17.draw_ways(RECORD, MINE)[0].axes:
        assert axes.get_xlim()[0] == 0


def test_ways_are_compared_in_points() -> None:
    words = nb17.compared_ways(RECORD).split()
    assert words[:5] == ["prompt", "prefix", "low", "rank", "adapters"]
    assert words[words.index("pooler") + 1 :][:4] == ["+2.6", "+3.9*", "+9.9*", "+10.1*"]


def test_runs_stand_beside_their_weights() -> None:
    columns = nb17.table_of_runs({"head": 0.654, "patch": 0.753}, {"head": 3465, "patch": 21_897})
    assert columns["weights that learn"] == ["3,465", "21,897"]
    assert columns["right, %"] == ["65.4", "75.3"]
