"""What heads and neurons are worth: derived again in plain loops, and from gates that are really there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
import torch
from tiny_berts import batch_of, ours, rows, theirs, with_padding
from torch import Tensor

from lib.analysis.attention.head_ablation import heads_off
from lib.bert.alterations import prune_heads
from lib.bert.attention import merge_heads, split_heads
from lib.bert.hooks import capture, hooked
from lib.compression.pruning import importance
from lib.compression.pruning.importance import gate_gradients
from lib.text.tasks import TaskBatches
from lib.training.loop import Batch

HEADS = 2


def batches(count: int = 3) -> list[Batch]:
    many = TaskBatches(rows(10), batch_size=4, seed=None)
    return [many(number) for number in range(count)]


def loss_with_gates(model: Any, batch: Batch, gates: Tensor) -> Tensor:
    """The loss summed over the texts, with gates [L, B, H, T] in front of the heads."""

    def gated(layer: int) -> Any:
        return lambda _module, inputs: merge_heads(split_heads(inputs[0], HEADS) * gates[layer][..., None])

    with ExitStack() as stack:
        for number, layer in enumerate(model.bert.encoder.layer):
            stack.enter_context(hooked([layer.attention.output.dense], before=gated(number)))
        loss: Tensor = model(**batch).loss * len(batch["input_ids"])
    return loss


def derivative_by_gates(model: Any, batch: Batch) -> Tensor:
    texts, tokens = batch["input_ids"].shape
    gates = torch.ones(len(model.bert.encoder.layer), texts, HEADS, tokens, requires_grad=True)
    return torch.autograd.grad(loss_with_gates(model, batch, gates), gates)[0]


@pytest.mark.parametrize("build", [ours, theirs])
def test_context_times_gradient_is_the_derivative_by_a_gate(build: Any) -> None:
    model, batch = build(), batch_of()
    (found,) = gate_gradients(model, [batch])
    torch.testing.assert_close(
        torch.stack(found.heads), derivative_by_gates(model, batch), atol=1e-6, rtol=1e-5
    )
    assert found.tokens == int(batch["attention_mask"].sum()) < batch["input_ids"].numel()


def test_each_reduction_in_plain_loops() -> None:
    model = ours()
    gates = [derivative_by_gates(model, batch) for batch in batches()]  # [L, B, H, T] each
    tokens = sum(int(batch["attention_mask"].sum()) for batch in batches())
    found = gate_gradients(model, batches())
    for layer in range(2):
        for head in range(HEADS):
            parts = [gate[layer, :, head] for gate in gates]  # [B, T] each
            running, of_running = 0.0, []
            for part in parts:
                running += float(part.sum())
                of_running.append(abs(running))
            expected = {
                importance.per_token: sum(abs(float(v)) for part in parts for v in part.flatten()) / tokens,
                importance.per_example: sum(abs(float(row.sum())) for part in parts for row in part) / 10,
                importance.per_batch: sum(abs(float(part.sum())) for part in parts) / 3,
                importance.running_totals: sum(of_running) / 3,
                importance.of_all: abs(sum(float(part.sum()) for part in parts)),
            }
            for reduction, value in expected.items():
                score = importance.importance_of_heads(found, reduction)[layer][head]
                assert float(score) == pytest.approx(value, rel=1e-4, abs=1e-6), reduction.__name__


def test_padding_changes_no_score() -> None:
    model, batch = ours(), batch_of()
    plain, padded = (gate_gradients(model, [each]) for each in (batch, with_padding(batch, 3)))
    for reduction in (importance.per_token, importance.per_example):
        first, second = (importance.importance_of_heads(found, reduction) for found in (plain, padded))
        torch.testing.assert_close(first, second)
    assert torch.equal(padded[0].heads[0][:, :, -3:], torch.zeros(4, HEADS, 3))


def test_neurons_from_activations_are_neurons_from_the_second_matrix() -> None:
    model = ours()
    scores = importance.importance_of_neurons(gate_gradients(model, batches()))
    for batch in batches():
        (model(**batch).loss * len(batch["input_ids"])).backward()
    for layer, score in zip(model.bert.encoder.layer, scores, strict=True):
        first, second = layer.intermediate.dense, layer.output.dense
        out = torch.stack(
            [second.weight[:, j] @ second.weight.grad[:, j] for j in range(len(score))]
        )  # <W2[:, j], its gradient>
        into = torch.stack(
            [first.weight[j] @ first.weight.grad[j] + first.bias[j] * first.bias.grad[j] for j in range(32)]
        )
        torch.testing.assert_close(score, out.abs().detach(), atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(
            importance.neuron_importance_by_weights(layer), (into.abs() + out.abs()).detach()
        )


def test_layers_are_made_comparable() -> None:
    found = gate_gradients(ours(), batches())
    scores = importance.importance_of_heads(found)
    per_text = importance.last_layer_per_example(scores, found)
    assert torch.equal(per_text[0], scores[0])
    torch.testing.assert_close(per_text[1], scores[1] * sum(b.tokens for b in found) / 10)
    normalized = importance.layer_normalized(scores)
    assert [float(layer.norm()) for layer in normalized] == pytest.approx([1, 1])
    torch.testing.assert_close(normalized, importance.layer_normalized(per_text))  # no own divisor any more


def test_nothing_of_the_model_is_changed_and_frozen_weights_do_not_matter() -> None:
    model = ours()
    before = importance.importance_of_heads(gate_gradients(model, batches()))
    assert all(parameter.grad is None for parameter in model.parameters())
    model.requires_grad_(False)
    after = importance.importance_of_heads(gate_gradients(model, batches()))
    assert all(map(torch.equal, before, after))
    with capture([model.classifier]) as answers:
        model(**batch_of())
    assert not answers[0].requires_grad


def test_a_silent_head_is_worth_nothing_and_pruned_layers_have_fewer_scores() -> None:
    model = ours()
    with heads_off(model.bert, [(0, 1)]):
        scores = importance.importance_of_heads(gate_gradients(model, batches()))
    assert float(scores[0][1]) == 0 < float(scores[0][0])
    prune_heads(model, "bert.encoder.layer.0.attention", [1])
    scores = importance.importance_of_heads(gate_gradients(model, batches()))
    assert [len(layer) for layer in scores] == [1, 2]


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: gate_gradients(ours().train(), [batch_of()]), "eval"),
    (lambda: importance.importance_of_heads([]), "give one at least"),
    (lambda: importance.neuron_importance_by_weights(ours().bert.encoder.layer[0]), "call backward"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_be_judged_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
