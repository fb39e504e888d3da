"""A published gain beside ours: only a resolved difference speaks for or against it."""

from __future__ import annotations

import pytest

from lib.stats import Difference, claims_beside, verdict_on


@pytest.mark.parametrize(
    ("claimed", "here", "verdict"),
    [
        (1.8, Difference(2.0, 1.0), "resolved"),
        (-1.8, Difference(-2.0, 1.0), "resolved"),
        (1.8, Difference(-53.1, 2.2), "contradicted at this scale"),
        (-0.7, Difference(2.0, 1.0), "contradicted at this scale"),
        (1.8, Difference(7.4, 9.2), "not resolved"),
        (1.8, Difference(-7.4, 9.2), "not resolved"),
        (1.8, Difference(1.0, 1.0), "not resolved"),
    ],
)
def test_a_verdict(claimed: float, here: Difference, verdict: str) -> None:
    assert verdict_on(claimed, here) == verdict


def test_no_gain_has_no_sign() -> None:
    with pytest.raises(ValueError, match="has no sign"):
        verdict_on(0.0, Difference(2.0, 1.0))


def test_claims_stand_beside_what_was_measured_seed_by_seed() -> None:
    found = claims_beside(
        {"a over b": (0.05, (60.0, 70.0), (62.0, 72.5)), "c over d": (-2.0, (1.0,), (0.0,))}
    )
    assert found == {
        "claim": ["a over b", "c over d"],
        "published": ["+0.05", "-2"],
        "here": ["+2.2", "-1.0"],
        "verdict": ["resolved", "resolved"],
    }
