"""The drawings of notebook 19."""

from typing import Any

import pytest

from chapters.nb19 import drawings
from lib import figures

POINTS = [drawings.Operation("9 rows", 4.4, 22e9), drawings.Operation("1,024 rows", 118.0, 78e9)]


def test_the_roof_has_its_ridge_and_the_points_their_places() -> None:
    figure = drawings.draw_roofline(POINTS, 80e9, 10e9, "A title")
    axes: Any = figure.axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    roof = next(line for line in axes.lines if line.get_label() == "roof")
    assert (8.0, 80.0) in list(zip(roof.get_xdata(), roof.get_ydata(), strict=True))
    written = [text.get_text() for text in axes.texts]
    assert {"9 rows", "1,024 rows"} <= set(written)
    assert figures.png(figure)


def test_two_rooflines_of_one_machine_have_one_frame() -> None:
    first, second = (drawings.draw_roofline([point], 80e9, 10e9, "A title").axes[0] for point in POINTS)
    assert first.get_xlim() == second.get_xlim() and first.get_ylim() == second.get_ylim()


def test_the_words_say_what_limits_each_operation() -> None:
    said = drawings.describe_roofline(POINTS, 80e9, 10e9)
    assert "80 GFLOP/s" in said and "10 GB/s" in said and "8.0 FLOPs a byte" in said
    assert "9 rows: 4.4 FLOPs a byte, 22 of at most 44 GFLOP/s, limited by memory" in said
    assert "1,024 rows: 118.0 FLOPs a byte, 78 of at most 80 GFLOP/s, limited by the multiplications" in said


@pytest.mark.parametrize("point", [drawings.Operation("x", 0, 1e9), drawings.Operation("x", 1, -1e9)])
def test_a_point_that_has_no_place_is_refused(point: drawings.Operation) -> None:
    with pytest.raises(ValueError, match="above 0"):
        drawings.draw_roofline([point], 80e9, 10e9, "A title")
