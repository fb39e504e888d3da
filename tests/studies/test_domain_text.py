"""Text of the domain: what the pocket BERT has read moves it, and what is kept of both arms."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lib.bert.heads import BertForPreTraining
from lib.records.subject import Subject
from lib.text.tasks import own
from studies import domain_text
from studies.domain_text import STUDY, Reading

SHORT = Reading(steps=2, batch_size=4)


def test_a_model_that_has_read_more_is_another_one(tmp_path: Path) -> None:
    texts = [example.first for example in own.reviews("train")[:60]]
    losses = domain_text.read_domain(texts, tmp_path, SHORT, seed=0)
    assert len(losses) == 2
    assert all(loss > 0 for loss in losses)
    before, after = (BertForPreTraining.from_pretrained(place).state_dict() for place in ("pocket", tmp_path))
    name = "bert.encoder.layer.0.output.dense.weight"
    assert 0 < (before[name] - after[name]).abs().max() < 0.1


def test_who_has_read_tells_its_losses_and_both_learn_from_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_text, "read_domain", lambda *_: [3.0] * 30 + [2.0] * 30)
    monkeypatch.setattr(domain_text, "fine_tuned", lambda *_: {"accuracy": 0.5})
    arms: dict[str, Any] = dict(STUDY.arms["reviews"])
    found = {name: arm(Subject("reviews", 0)).scores for name, arm in arms.items()}
    told = {"first_loss": 3.0, "last_loss": 2.0}
    assert found == {"without": {"accuracy": 0.5}, "with": {"accuracy": 0.5} | told}
    assert isinstance(arms["with"], partial) and arms["with"].args[1:] == arms["without"].args
