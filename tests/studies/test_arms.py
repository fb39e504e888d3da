"""What holds for the arms of every study."""

from __future__ import annotations

import pytest

from lib import records
from studies import registry


@pytest.mark.parametrize("name", registry.names())
def test_an_arm_is_told_from_the_others(name: str) -> None:
    """By its identity a run is known again, by its entry the cache finds it."""
    study = registry.study(name)
    for task, arms in study.arms.items():
        assert len({study.identity(task, arm) for arm in arms}) == len(arms)
        assert len({str(study.entry(task, arm, 0).config) for arm in arms}) == len(arms)


@pytest.mark.parametrize("name", sorted({*registry.names()} & {*records.names()}))
def test_a_model_that_is_kept_is_of_an_arm_that_is_recorded(name: str) -> None:
    table = records.table(name)
    assert registry.study(name).keep <= {arm for task in table.tasks() for arm in table.arms(task)}
