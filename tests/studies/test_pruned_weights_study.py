"""Pruned weights: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import torch
from tiny_task import tiny_model

from lib.bert import BertForMaskedLM
from lib.compression.pruning.masks import masks_of
from lib.records.study import Measured
from lib.records.subject import Subject
from studies import pruned_weights
from studies.pruned_weights import HEADLINES, SHORTLY, SST2, Pruning

#: one of each kind, whatever its level and its steps
PRUNED = [
    arm.args[0]
    for arm in (HEADLINES | SST2).values()
    if isinstance(arm, partial) and arm.func is pruned_weights.measure_pruned
]
KINDS = list(dict.fromkeys(replace(one, sparsity=0.9, steps=10, training=SHORTLY) for one in PRUNED))

Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    monkeypatch.setattr(pruned_weights, "fresh_model", tiny_model)
    return tiny(most_steps=10)


def measured(pruning: Pruning, subject: Subject) -> tuple[Measured, Any]:
    found = pruned_weights.measure_pruned(pruning, subject)
    assert found.model is not None
    return found, found.model


@pytest.mark.parametrize("pruning", KINDS, ids=str)
def test_every_kind_of_arm_gives_what_the_record_holds(pruning: Pruning, subject: Subject) -> None:
    found, model = measured(pruning, subject)
    watched = {"watched"} if pruning.watched else set()
    assert found.scores.keys() == {"accuracy", "agreement", "sparsity"} | watched
    assert found.costs.keys() == {"of_matrices", "of_model", "steps", "processor_seconds"}
    assert len(masks_of(model)) == 36 and not model.training
    if pruning.rule not in ("soft movement", "two of four"):
        assert found.scores["sparsity"] == pytest.approx(0.9, abs=0.002)
    if pruning.watched:
        before, after, kept = found.scores["watched"]
        assert len(before) == len(after) == len(kept) and {0, 1} >= set(kept)


def test_weights_are_watched_from_the_first_seed_alone(subject: Subject) -> None:
    pruning = next(one for one in KINDS if one.watched)
    assert "watched" not in measured(pruning, replace(subject, seed=1))[0].scores


def test_tables_stay_as_they_are(subject: Subject) -> None:
    before = subject.teacher.model.state_dict()
    _, model = measured(HEADLINES["fine-tuned, inside"].args[0], subject)  # type: ignore[attr-defined]
    table = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(model.state_dict()[table], before[table])
    assert not torch.equal(model.state_dict()["classifier.weight"], before["classifier.weight"])


def test_knowledge_is_asked_for_at_every_level(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    blanks = BertForMaskedLM(tiny_model().config)
    monkeypatch.setattr(BertForMaskedLM, "from_pretrained", lambda _name: blanks)
    ids = torch.tensor([[2, 5, 6, 3]])
    monkeypatch.setattr(pruned_weights, "hidden_batches", lambda *_: [(ids, ids)])
    found = pruned_weights.measure_knowledge((0.0, 0.5), 1, 1, subject)
    assert len(found) == 6
    assert found["pruned, then tuned, 0.0"].scores == found["tuned, then pruned, 0.0"].scores


def test_at_length_nothing_is_pruned_before_scores_have_learned(subject: Subject) -> None:
    pruning = Pruning(rule="movement", sparsity=0.9, steps=20)
    found = {}
    for first in (0.0, 0.7):
        one = replace(pruning, training=replace(pruned_weights.AT_LENGTH, first=first))
        _, callbacks = pruned_weights._objective(one, tiny_model(), subject)
        found[first] = [callbacks[0].ramp(step) for step in range(21)]  # type: ignore[attr-defined]
    assert found[0.0][10] > 0 and set(found[0.7][:15]) == {0.0}
    assert found[0.0][-1] == found[0.7][-1] == 0.9


def test_what_shares_its_work_is_named_as_its_arm() -> None:
    def arm(_subject: Subject) -> dict[str, Measured]:
        return {"dense": Measured({"accuracy": 1.0})}

    found = pruned_weights.named("all phrases, {}", {"tickets": arm})
    renamed = found["all phrases, tickets"](Subject("SST-2", 0))
    assert isinstance(renamed, dict) and [*renamed] == ["all phrases, dense"]
