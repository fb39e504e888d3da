"""One choice of pretraining at a time: every arm runs, and an arm is made again as it was."""

from __future__ import annotations

import pytest

from chapters.nb12 import pretraining_choices as choices
from lib.records import small_bert
from lib.records.study import Measured
from lib.records.subject import Subject
from studies.ablations import STUDY, measure_choice

ARMS = STUDY.arms[choices.HELD_OUT]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every arm is measured on little."""
    pairs = small_bert.agreement_test()[:20]
    monkeypatch.setattr(choices, "SCORED", 1)
    monkeypatch.setattr(choices, "agreement_test", lambda: pairs)


def test_every_arm_runs() -> None:
    for name, arm in ARMS.items():
        found = arm(Subject(choices.HELD_OUT, 0, most_steps=1))
        assert isinstance(found, Measured) and found.costs["steps"] == 1, name
        shown = {f"right at {what}" for what in choices.SHOWN} if name != "left to right" else set()
        assert found.scores.keys() == {"loss", "right", "verbs right", "verbs"} | shown


def test_an_arm_of_the_study_is_what_the_choice_gives() -> None:
    texts = small_bert.grammar_texts()
    tried = choices.pretrain_and_measure(choices.ARMS["1 head"], 1, texts, budget=3e8)
    found = measure_choice(choices.ARMS["1 head"], 3e8, Subject(choices.HELD_OUT, 1))
    assert found.costs.keys() == {"steps", "targets"}
    # Not to the bit: two threads may add up a batch in another order the second time.
    assert found.scores | found.costs == pytest.approx(tried, rel=1e-5)


def test_what_no_arm_says_is_what_the_record_was_made_with() -> None:
    """Whoever changes these raises the study's version, or nobody makes its runs anew."""
    made = (choices.LENGTH, choices.BATCH, choices.LEARNING_RATE, STUDY.version)
    assert made == (20, 32, 4e-3, 1)
    assert STUDY.data_of(choices.HELD_OUT, "base") == ("data/reader/town.txt", "data/reader/valley.txt")
