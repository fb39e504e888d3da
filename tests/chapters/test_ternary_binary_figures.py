"""What notebooks 29 and 30 draw: three values of a row, a product of sums, a weight as two."""

from __future__ import annotations

import pytest
import torch

from chapters.nb29 import drawings as of_29
from chapters.nb30 import drawings as of_30
from chapters.nb30.errata import EIGHT, off_by, split_as_printed
from lib.compression.quantizers.binary import split_ternary


def test_a_row_says_what_becomes_0_in_each_way() -> None:
    row = torch.tensor([0.31, -0.14, 0.04, 0.70, -0.42, 0.12, -0.03, 0.26])
    figure, told = of_29.draw_three_values(row, {"one": (0.35, 0.7), "two": (0.177, 0.4225)}, "A row")
    assert len(figure.axes) == 2
    assert "one: beyond 0.350 a weight becomes ±0.700, 75% become 0" in told
    assert "two: beyond 0.177 a weight becomes ±0.422, 50% become 0" in told


def test_a_product_of_sums_has_one_scale() -> None:
    _, told = of_29.draw_sums([2, -1, 4], [1, 0, -1], 0.5, "An output")
    assert told.startswith("Codes +1 for 2, +0 for -1, -1 for 4.")
    assert told.endswith("sum -2, times the scale 0.5: -1.")


def test_rows_of_boxes_are_told() -> None:
    _, told = of_30.draw_rows({"weight": ["0.3", "-0.1"], "sum": ["0.2", "0"]}, {"sum": "lit"}, "A split")
    assert told == "weight: 0.3, -0.1; sum: 0.2, 0."


def test_the_printed_share_misses_the_ternary_weight_and_the_right_one_meets_it() -> None:
    assert off_by(EIGHT, split_ternary(EIGHT)) < 1e-15
    assert off_by(EIGHT, split_as_printed(EIGHT)) == pytest.approx(0.0025, abs=1e-4)
