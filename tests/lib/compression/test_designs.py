"""Designs inside one network, how long they take, and which are the best."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours, rows, without_labels
from torch import nn

from lib.bert.alterations import prune_heads
from lib.compression.designs.latency import LatencyModel, sizes_in_time
from lib.compression.designs.search import Space
from lib.compression.designs.super_network import (
    Design,
    OneDesignAStep,
    at_design,
    design_of,
    extracted_design,
    first_layers,
    head_rows,
    last_lesson,
)
from lib.compression.elastic.depth import layers_kept_with_last
from lib.compression.ledger.counting import unique_parameters
from lib.text.tasks import TaskBatches
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

WHOLE = Design(layers=3, hidden_size=16, neurons=32, heads=4, head_size=4)
#: rows of each head, whole heads, and everything smaller at once
SMALLER = [
    Design(2, 12, 20, 4, 2),
    Design(2, 12, 20, 3, 4),
    Design(1, 10, 8, 2, 3),
    replace(WHOLE, heads=2, neurons=16),
]


def large() -> Any:
    """A network of the whole design, whose weights are known."""
    model = ours(num_hidden_layers=3, num_attention_heads=4)
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            waves = (torch.arange(parameter.numel()) * (0.7 + 0.01 * number)).sin()
            parameter.copy_(0.5 * waves.view(parameter.shape))
    return model


def answers(model: nn.Module, batch: Batch | None = None) -> Any:
    batch = batch or batch_of(3)
    with torch.no_grad():
        return model(**without_labels(batch), output_hidden_states=True)


# --- designs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", SMALLER, ids=str)
def test_inv_an_extracted_model_answers_as_the_large_one_at_its_design(design: Design) -> None:
    model = large()
    small = extracted_design(model, design)
    with at_design(model, design):
        inside = answers(model)
    assert torch.allclose(inside.logits, answers(small).logits, atol=1e-6)
    assert torch.allclose(inside.hidden_states[-1], answers(small).hidden_states[-1], atol=1e-6)
    assert design_of(small) == design
    assert unique_parameters(small) == sum(tensor.numel() for tensor in small.state_dict().values())
    storages = {parameter.data_ptr() for parameter in model.parameters()}
    assert not storages & {parameter.data_ptr() for parameter in small.parameters()}  # copies, no views


#: AutoTinyBERT/transformer/modeling_super_kd.py of huawei-noah/Pretrained-Language-Model, with kd and, whole
#: heads, without: four features after the last layer, of token 0 of text 0, and of token 2 of text 1
# fmt: off
RELEASED = [
    (SMALLER[0], [0.0, 0.92138582, 0.08341178, -0.01683497], [0.0, 0.90995634, 0.06430724, -0.01704417]),
    (WHOLE, [0.0, 1.37998760, 0.78125083, -0.41463840], [0.0, 1.37998211, 0.78123635, -0.41463894]),
    (SMALLER[1], [0.0, 0.85914159, 0.32391548, -0.01540471], [0.0, 0.85395241, 0.31679004, -0.01546677]),
]
# fmt: on


@pytest.mark.parametrize(("design", "first", "third"), RELEASED)
def test_states_are_those_of_the_released_code(
    design: Design, first: list[float], third: list[float]
) -> None:
    model = large()
    with at_design(model, design):
        states = answers(model).hidden_states[-1]
    assert torch.allclose(states[0, 0, :4], torch.tensor(first), atol=1e-6)
    assert torch.allclose(states[1, 2, :4], torch.tensor(third), atol=1e-6)


def test_layers_are_the_first_unless_a_rule_says_otherwise() -> None:
    model, design = large(), replace(WHOLE, layers=1)
    with at_design(model, design), torch.no_grad():
        first = answers(model).hidden_states[-1]
    assert torch.allclose(first, answers(model).hidden_states[1], atol=1e-6)
    with at_design(model, design, layers_kept_with_last):
        last = answers(model).logits
    small = extracted_design(model, design, layers_kept_with_last)
    assert torch.allclose(last, answers(small).logits, atol=1e-6)
    assert torch.equal(
        small.bert.encoder.layer[0].output.dense.weight, model.bert.encoder.layer[2].output.dense.weight
    )
    assert first_layers(6, 5 / 6) == [0, 1, 2, 3, 4]


def test_inv_no_gradient_leaves_the_design() -> None:
    model, design = large(), SMALLER[2]
    with at_design(model, design):
        model(**batch_of(3)).loss.backward()
    layer: Any = model.bert.encoder.layer[0]
    inside = torch.zeros(16, 16, dtype=torch.bool)
    inside[head_rows(2, 4, 3), :10] = True
    grad = layer.attention.self.value.weight.grad
    assert grad[inside].any() and not grad[~inside].any()
    assert not layer.intermediate.dense.weight.grad[8:].any()
    assert layer.intermediate.dense.weight.grad[:8, 1:10].all()
    assert not layer.output.LayerNorm.weight.grad[10:].any()
    assert model.bert.encoder.layer[1].output.dense.weight.grad is None
    assert not model.bert.embeddings.word_embeddings.weight.grad[:, 10:].any()


def test_multiply_adds() -> None:
    assert WHOLE.multiply_adds(5) == 3 * 5 * (16 * (4 * 16 + 2 * 32) + 2 * 5 * 16)
    assert str(WHOLE) == "3 layers, 4 heads, 32 neurons"


# --- training -------------------------------------------------------------------------------------


def lesson(layers: int) -> Any:
    return last_lesson(layers, 3)


def test_one_design_learns_in_each_step_and_its_teacher_does_not() -> None:
    teacher, student = large(), large()
    before = {name: tensor.clone() for name, tensor in teacher.state_dict().items()}
    small = replace(WHOLE, layers=1, heads=2, neurons=16)
    objective = OneDesignAStep(student, teacher, [small], lesson)
    batches = TaskBatches(rows(), batch_size=4, seed=0)
    Trainer(objective, batches, adamw(objective, weight_decay=0.0), Constant(3, 1e-2), seed=0).train()
    layer, its = student.bert.encoder.layer, teacher.bert.encoder.layer
    moved: Any = layer[0].intermediate.dense.weight - its[0].intermediate.dense.weight
    assert moved[:16].any() and not moved[16:].any()
    assert torch.equal(layer[2].output.dense.weight, its[2].output.dense.weight)
    assert all(torch.equal(tensor, before[name]) for name, tensor in teacher.state_dict().items())
    assert all(parameter.grad is None for parameter in teacher.parameters())


def test_designs_are_drawn_and_known_by_the_fingerprint() -> None:
    model = large()
    designs = [replace(WHOLE, layers=1), WHOLE]
    objective = OneDesignAStep(model, large(), designs, lesson)
    torch.manual_seed(0)
    seen = {round(objective(**batch_of(3))["logits"].sum.item(), 4) for _ in range(12)}
    assert len(seen) == 2
    other = OneDesignAStep(model, large(), designs[:1], lesson)
    assert objective.fingerprint != other.fingerprint


# --- the search -----------------------------------------------------------------------------------


def test_a_mutation_moves_what_has_a_choice_and_stays_in_the_space() -> None:
    space, rng = Space((1, 2, 3), (16,), (8, 16, 24, 32), (2, 4), (4,)), random.Random(0)
    drawn = [space.mutated(Design(2, 16, 16, 2, 4), rng) for _ in range(200)]
    assert set(drawn) <= set(space.designs()) and len(space.designs()) == 3 * 4 * 2
    assert {design.layers for design in drawn} == {1, 2, 3}
    assert {design.neurons for design in drawn} == {8, 16, 24, 32}  # two places away at most


# --- latency --------------------------------------------------------------------------------------


def test_inv_a_linear_truth_is_found_again() -> None:
    sizes = [(2, 192, 2), (6, 1536, 12), (4, 768, 2), (3, 192, 8), (5, 384, 6)]
    designs = [Design(layers, 384, neurons, heads, 32) for layers, neurons, heads in sizes]
    true = (0.3, 0.2, 1.5, 0.9)

    def takes(design: Design) -> float:
        return sum(a * b for a, b in zip(true, sizes_in_time(design), strict=True))

    model = LatencyModel.fitted(designs, [takes(design) for design in designs])
    assert model.coefficients == pytest.approx(true)
    unseen = Design(3, 384, 1152, 10, 32)
    assert model(unseen) == pytest.approx(takes(unseen))


# --- what is refused ------------------------------------------------------------------------------


def altered() -> Any:
    model = large()
    prune_heads(model, "bert.encoder.layer.0.attention", heads=[1])
    return model


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: head_rows(2, 4, 5), "from 1 to 4"),
    (lambda: at_design(large(), replace(WHOLE, heads=5)).__enter__(), "5 heads in one of 4"),
    (lambda: extracted_design(large(), replace(WHOLE, neurons=0)), "0 neurons"),
    (lambda: extracted_design(altered(), SMALLER[0]), "altered"),
    (lambda: LatencyModel.fitted([WHOLE] * 5, [1.0] * 5), "four coefficients"),
    (lambda: LatencyModel.fitted([], []), "0 designs"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_designs_that_do_not_fit_are_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
