"""How sure a number is: intervals, splits by luck, and what another seed does not do."""

import numpy as np
import pytest
from scipy.stats import binomtest

from lib.stats import difference, false_positive_rate, paired_difference, share_interval, uneven_by_luck


@pytest.mark.parametrize(("right", "count"), [(0, 7), (3, 10), (50, 50), (82, 100)])
def test_an_interval_is_wilsons(right: int, count: int) -> None:
    expected = binomtest(right, count).proportion_ci(method="wilson")
    assert share_interval(right / count, count) == pytest.approx((expected.low, expected.high), abs=1e-4)
    with pytest.raises(ValueError, match="give one from 0 to 1"):
        share_interval(0.5, 0)


def test_a_split_is_as_uneven_as_a_coin_makes_it():
    assert uneven_by_luck(3, 0) == pytest.approx(0.25)  # 2 of the 8 ways of three tosses
    assert uneven_by_luck(5, 5) == pytest.approx(1.0)
    assert uneven_by_luck(8, 2) == pytest.approx(uneven_by_luck(2, 8))
    with pytest.raises(ValueError, match="no split"):
        uneven_by_luck(0, 0)


def test_resolved_is_what_another_seed_does_not_do():
    apart = difference([1.0, 1.1, 1.2], [1.5, 1.6, 1.7])
    assert apart == pytest.approx((0.5, 0.2)) and apart.is_resolved
    assert not difference([1.0, 1.1, 1.2], [1.1, 1.2, 1.3]).is_resolved
    assert str(apart) == "+0.500 (spread over seeds 0.200): resolved"


def test_more_seeds_leave_less_to_luck() -> None:
    pairs = np.random.default_rng(1).normal(size=(20_000, 2, 3))
    by_rule = np.mean([paired_difference(*pair).is_resolved for pair in pairs])
    assert false_positive_rate(seeds=3) == pytest.approx(by_rule, abs=0.01)
    assert by_rule == pytest.approx(0.08, abs=0.01)
    rates = [false_positive_rate(seeds) for seeds in (1, 2, 3, 5)]
    assert rates[0] == 1 and rates == sorted(set(rates), reverse=True)


def test_what_a_seed_moves_in_both_cancels_in_a_paired_comparison() -> None:
    first, second = [60.0, 50.0, 55.0], [62.0, 51.5, 57.5]
    paired = paired_difference(first, second)
    assert paired.of_means == difference(first, second).of_means == pytest.approx(2)
    assert paired.spread == pytest.approx(1) and paired.is_resolved
    assert difference(first, second).spread == pytest.approx(10.5)
    with pytest.raises(ValueError):
        paired_difference(first, second[:2])
