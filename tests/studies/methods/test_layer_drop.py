"""LayerDrop: layers skipped at random in training."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, loss, ours, rows
from torch import nn

from lib.compression.elastic.depth import only_layers
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant
from studies.methods import layer_drop
from studies.methods.layer_drop import LayerDrop, draw_layers

LAYERS = 6


def deep() -> Any:
    return ours(num_hidden_layers=LAYERS, num_attention_heads=4)


def learned(model: nn.Module, p: float) -> LayerDrop:
    return LayerDrop(FineTuning(model), model, p)


def trained(objective: Any, steps: int = 3, seed: int = 0) -> Any:
    trainer = Trainer(objective, TaskBatches(rows()), adamw(objective), Constant(9, 1e-2), seed=seed)
    for _ in range(steps):
        trainer.step()
    return objective


def test_inv_p_0_is_plain() -> None:
    plain, dropping = deep(), deep()
    trained(FineTuning(plain)), trained(learned(dropping, 0.0))
    for name, tensor in plain.state_dict().items():
        assert torch.equal(tensor, dropping.state_dict()[name]), name


def test_inv_the_share_of_layers_that_run_is_1_minus_p() -> None:
    torch.manual_seed(0)
    draws = [draw_layers(6, 0.2) for _ in range(4000)]
    runs = torch.tensor([[layer in layers for layer in range(6)] for layers in draws]).float()
    assert runs.mean(0) == pytest.approx([0.8] * 6, abs=0.02)
    together = (runs.T @ runs / len(draws)).fill_diagonal_(0.64)
    assert float((together - 0.64).abs().max()) < 0.03  # each on its own


def test_inv_all_layers_run_in_eval() -> None:
    objective = learned(deep(), 0.9)
    found = {loss(objective.eval(), batch_of()).item() for _ in range(5)}
    assert len(found) == 1 and found == {loss(FineTuning(deep()), batch_of()).item()}


def test_a_skipped_layer_gets_no_gradient_and_nothing_is_rescaled() -> None:
    model = deep()
    objective = learned(model, 0.5)
    objective.train()
    torch.manual_seed(1)
    layers = draw_layers(LAYERS, 0.5)
    assert 0 < len(layers) < LAYERS
    torch.manual_seed(1)
    found = loss(objective, batch_of())
    found.backward()
    with only_layers(model, layers):
        expected = loss(FineTuning(model), batch_of())
    assert float(found) == float(expected)  # one draw for all tokens, and no 1 / (1 - p)
    for number, layer in enumerate(model.bert.encoder.layer):
        assert (layer.output.dense.weight.grad is not None) == (number in layers)


def test_a_step_without_any_layer_learns_from_the_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    model = deep()
    before = copy.deepcopy(model.state_dict())
    monkeypatch.setattr(layer_drop, "draw_layers", lambda count, p: [])
    trained(learned(model, 0.9), steps=1)
    changed = {name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])}
    assert "bert.embeddings.word_embeddings.weight" in changed and "classifier.weight" in changed
    assert not any(".encoder." in name for name in changed)


@pytest.mark.parametrize("p", [-0.1, 1.0])
def test_a_probability_that_is_none_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="from 0, below 1"):
        learned(deep(), p)


def test_a_run_says_how_often_layers_are_skipped() -> None:
    assert learned(deep(), 0.1).fingerprint != learned(deep(), 0.2).fingerprint
