"""What is told of runs: a lead in points, and whether the seeds agree by more than they differ."""

from lib.stats import Difference
from tools.measured import lead, percent, verdict


def test_a_lead_is_told_in_points_with_its_verdict() -> None:
    assert lead([0.70, 0.72, 0.71], [0.75, 0.77, 0.77]) == "+5.3 points (resolved)"
    assert lead([0.70, 0.72, 0.71], [0.69, 0.73, 0.71]) == "+0.0 points (not resolved)"


def test_shares_are_told_as_their_mean_in_percent() -> None:
    assert percent([0.5, 0.75]) == "62.5%"


def test_a_mean_as_large_as_its_spread_is_not_resolved() -> None:
    assert verdict(Difference(0.2, 0.2)) == "not resolved"
    assert verdict(Difference(-0.3, 0.2)) == "resolved"
