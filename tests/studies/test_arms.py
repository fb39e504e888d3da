"""What holds for the arms of every study."""

from __future__ import annotations

import pytest

from studies import registry


@pytest.mark.parametrize("name", registry.names())
def test_an_arm_is_told_from_the_others(name: str) -> None:
    """By its identity a run is known again, by its entry the cache finds it."""
    study = registry.study(name)
    for task, arms in study.arms.items():
        assert len({study.identity(task, arm) for arm in arms}) == len(arms)
        assert len({str(study.entry(task, arm, 0).config) for arm in arms}) == len(arms)
