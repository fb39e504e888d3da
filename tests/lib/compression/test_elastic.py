"""One network at many sizes: which layers run, which heads and neurons, and how all of it learns."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import answers, batch_of, loss, ours, rows, theirs, without_labels
from torch import Tensor, nn

from lib.bert.heads import BertForSequenceClassification
from lib.compression.distillation.knowledge import HIDDEN, observe
from lib.compression.elastic.depth import layers_kept, layers_kept_with_last, only_layers
from lib.compression.elastic.dyna_bert import (
    DEPTHS,
    WIDTHS,
    DynaBert,
    depth_stage,
    full_width,
    same_width,
    width_stage,
)
from lib.compression.elastic.sizes import Size, at_size, extracted, sizes_of
from lib.compression.elastic.width import at_width, part_of_layer, reorder_neurons, rewire
from lib.compression.pruning.importance import (
    gate_gradients,
    importance_of_heads,
    importance_of_neurons,
    per_example,
)
from lib.text.tasks import TaskBatches
from lib.training.finetuning import FineTuning
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.schedules import Constant

HEADS, LAYERS, NEURONS = 4, 6, 32
KINDS = [ours, theirs]


def deep(kind: Any = ours, seed: int = 0, **more: Any) -> Any:
    return kind(seed=seed, num_hidden_layers=LAYERS, num_attention_heads=HEADS, **more)


def importance(seed: int = 0) -> tuple[list[Tensor], list[Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    return (
        [torch.rand(HEADS, generator=generator) for _ in range(LAYERS)],
        [torch.rand(NEURONS, generator=generator) for _ in range(LAYERS)],
    )


# --- depth ----------------------------------------------------------------------------------------


def test_the_other_rule_keeps_the_last() -> None:
    assert layers_kept_with_last(12, 0.75) == [0, 1, 3, 4, 5, 7, 8, 9, 11]
    assert layers_kept_with_last(6, 0.5) == [1, 3, 5]
    for count in range(1, 7):
        kept = layers_kept_with_last(6, count / 6)
        assert len(kept) == count and kept[-1] == 5


def test_kept_layers_are_the_whole_part_of_i_over_depth() -> None:
    """With no rounding of floats in between, which could fall below a whole number."""
    for num_layers in range(1, 25):
        for count in range(1, num_layers + 1):
            expected = [i * num_layers // count for i in range(count)]
            assert layers_kept(num_layers, count / num_layers) == expected


@pytest.mark.parametrize("depth", [0.75, 0.0, 1.5, 0.1, -0.5])
def test_a_depth_that_makes_no_whole_number_is_refused(depth: float) -> None:
    with pytest.raises(ValueError, match="whole number from 1 to 6"):
        layers_kept(6, depth)


@pytest.mark.parametrize("kind", KINDS)
def test_inv_layers_that_run_are_a_sliced_list(kind: Any) -> None:
    model = deep(kind)
    sliced = copy.deepcopy(model)
    sliced.bert.encoder.layer = nn.ModuleList(sliced.bert.encoder.layer[layer] for layer in (0, 2, 4))
    with only_layers(model, (0, 2, 4)):
        found = answers(model)
    assert torch.equal(found, answers(sliced))
    assert len(model.bert.encoder.layer) == LAYERS and not torch.equal(answers(model), found)


def test_layers_come_back_after_an_error() -> None:
    model = deep()
    before = answers(model)
    with pytest.raises(RuntimeError), only_layers(model, [0]), at_width(model, 0.5):
        raise RuntimeError
    assert torch.equal(answers(model), before)
    with pytest.raises(ValueError, match="0 to 5"), only_layers(model, [6]):
        pass


def test_no_layer_at_all_is_a_network_too() -> None:
    model = deep()
    with only_layers(model, []):
        seen = observe(model, batch_of(), {HIDDEN})
    assert len(seen.hidden_states) == 1 and seen.output.logits.shape == (4, 2)


# --- width ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_inv_rewiring_changes_no_answer(kind: Any) -> None:
    model = deep(kind)
    before, states = answers(model), copy.deepcopy(model.state_dict())
    rewire(model, *importance())
    assert torch.allclose(answers(model), before, atol=1e-5)
    name = "bert.encoder.layer.0.attention.self.query.weight"
    assert not torch.equal(model.state_dict()[name], states[name])
    for bias in ("attention.output.dense.bias", "output.dense.bias"):
        name = f"bert.encoder.layer.0.{bias}"
        assert torch.equal(model.state_dict()[name], states[name])


@pytest.mark.parametrize("kind", KINDS)
def test_inv_importance_measured_again_falls(kind: Any) -> None:
    model, batches = deep(kind), [batch_of(4), batch_of(6)]

    def measured() -> list[list[Tensor]]:
        found = gate_gradients(model, batches)
        return [importance_of_heads(found, per_example), importance_of_neurons(found)]

    rewire(model, *measured())
    for layer in [layer for layers in measured() for layer in layers]:
        assert (layer.diff() <= 1e-5 * layer.max()).all()


def test_neurons_of_equal_importance_keep_their_order() -> None:
    bias, scores = torch.arange(4.0), torch.tensor([0.4, 0.9, 0.4, 0.7])
    found = reorder_neurons(torch.eye(4), bias, torch.eye(4), bias, scores)
    assert found[1].tolist() == [1, 3, 0, 2]


def test_rewiring_wants_a_row_for_each_layer() -> None:
    heads, neurons = importance()
    with pytest.raises(ValueError, match="a row for each layer"):
        rewire(deep(), heads[:5], neurons)


def test_a_half_is_rounded_as_python_does() -> None:
    assert part_of_layer(12, 1536, 0.75) == (9, 1152)
    assert part_of_layer(6, 24, 0.25) == (2, 8)  # 1.5 to 2
    assert part_of_layer(10, 40, 0.25) == (2, 8)  # 2.5 to 2
    with pytest.raises(ValueError, match="share of them"):
        part_of_layer(4, 8, 0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [0.25, 0.5, 1.0])
def test_inv_a_width_is_the_first_heads_and_neurons_alone(kind: Any, width: float) -> None:
    """Written out: the others set to zero in what reads them."""
    model, gated = deep(kind), deep(kind)
    heads, neurons = part_of_layer(HEADS, NEURONS, width)
    for layer in gated.bert.encoder.layer:
        layer.attention.output.dense.weight.data[:, heads * 4 :] = 0
        layer.output.dense.weight.data[:, neurons:] = 0
    before = answers(model)
    with at_width(model, width):
        found = answers(model)
    assert torch.allclose(found, answers(gated), atol=1e-6)
    assert torch.equal(answers(model), before)


def test_gradients_reach_what_ran_alone() -> None:
    model = deep()
    with at_width(model, 0.5):
        loss(FineTuning(model), batch_of()).backward()
    layer = model.bert.encoder.layer[2]
    for weight in (layer.attention.self.value.weight, layer.intermediate.dense.weight):
        half = len(weight) // 2
        assert weight.grad[:half].any() and not weight.grad[half:].any()
    for weight in (layer.attention.output.dense.weight, layer.output.dense.weight):
        half = weight.size(1) // 2
        assert weight.grad[:, :half].any() and not weight.grad[:, half:].any()
    assert layer.output.LayerNorm.weight.grad.all()  # features are all there


# --- sizes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", sizes_of(WIDTHS[1:], DEPTHS))
def test_inv_a_size_is_the_model_that_is_extracted(size: Size, tmp_path: Path) -> None:
    model = deep()
    small = extracted(model, size)
    with at_size(model, size):
        expected = answers(model)
    assert torch.allclose(answers(small), expected, atol=1e-6)
    assert sum(p.numel() for p in small.parameters()) < sum(p.numel() for p in model.parameters())
    small.save_pretrained(tmp_path)
    assert torch.allclose(
        answers(BertForSequenceClassification.from_pretrained(tmp_path)), expected, atol=1e-6
    )


def test_what_is_extracted_is_a_copy() -> None:
    model = deep()
    small = extracted(model, Size(0.5, 0.5))
    mine = {parameter.data_ptr() for parameter in model.parameters()}
    assert not mine & {parameter.data_ptr() for parameter in small.parameters()}
    assert not extracted(model, Size(1.0, 0.5)).changes  # a plain BERT of three layers


def test_sizes_have_names() -> None:
    assert [str(size) for size in sizes_of((1.0, 0.25), (1.0, 2 / 3))] == [
        "1 x 1", "0.25 x 1", "1 x 0.67", "0.25 x 0.67"
    ]  # fmt: skip


# --- DynaBERT -------------------------------------------------------------------------------------


def by_the_formulas(
    student: Any, teacher: Any, batch: Batch, width: float, layers: list[int], weights: tuple[float, float],
    teacher_width: float = 1.0,
) -> Tensor:  # fmt: skip
    """The loss of one size, with plain loops: answers, then every state."""
    inputs = without_labels(batch)
    with torch.no_grad(), at_width(teacher, teacher_width):
        taught = teacher(**inputs, output_hidden_states=True)
    with at_width(student, width), only_layers(student, layers):
        own = student(**inputs, output_hidden_states=True)
    total = torch.zeros(())
    for row in range(len(own.logits)):
        p, q = taught.logits[row].softmax(-1), own.logits[row].softmax(-1)
        total = total - weights[0] * (p * q.log()).sum() / len(own.logits)
    places = [*layers, len(student.bert.encoder.layer)]
    for j, place in enumerate(places):
        apart = (own.hidden_states[j] - taught.hidden_states[place])[batch["attention_mask"].bool()]
        total = total + weights[1] * (apart * apart).mean()
    return total


def test_the_first_stage_is_the_papers_sum() -> None:
    student, teacher, batch = deep(seed=1), deep(), batch_of()
    found = loss(DynaBert(student, teacher, width_stage(LAYERS)), batch)
    every = list(range(LAYERS))
    expected = sum(
        by_the_formulas(student, teacher, batch, width, every, (1.0, 0.1)) for width in (1.0, 0.75, 0.5, 0.25)
    )
    assert float(found) == pytest.approx(float(expected), rel=1e-6)


@pytest.mark.parametrize("full", [False, True])
def test_the_second_stage_is_the_papers_sum_or_the_codes(full: bool) -> None:
    student, teacher, batch = deep(seed=1), deep(), batch_of()
    taught_at = full_width if full else same_width
    lessons = depth_stage(LAYERS, (1.0, 0.5), (1.0, 0.5), taught_at=taught_at)
    found = loss(DynaBert(student, teacher, lessons), batch)
    expected = torch.zeros(())
    for layers in ([0, 1, 2, 3, 4, 5], [0, 2, 4]):
        for width in (1.0, 0.5):
            taught = 1.0 if full else width
            expected += by_the_formulas(student, teacher, batch, width, layers, (1.0, 1.0), taught)
    assert float(found) == pytest.approx(float(expected), rel=1e-6)


def test_all_sizes_come_near_the_teacher() -> None:
    teacher, student = deep(), deep()
    rewire(student, *importance())
    objective = DynaBert(student, teacher, depth_stage(LAYERS, (1.0, 0.5), (1.0, 0.5)))
    before = loss(objective, batch_of()).item()
    trainer = Trainer(objective, TaskBatches(rows()), adamw(objective), Constant(9, 1e-2), seed=0)
    trainer.train()
    assert not teacher.training and all(parameter.grad is None for parameter in teacher.parameters())
    assert loss(objective.eval(), batch_of()).item() < before
    assert not any(name.startswith("teacher") for name in objective.state_dict())


def test_a_run_says_what_it_learns() -> None:
    found = [
        DynaBert(deep(), deep(), lessons).fingerprint
        for lessons in (
            width_stage(LAYERS),
            width_stage(LAYERS, (1.0, 0.5)),
            depth_stage(LAYERS),
            depth_stage(LAYERS, taught_at=full_width),
            depth_stage(LAYERS, keep=layers_kept_with_last),
        )
    ]
    assert len({json.dumps(fingerprint) for fingerprint in found}) == len(found)
