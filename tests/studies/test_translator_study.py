"""The translator's study: an arm runs for two steps, and its record is of what the study says."""

from __future__ import annotations

from lib import records
from lib.records.study import Measured
from lib.records.subject import Subject
from studies.translator import STEPS, STUDY


def test_an_arm_runs() -> None:
    found = STUDY.arms["spanish"]["200 steps"](Subject("spanish", 0, most_steps=2))
    assert isinstance(found, Measured)
    assert 0 <= found.scores["bleu"] < 5 and 0 <= found.scores["unseen, exact"] < 0.1
    assert 0.5 < found.scores["diagonal"] < 0.6


def test_all_arms_are_recorded_with_three_seeds() -> None:
    table = records.table("translator")
    for steps in STEPS:
        assert len(table.values("spanish", f"{steps} steps", "bleu")) == 3
    assert STUDY.data_of("spanish", "200 steps") == ("data/grammar_spanish",)
