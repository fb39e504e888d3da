"""The drawings of notebook 32."""

from typing import Any

from pictures import for_each_example

from chapters.nb32 import drawings as nb32

CORNERS = {"whole heads": [0, 1, 2, 3], "rows of each": [0, 1, 4, 5]}
KERNELS = {"dynamic": {"a": [0.2, 0.5, 0.3]}, "span-based": {"a": [1.0, 0.0, 0.0]}}

test_a_drawing_says_what_it_shows = for_each_example({
    "corners": (
        lambda: nb32.draw_corners(CORNERS, 2, (3, 5), "Corners"),
        ["rows of each: rows 0, 1, 4, 5", "the first 3 of 5 features."],
        [],
    ),
    "designs and their front": (
        lambda: nb32.draw_designs([3.0, 1.0, 2.0], [0.7, 0.6, 0.5], [1, 0], 2.5, "Designs"),
        ["2 are on the front, from 60.0% in 1.0 ms to 70.0% in 3.0 ms. The limit is 2.5 ms."],
        ["your limit"],
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
