"""Models without some of their parts: what goes, judged by what, and what each arm holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from chapters.nb27.mean_loss import mean_loss
from lib.compression.pruning.heads import remove_heads
from lib.records.subject import Subject
from studies import pruned_structure
from studies.pruned_structure import Worth


@pytest.fixture
def subject(tiny: Callable[..., Subject]) -> Subject:
    return tiny("reviews", most_steps=2)


def test_the_loss_without_a_head_is_that_of_a_model_that_lost_it(subject: Subject) -> None:
    found, worth = pruned_structure.measure_single_heads(subject).scores, Worth(subject)
    model = pruned_structure.whole(worth)
    remove_heads(model, {2: [5]})
    assert mean_loss(model, worth.batches) == pytest.approx(found["without"][2][5], abs=1e-5)


def test_width_goes_by_every_order(subject: Subject) -> None:
    levels, orders = (18, 12), ("importance", "random", "reversed")
    found = pruned_structure.measure_untuned(
        pruned_structure.narrowed, "width {}, {}", levels, orders, subject
    )
    assert len(found) == 6


def test_the_smaller_bert_is_a_plain_one(subject: Subject) -> None:
    model = pruned_structure.smaller("importance", Worth(subject))
    assert model.changes == () and model.config.attention_head_size is None
    assert (model.config.hidden_size, model.config.num_attention_heads) == (12, 6)


def test_new_weights_have_nothing_of_the_teacher(subject: Subject) -> None:
    worth = Worth(subject)
    new, old = pruned_structure.with_new_weights(worth), pruned_structure.halved("importance", worth)
    assert {name: tensor.shape for name, tensor in new.state_dict().items()} == {
        name: tensor.shape for name, tensor in old.state_dict().items()
    }
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(new.state_dict()[query], old.state_dict()[query])
