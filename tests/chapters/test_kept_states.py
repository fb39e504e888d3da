"""A teacher seen once: kept states are what it says in each step, and are learned from."""

from __future__ import annotations

import json

import pytest
import torch
from tiny_berts import loss, ours, rows

from chapters.nb23.kept_states import KeptStates
from lib.compression.distillation.combined_layers import LayerMixtures, all_layers
from lib.compression.distillation.fused_layers import FusedTeacher, normalized_sum
from lib.compression.distillation.knowledge import CLS_STATES, HIDDEN_STATES
from lib.compression.distillation.layer_search import elm
from lib.compression.distillation.losses import squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import answers_alone
from lib.compression.distillation.objective import Distillation
from lib.text.tasks import TaskBatches
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant


def test_inv_kept_states_are_what_a_teacher_says_in_each_step() -> None:
    teacher, student = ours(), ours(seed=1)
    batches = TaskBatches(rows(), batch_size=3, seed=4)
    kept = KeptStates.of(teacher, batches, 3)
    matches = [
        *elm((1, 2)),
        Match(HIDDEN_STATES, FusedTeacher(((1,), (1, 2)), 16, 16), normalized_sum),
        Match(CLS_STATES, LayerMixtures(all_layers(2, 2)), squared_error),
        *answers_alone(),
    ]
    live, cached = Distillation(student, teacher, matches), Distillation(student, None, matches)
    for number in range(3):
        expected = loss(live, batches(number)).item()
        assert loss(cached, kept(number)).item() == pytest.approx(expected, rel=2e-3)
    assert kept.size == 3 and torch.equal(kept(4)["input_ids"], kept(1)["input_ids"])


def test_kept_states_are_known_by_their_contents() -> None:
    batches = TaskBatches(rows(), batch_size=3, seed=4)
    fingerprints = [
        KeptStates.of(teacher, batches, count).fingerprint
        for teacher, count in ((ours(), 2), (ours(), 2), (ours(seed=5), 2), (ours(), 3))
    ]
    first, second, *others = fingerprints
    assert first == second and first not in others and json.loads(json.dumps(first)) == first
    with pytest.raises(ValueError, match="training mode"):
        KeptStates.of(ours().train(), batches, 1)


def test_kept_states_can_be_learned_from() -> None:
    kept = KeptStates.of(ours(), TaskBatches(rows(), batch_size=5, seed=4), 2)
    objective = Distillation(
        ours(seed=1), None, [Match(CLS_STATES, LayerMixtures(((1, 2),)), normalized_sum)]
    )
    trainer = Trainer(objective, kept, adamw(objective), Constant(20, 3e-3))
    losses = [trainer.step()["loss"] for _ in range(20)]
    assert losses[-1] < losses[0]
