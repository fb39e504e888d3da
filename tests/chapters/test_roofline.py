"""The roofline: what an operation asks for, and what limits it."""

import pytest

from chapters.nb19.roofline import Roofline, Work, linear_work

ROOF = Roofline(flops=80e9, bandwidth=10e9)


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
