"""Convolved queries and keys, each arm for two steps."""

from __future__ import annotations

import pytest

from chapters.nb34 import motifs
from lib.records.subject import Subject
from studies import fewer_pairs


@pytest.mark.parametrize("arm", fewer_pairs.ARMS)
def test_an_arm_forecasts(arm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motifs, "TESTED", 8)
    found = fewer_pairs.ARMS[arm](Subject("motifs", 0, 2))
    assert not isinstance(found, dict)
    assert found.scores.keys() == {"everywhere", "returning"}
    assert found.scores["everywhere"] > 0
