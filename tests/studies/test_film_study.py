"""The film from other seeds: its loop is the notebook's, and a look is recorded every hundred steps."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
import torch

from lib import records
from lib.records.subject import Subject
from studies import film


def test_a_film_looks_before_the_first_step_and_after_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "EVERY", 2)
    (run,) = film.STUDY.arms[film.TASK].values()
    found = run(Subject(film.TASK, 1, most_steps=3))
    assert not isinstance(found, dict)
    assert found.scores["step"] == [0, 2, 3] and found.costs["steps"] == 3
    assert all(len(found.scores[name]) == 3 for name in ("hidden tokens", "verbs", "answer"))
    assert {"as they were", "... i think.", "in the garden ..."} <= found.scores.keys()


@pytest.mark.parametrize(
    ("answers", "since"), [([0, 1, 0, 1], 300), ([1, 1, 1, 1], 0), ([0, 0, 1, 1], 200), ([1, 1, 1, 0], -1)]
)
def test_a_word_stands_there_since_it_was_there_at_every_look(answers: list[int], since: int) -> None:
    assert film._since([0, 100, 200, 300], answers) == since


def test_a_fifth_of_the_tokens_at_most_is_hidden_and_never_the_ends() -> None:
    torch.manual_seed(0)
    read, labels = film.hide(torch.full((64, 12), 7), vocab_size=1000, mask=4)
    asked = labels != -100
    assert not asked[:, [0, -1]].any() and 0.05 < asked.float().mean() < 0.25
    assert (read[~asked] == 7).all() and (labels[asked] == 7).all()
    assert (read[asked] == 4).float().mean() > 0.6


def test_a_batch_holds_sentences_of_one_length() -> None:
    batches = film.make_batches([[1, 2, 3]] * 70 + [[1, 2]] * 33)
    assert sorted(tuple(batch.shape) for batch in batches) == [(32, 2), (32, 3), (32, 3)]


def test_the_record_has_a_look_every_hundred_steps_for_each_seed() -> None:
    table = records.table("film")
    assert [run.seed for run in table.rows] == list(film.STUDY.seeds)
    for run in table.rows:
        steps = run.scores["step"]
        assert steps[0] == 0 and steps[-1] == film.STEPS
        assert all(later - step == film.EVERY for step, later in pairwise(steps))
        assert len(run.scores["verbs"]) == len(run.scores["answer"]) == len(steps)
        assert list(run.scores["says"]) == list(film.ASKED)


def test_what_no_arm_says_is_what_the_record_was_made_with() -> None:
    """Whoever changes these raises the study's version, or nobody makes its runs anew."""
    made = (film.RISING, film.PEAK, film.EVERY, film.BATCH, film.STUDY.version)
    assert made == (160, 0.002, 100, 32, 2)
    (run,) = film.STUDY.arms[film.TASK].values()
    assert isinstance(run, partial)
    assert run.args == ("paris is the capital of france.", "capital", 30, 1600)
