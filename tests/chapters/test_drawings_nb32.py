"""The drawings of notebook 32."""

from typing import Any

from pictures import for_each_example

from chapters.nb32 import drawings as nb32
from chapters.nb32 import recorded

CORNERS = {"whole heads": [0, 1, 2, 3], "rows of each": [0, 1, 4, 5]}
KERNELS = {"dynamic": {"a": [0.2, 0.5, 0.3]}, "span-based": {"a": [1.0, 0.0, 0.0]}}
FITTED, OTHER, OWN = ((5, 2, 192),), ((4, 2, 192), (5, 2, 192)), ((5, 12, 768),)
PREDICTED, TIMED = {FITTED: 1.0, OTHER: 2.2, OWN: 2.7}, {FITTED: 1.0, OTHER: 2.0, OWN: 3.0}
SMALL_RACE = {"evolution": [[0.5] * 20, [0.7] * 20], "at random": [[0.4] * 20] * 2}
RACE = {"evolution": [-1.0 + number / 150 for number in range(120)], "at random": [-0.9] * 120}

test_a_drawing_says_what_it_shows = for_each_example({
    "predictions": (
        lambda: nb32.draw_predictions(PREDICTED, TIMED, [FITTED], OWN, 1.5),
        ["the prediction is +10% to +10% off, of yours -10%.", "The limit is 1.5 ms."],
        ["the limit", "not used for the fit", "yours"],
    ),
    "corners": (
        lambda: nb32.draw_corners(CORNERS, 2, (3, 5), "Corners"),
        ["rows of each: rows 0, 1, 4, 5", "the first 3 of 5 features."],
        [],
    ),
    "a race in a small space": (
        lambda: nb32.draw_small_race(SMALL_RACE, 0.8),
        ["The best of all has 80.0%: evolution 60.0% after 1", "at random 40.0% after 1"],
        ["evolution", "at random"],
    ),
    "a race in a large space": (
        lambda: nb32.draw_race(RACE),
        ["evolution -0.81 after 30, -0.61 after 60, -0.21 after 120; at random -0.90 after 30"],
        ["evolution", "at random", "your two searches"],
    ),
    "a front": (
        lambda: nb32.draw_front([3.0, 1.0, 2.0], [0.7, 0.6, 0.5], [0.65, 0.61, 0.5], [1, 0], 2.5),
        ["2 are on the front, from 60.0% in 1.0 ms to 70.0% in 3.0 ms.", "have 61.0 and 65.0%."],
        ["your limit", "the same designs, other rows"],
    ),
    "choices": (
        lambda: nb32.draw_choices({"0 back": [0.7, 0.1, 0.1, 0.1]}),
        ["0 back: skip 0.70, pool of 3 0.10"],
        ["skip"],
    ),
    "kernels": (
        lambda: nb32.draw_kernels(KERNELS, "Kernels"),
        ["dynamic, a: 0.20, 0.50, 0.30; span-based, a: 1.00, 0.00, 0.00."],
        [],
    ),
})  # fmt: skip


def test_corners_show_the_rows_that_are_kept() -> None:
    pixels: list[Any] = [
        axes.images[0].get_array() for axes in nb32.draw_corners(CORNERS, 2, (3, 5), "")[0].axes
    ]
    assert [float(table.sum()) for table in pixels] == [12.0, 12.0]


def test_a_front_and_a_winner_are_told_on_both_halves() -> None:
    networks = [({FITTED: 0.8, OTHER: 0.6}, {FITTED: 0.5, OTHER: 0.7})]
    assert list(nb32.losses(networks, [FITTED])) == [
        "mean of the front: first half 80.0%, second half 50.0%",
        "mean of all designs: first half 70.0%, second half 60.0%",
    ]
    [line] = nb32.winners({"headlines": networks}, [FITTED, OTHER])
    assert line == "headlines: the best has 75.0% where it was chosen, and 55.0% on the other half"
    assert nb32.gains({"a": 0.5}, {"a": 0.75}) == {"design": ["a"], "before": ["50.0%"], "after": ["75.0%"]}


def test_the_designs_alone_are_told_on_both_tasks() -> None:
    columns = nb32.table_alone()
    assert columns["headlines, alone"] == ["80.6", "79.7", "77.1 *", "81.8"]
    assert columns["SST-2, alone"] == ["84.2", "80.4 *", "81.1", "85.1"]
    assert columns["headlines, inside"][-1] == "" and recorded.NAME == "small_designs"
