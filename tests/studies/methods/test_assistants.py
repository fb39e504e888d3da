"""Teacher assistants: every hop learns from the model before."""

from __future__ import annotations

import pytest
import torch
from tiny_berts import narrow, ours, rows
from torch import nn

from lib.compression.distillation import methods
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.training import distill
from lib.text.tasks import TaskBatches
from lib.training.finetuning import Recipe
from studies.methods.assistants import hand_down


def hop(student: nn.Module, teacher: nn.Module) -> list[float]:
    objective = Distillation(student, teacher, methods.hinton(2.0, 0.5))
    found = distill(objective, TaskBatches(rows(), batch_size=5), Recipe(epochs=2, learning_rate=1e-3))
    assert all(parameter.grad is None for parameter in teacher.parameters())
    assert not teacher.training and not any(parameter.requires_grad for parameter in teacher.parameters())
    return [step["loss"] for step in found.history]


def test_inv_an_assistant_that_is_the_teacher_changes_nothing() -> None:
    direct, after = narrow(), narrow()
    teacher, assistant = ours(intermediate_size=40), ours(seed=5)
    equal = ours(intermediate_size=40)

    def learn(student: nn.Module, above: nn.Module) -> list[float]:
        if student is assistant:  # a hop that ends where the teacher is
            assistant.forward = equal.forward
            return []
        return hop(student, above)

    (expected,) = hand_down([teacher, direct], hop)
    assert hand_down([teacher, assistant, after], learn)[1] == expected
    for name, tensor in direct.state_dict().items():
        assert torch.equal(tensor, after.state_dict()[name])


def test_every_hop_learns_from_the_model_before() -> None:
    models = [ours(), narrow(), ours(hidden_size=8)]
    before = [{name: tensor.clone() for name, tensor in model.state_dict().items()} for model in models]
    assert len(hand_down(models, hop)) == 2
    moved = [
        any(not torch.equal(tensor, old[name]) for name, tensor in model.state_dict().items())
        for model, old in zip(models, before, strict=True)
    ]
    assert moved == [False, True, True]
    assert all(parameter.requires_grad for model in models for parameter in model.parameters())


def test_models_have_to_get_smaller() -> None:
    for models in ([ours(), ours()], [ours()], [narrow(), ours()]):
        with pytest.raises(ValueError, match="each smaller"):
            hand_down(models, hop)
