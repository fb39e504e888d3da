"""Lottery tickets: rewound to the bit, nested, and beside their controls."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch
from tiny_berts import masked_weights, ours, rows
from torch import Tensor, nn

from lib.compression.pruning.masks import add_masks
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant
from studies.methods.tickets import (
    find_ticket,
    rewind,
    shuffle_survivors,
    shuffled_masks,
    snapshot,
    sparsity_after,
)

QUERY = "bert.encoder.layer.0.attention.self.query"


def trainer_of(model: nn.Module) -> Trainer:
    objective = FineTuning(model)
    return Trainer(objective, TaskBatches(rows(8), batch_size=4, seed=0), adamw(objective), Constant(8, 1e-2))


def ticket() -> tuple[Any, dict[str, Tensor], list[dict[str, Tensor]], list[float]]:
    model = ours()
    add_masks(model)
    start = snapshot(model)
    first_losses: list[float] = []

    def train(model: Any) -> None:
        trainer = trainer_of(model)
        first_losses.append(trainer.step()["loss"])
        trainer.step()

    return model, start, find_ticket(model, start, train, rounds=3, share=0.3), first_losses


def test_a_ticket_is_rewound_to_the_bit() -> None:
    model, start, masks, first_losses = ticket()
    assert all(torch.equal(tensor, start[name]) for name, tensor in model.named_parameters())
    for path, weight in masked_weights(model).items():
        mask = masks[-1][path]
        kept = start[f"{path}.parametrizations.weight.original"][mask]
        assert torch.equal(weight[mask], kept) and bool((weight[~mask] == 0).all())
    fresh = trainer_of(ours()).step()["loss"]
    assert first_losses[0] == pytest.approx(fresh) and len(set(first_losses)) == 3


def test_each_round_prunes_its_share_of_what_is_left_and_masks_are_nested() -> None:
    model, _, masks, _ = ticket()
    total = sum(weight.numel() for weight in masked_weights(model).values())
    for number, mask in enumerate(masks, start=1):
        pruned = sum(int((~part).sum()) for part in mask.values())
        assert pruned == int(sparsity_after(number, 0.3) * total)
    assert sparsity_after(3, 0.3) == pytest.approx(1 - 0.7**3)
    for few, many in pairwise(masks):
        assert all((few[path] | ~many[path]).all() for path in few)


def test_the_controls_keep_as_many_weights_of_each_matrix() -> None:
    model, start, masks, _ = ticket()
    other = shuffled_masks(masks[-1], seed=0)
    assert [int(mask.sum()) for mask in other.values()] == [int(mask.sum()) for mask in masks[-1].values()]
    assert not torch.equal(other[QUERY], masks[-1][QUERY])
    before = masked_weights(model)
    shuffle_survivors(model, seed=0)
    after = masked_weights(model)
    for path, mask in masks[-1].items():
        assert torch.equal(after[path] == 0, ~mask)
        assert torch.equal(after[path][mask].sort().values, before[path][mask].sort().values)
    assert not torch.equal(after[QUERY], before[QUERY])
    rewind(model, start)
    assert all(torch.equal(weight, before[path]) for path, weight in masked_weights(model).items())


def test_a_snapshot_fits_its_model_alone() -> None:
    start, model = snapshot(ours()), ours()
    add_masks(model)
    with pytest.raises(ValueError, match="after add_masks"):
        rewind(model, start)
