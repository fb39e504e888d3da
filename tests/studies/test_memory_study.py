"""Small readers with a memory: every arm runs, and says its losses."""

from __future__ import annotations

import pytest
import torch

from chapters.nb35 import drawings, reading
from lib.records.study import Measured
from lib.records.subject import Subject
from studies.memory import ARMS, STORIES, STUDY, TRIED


def test_every_arm_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = torch.arange(2_000) % 500
    monkeypatch.setattr(reading, "story_ids", lambda _part: text)
    for name, arm in STUDY.arms[STORIES].items():
        if name in ("no memory", "memory 16", "no memory, segments of 32", "positions restart, memory 16"):
            found = arm(Subject(STORIES, 0, most_steps=1))
            assert isinstance(found, Measured) and found.costs["steps"] == 1, name
            assert found.scores.keys() == {"loss", "by place", *(f"loss with {rows}" for rows in TRIED)}
            assert len(found.scores["by place"]) == ARMS[name].segment


def test_a_seed_draws_the_weights() -> None:
    first, again, other = (reading.new_reader(seed).words.weight for seed in (0, 0, 1))
    assert first.equal(again) and not first.equal(other)


def test_what_no_arm_says_is_what_the_record_was_made_with() -> None:
    """Whoever changes these raises the study's version, or nobody makes its runs anew."""
    made = (reading.SEGMENT, reading.STREAMS, reading.TEST_STREAMS, reading.RATE, reading.WARM, STUDY.version)
    assert made == (16, 32, 16, 3e-3, 30, 1)


@pytest.mark.parametrize("arms", [drawings.LENGTHS, drawings.RESTARTED])
def test_the_pictures_show_arms_of_the_study(arms: dict[str, str]) -> None:
    assert {*arms.values()} <= {*STUDY.arms[STORIES]}
