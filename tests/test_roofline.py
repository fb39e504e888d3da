"""The roofline: what an operation asks for, what limits it, and how both are drawn."""

from typing import Any

import pytest

from lib import figures
from lib.analysis.cost.roofline import Roofline, Work, linear_work

ROOF = Roofline(flops=80e9, bandwidth=10e9)
POINTS = [figures.Operation("9 rows", 4.4, 22e9), figures.Operation("1,024 rows", 118.0, 78e9)]


def test_a_linear_asks_for_two_operations_a_weight_and_row_and_for_its_bytes() -> None:
    assert linear_work(1, 3, 2) == Work(12, 4 * (6 + 2 + 3 + 2))
    assert linear_work(10, 3, 2, bits=8) == Work(120, 8 + 4 * 10 * 5)
    assert linear_work(9, 384, 1536).intensity == pytest.approx(4.36, abs=0.01)
    assert linear_work(1024, 384, 1536).intensity == pytest.approx(118.1, abs=0.1)


def test_the_slower_of_the_two_takes_the_time() -> None:
    assert ROOF.ridge == 8
    assert ROOF.seconds(Work(80, 1)) == pytest.approx(1e-9)
    assert ROOF.seconds(Work(8, 10)) == pytest.approx(1e-9)
    assert [ROOF.rate(intensity) for intensity in (4, 8, 100)] == [40e9, 80e9, 80e9]


def test_bits_shorten_the_time_where_memory_limits_and_only_there() -> None:
    few, many = [[ROOF.seconds(linear_work(n, 384, 1536, bits)) for bits in (32, 16)] for n in (1, 1024)]
    assert few[0] / few[1] > 1.9
    assert many[0] == many[1]


def test_nothing_asks_for_nothing() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        linear_work(0, 3, 2)


def test_the_roof_has_its_ridge_and_the_points_their_places() -> None:
    figure = figures.draw_roofline(POINTS, 80e9, 10e9, "A title")
    axes: Any = figure.axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    roof = next(line for line in axes.lines if line.get_label() == "roof")
    assert (8.0, 80.0) in list(zip(roof.get_xdata(), roof.get_ydata(), strict=True))
    written = [text.get_text() for text in axes.texts]
    assert {"9 rows", "1,024 rows"} <= set(written)
    assert figures.png(figure)


def test_two_rooflines_of_one_machine_have_one_frame() -> None:
    first, second = (figures.draw_roofline([point], 80e9, 10e9, "A title").axes[0] for point in POINTS)
    assert first.get_xlim() == second.get_xlim() and first.get_ylim() == second.get_ylim()


def test_the_words_say_what_limits_each_operation() -> None:
    said = figures.describe_roofline(POINTS, 80e9, 10e9)
    assert "80 GFLOP/s" in said and "10 GB/s" in said and "8.0 FLOPs a byte" in said
    assert "9 rows: 4.4 FLOPs a byte, 22 of at most 44 GFLOP/s, limited by memory" in said
    assert "1,024 rows: 118.0 FLOPs a byte, 78 of at most 80 GFLOP/s, limited by the multiplications" in said


@pytest.mark.parametrize("point", [figures.Operation("x", 0, 1e9), figures.Operation("x", 1, -1e9)])
def test_a_point_that_has_no_place_is_refused(point: figures.Operation) -> None:
    with pytest.raises(ValueError, match="above 0"):
        figures.draw_roofline([point], 80e9, 10e9, "A title")
