"""What the runs of a record say, as words of a sentence."""

from collections.abc import Sequence
from statistics import mean

from lib import stats


def percent(shares: Sequence[float]) -> str:
    """The mean of shares, such as "80.7%"."""
    return f"{mean(shares):.1%}"


def lead(before: Sequence[float], after: Sequence[float]) -> str:
    """How far the second shares lie above the first, by notebook 12: "+1.2 points (resolved)"."""
    found = stats.paired_difference(before, after)
    return f"{100 * found.of_means:+.1f} points ({verdict(found)})"


def verdict(found: stats.Difference) -> str:
    """Whether a difference is "resolved" or "not resolved"."""
    return "resolved" if found.is_resolved else "not resolved"
