"""The drawings of notebook 17."""

from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb17 import drawings as nb17
from lib import records
from lib.bert import BertConfig, BertModel

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
    lines = nb17.compared_ways(RECORD).splitlines()
    assert lines[0].split() == ["prompt", "prefix", "low", "rank", "adapters"]
    gaps = {line[:40].strip(): line[40:].split() for line in lines[1:-1]}
    assert gaps["headlines, over head and pooler"] == ["+2.6", "+3.9*", "+9.9*", "+10.1*"]
    assert gaps["misleading reviews, over counting words"] == ["-6.4", "-7.8*", "+1.2", "+2.5"]


def test_runs_stand_in_a_table_of_what_learns_and_what_is_read() -> None:
    cls, mean = nb17.READS
    right = {
        ("head", cls): 0.6,
        ("head", mean): 0.75,
        ("head and patch", cls): 0.7,
        ("head and patch", mean): 0.8,
        ("head and adapters", mean): 0.82,
    }
    columns = nb17.table_of_runs(right, dict.fromkeys(right, 3465))
    assert columns == {
        "what learns": ["head", "head and patch", "head and adapters", "the patch brings"],
        "weights": ["3,465", "3,465", "3,465", ""],
        "reads [CLS]": ["60.0", "70.0", "", "+10.0"],
        "reads the mean": ["75.0", "80.0", "82.0", "+5.0"],
        "the mean brings": ["+15.0", "+10.0", "", ""],
    }


def test_zeros_ahead_that_are_not_there_take_nothing() -> None:
    model = BertModel(BertConfig(30, 8, 1, 2, 12)).eval()
    said = nb17.what_zeros_do(model, model, [torch.tensor([[1, 2, 3]])], 0)
    assert said.splitlines() == [
        "the zeros take 0% of the attention",
        "the vectors move by 0% of their length",
    ]
