"""The relatives: every arm runs on little, and an arm is made again as it was."""

from __future__ import annotations

import pytest

from chapters.nb37 import electra, how_often
from lib import records
from lib.records import small_bert
from lib.records.subject import Subject
from studies.relatives import ALL_SENTENCES, FEW_SENTENCES, MASKS, STUDY


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every arm reads and is measured on little."""
    pairs = small_bert.agreement_test()[:20]
    monkeypatch.setattr(how_often, "SCORED", 1)
    monkeypatch.setattr(how_often, "READ", 1)
    monkeypatch.setattr(electra, "agreement_test", lambda: pairs)


@pytest.mark.parametrize("arm", ["1 mask", "3 masks"])
def test_an_arm_of_masks_runs(arm: str) -> None:
    found = STUDY.arms[FEW_SENTENCES][arm](Subject(FEW_SENTENCES, 0, most_steps=1))
    assert not isinstance(found, dict)
    assert found.scores.keys() == {"loss", "right", "training loss", "verbs"}
    assert found.costs == {"steps": MASKS[arm]}


def test_both_objectives_run() -> None:
    found = STUDY.arms[ALL_SENTENCES]["both"](Subject(ALL_SENTENCES, 0, most_steps=2))
    assert isinstance(found, dict) and found.keys() == {"ELECTRA", "masked LM"}
    assert found["ELECTRA"].scores.keys() == {"auc", "all original", "accuracy", "recall", "verbs"}
    assert found["masked LM"].scores.keys() == {"auc", "all original", "verbs", "loss"}
    assert found["ELECTRA"].scores["all original"] == found["masked LM"].scores["all original"]


def test_the_record_has_all_runs() -> None:
    table = records.table("relatives")
    for arm in MASKS:
        assert len(table.values(FEW_SENTENCES, arm, "loss")) == 3
    for arm in ("ELECTRA", "masked LM"):
        assert len(table.values(ALL_SENTENCES, arm, "auc")) == 3


def test_what_no_arm_says_is_what_the_record_was_made_with() -> None:
    """Whoever changes these raises the study's version, or nobody makes its runs anew."""
    made = (how_often.LENGTH, how_often.BATCH, how_often.EPOCHS, how_often.LEARNING_RATE, STUDY.version)
    assert made == (20, 32, 30, 4e-3, 1)
    assert STUDY.data_of(FEW_SENTENCES, "1 mask") == ("data/reader/town.txt", "data/reader/valley.txt")
