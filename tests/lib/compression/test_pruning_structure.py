"""Heads, neurons, width and layers removed: what is left computes what it would with closed gates."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tiny_berts import answers, batch_of, ours, shaken, theirs, without_labels
from torch import Tensor, nn

from lib.analysis.attention.head_ablation import heads_off
from lib.bert import (
    BertForMaskedLM,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertModel,
    alterations,
)
from lib.bert.hooks import hooked
from lib.compression.distillation.students import cut_student
from lib.compression.pruning import choosing, layers
from lib.compression.pruning.heads import prune_heads, remove_heads
from lib.compression.pruning.importance import gate_gradients, importance_of_neurons
from lib.compression.pruning.neurons import neuron_magnitudes, remove_neurons
from lib.compression.pruning.width import remove_width, settle, width_importance

CLOSE: dict[str, Any] = {"atol": 1e-6, "rtol": 1e-5}


# --- heads ----------------------------------------------------------------------------------------


def test_a_whole_model_loses_heads_and_is_saved_so(tmp_path: Path) -> None:
    model = shaken(ours(num_attention_heads=4))
    with heads_off(model.bert, [(0, 1), (1, 0), (1, 3)]):
        expected = answers(model)
    by_layer = prune_heads(model.bert.encoder.layer[1], [0, 3])
    remove_heads(model, {0: [1, 1], 1: [0, 3]})
    torch.testing.assert_close(answers(model), expected, **CLOSE)
    removed = model.bert.encoder.layer[1].state_dict()
    assert all(torch.equal(tensor, removed[name]) for name, tensor in by_layer.state_dict().items())
    model.save_pretrained(tmp_path)
    assert torch.equal(answers(BertForSequenceClassification.from_pretrained(tmp_path)), answers(model))


# --- neurons --------------------------------------------------------------------------------------


def test_a_neuron_whose_column_is_zero_changes_nothing() -> None:
    model = shaken(ours())
    with torch.no_grad():
        model.bert.encoder.layer[1].output.dense.weight[:, 4] = 0
    before = answers(model)
    assert float(neuron_magnitudes(model)[1][4]) == 0
    assert float(importance_of_neurons(gate_gradients(model, [batch_of()]))[1][4]) == 0
    remove_neurons(model, {1: [4]})
    torch.testing.assert_close(answers(model), before, **CLOSE)


# --- what goes ------------------------------------------------------------------------------------

SCORES = [torch.tensor([3.0, 1.0, 2.0]), torch.tensor([0.1, 0.2, 0.3])]


def test_the_least_important_go_and_the_best_of_each_layer_stays() -> None:
    assert choosing.least_important(SCORES, 3) == {0: [1], 1: [0, 1]}
    assert choosing.least_important(SCORES, 4) == {0: [1, 2], 1: [0, 1]}
    assert choosing.least_important(choosing.reversed_scores(SCORES), 2) == {0: [0, 2]}
    assert choosing.least_important(SCORES, 0) == {}
    assert choosing.least_important_of_each(SCORES, 1) == {0: [1], 1: [0]}


def test_random_scores_are_those_of_their_seed() -> None:
    first, same, other = (choosing.random_scores(SCORES, seed) for seed in (0, 0, 1))
    assert all(map(torch.equal, first, same)) and not any(map(torch.equal, first, other))


# --- width ----------------------------------------------------------------------------------------

GONE = [0, 3, 9, 15]
KEPT = [feature for feature in range(16) if feature not in GONE]


class NormOfSome(nn.Module):
    """A norm of full width that counts some features and writes 0 into the others."""

    def __init__(self, norm: nn.LayerNorm):
        super().__init__()
        self.norm = norm

    def forward(self, hidden: Tensor) -> Tensor:
        some = hidden[..., KEPT]
        mean = some.mean(-1, keepdim=True)
        deviation = (some.var(-1, unbiased=False, keepdim=True) + self.norm.eps).sqrt()
        full = torch.zeros_like(hidden)
        full[..., KEPT] = (some - mean) / deviation * self.norm.weight[KEPT] + self.norm.bias[KEPT]
        return full


def gated_width(model: Any) -> Any:
    """The model at full width with features closed: every norm, and the pooler, leave them out."""
    gated = copy.deepcopy(model)
    for name, module in list(gated.named_modules()):
        if isinstance(module, nn.LayerNorm):
            alterations.replace_module(gated, name, NormOfSome(module))
    if getattr(gated.bert, "pooler", None) is not None:
        with torch.no_grad():
            gated.bert.pooler.dense.weight[GONE] = 0
            gated.bert.pooler.dense.bias[GONE] = 0
    return gated


@pytest.mark.parametrize("build", [ours, theirs])
def test_less_width_is_full_width_with_norms_that_count_what_is_left(build: Any) -> None:
    model = shaken(build())
    expected = answers(gated_width(model))
    remove_width(model, GONE)
    torch.testing.assert_close(answers(model), expected, **CLOSE)
    assert model.classifier.in_features == 12
    assert model.bert.embeddings.position_embeddings.weight.shape == (16, 12)
    query = model.bert.encoder.layer[0].attention.self.query
    assert tuple(query.weight.shape) == (16, 12)  # heads are as they were


def test_questions_are_answered_from_less_width() -> None:
    model = shaken(ours(BertForQuestionAnswering))
    batch = without_labels(batch_of())
    gated = gated_width(model)
    expected = gated(**batch).start_logits.detach()
    remove_width(model, GONE)
    torch.testing.assert_close(model(**batch).start_logits.detach(), expected, **CLOSE)


def test_an_encoder_alone_loses_width() -> None:
    torch.manual_seed(0)
    bert = ours(BertModel)
    remove_width(bert, GONE)
    assert bert(batch_of()["input_ids"]).last_hidden_state.shape[-1] == 12


def test_layers_that_are_one_are_cut_once() -> None:
    model = shaken(ours())
    alterations.share_layers(model, "bert.encoder", [0, 0])
    expected = answers(gated_width(model))
    remove_width(model, GONE)
    torch.testing.assert_close(answers(model), expected, **CLOSE)


def test_width_importance_is_the_derivative_by_one_gate_for_all_norms() -> None:
    model, batch = shaken(ours()), batch_of()
    gates = torch.ones(4, 16, requires_grad=True)

    def gate(_module: nn.Module, _inputs: Any, output: Tensor) -> Tensor:
        return output * (gates[:, None] if output.dim() == 3 else gates)

    gated = [module for module in model.modules() if isinstance(module, nn.LayerNorm)]
    with hooked([*gated, model.bert.pooler], after=gate):
        loss = model(**batch).loss * 4
    (expected,) = torch.autograd.grad(loss, gates)
    torch.testing.assert_close(width_importance(model, [batch]), expected.abs().mean(0), **CLOSE)
    model.requires_grad_(False)
    torch.testing.assert_close(width_importance(model, [batch]), expected.abs().mean(0), **CLOSE)


def test_what_was_altered_in_every_way_is_saved_and_loaded(tmp_path: Path) -> None:
    model = shaken(ours(num_attention_heads=4))
    remove_heads(model, {0: [1], 1: [0, 3]})
    remove_neurons(model, {0: [2], 1: [3, 4]})
    remove_width(model, GONE)
    model.save_pretrained(tmp_path)
    again = BertForSequenceClassification.from_pretrained(tmp_path)
    assert torch.equal(answers(again), answers(model))
    assert [change.name for change in again.changes] == [change.name for change in model.changes]


@pytest.mark.parametrize("is_plain", [True, False])
def test_what_is_a_bert_again_is_settled_and_transformers_loads_it(is_plain: bool, tmp_path: Path) -> None:
    model = cut_student(shaken(ours(num_attention_heads=4)), [1])
    remove_heads(model, {0: [1]})  # three heads of four features
    remove_neurons(model, {0: [2, 5]})
    remove_width(model, GONE if is_plain else GONE[:2])  # twelve features, or fourteen
    expected = answers(model)
    settle(model)
    assert model.changes == () and torch.equal(answers(model), expected)
    assert (model.config.hidden_size, model.config.intermediate_size) == (12 if is_plain else 14, 30)
    assert model.config.num_attention_heads == 3 and model.bert.config is not None
    model.save_pretrained(tmp_path)
    assert torch.equal(answers(BertForSequenceClassification.from_pretrained(tmp_path)), expected)
    if is_plain:
        other = transformers.BertForSequenceClassification.from_pretrained(tmp_path, dtype=torch.float32)
        torch.testing.assert_close(answers(other.eval()), expected, **CLOSE)


def test_uneven_heads_keep_their_list_of_changes(tmp_path: Path) -> None:
    model = shaken(ours(num_attention_heads=4))
    remove_heads(model, {0: [1]})
    remove_width(model, GONE)
    settle(model)
    assert [change.name for change in model.changes] == ["prune_heads"]
    model.save_pretrained(tmp_path)
    assert torch.equal(answers(BertForSequenceClassification.from_pretrained(tmp_path)), answers(model))


# --- layers ---------------------------------------------------------------------------------------


def test_which_layers_each_rule_keeps() -> None:
    kept = {name: rule(12, 4) for name, rule in layers.rules([0.0] * 8 + [1.0] * 4).items()}
    gone = {name: [layer + 1 for layer in range(12) if layer not in of] for name, of in kept.items()}
    assert gone == {
        "top": [9, 10, 11, 12],
        "bottom": [1, 2, 3, 4],
        "even": [6, 8, 10, 12],
        "odd": [5, 7, 9, 11],
        "middle": [5, 6, 7, 8],
        "alike": [9, 10, 11, 12],
    }


@pytest.mark.parametrize("rule", layers.rules([0.5, 0.9, 0.1, 0.7, 0.2, 0.3]).values())
def test_every_rule_keeps_as_many_as_it_should(rule: layers.Rule) -> None:
    assert rule(6, 0) == list(range(6))
    for dropped in (1, 2, 3):
        kept = rule(6, dropped)
        assert len(kept) == 6 - dropped and kept == sorted(set(kept))
    with pytest.raises(ValueError):
        rule(6, 6)


def test_the_middle_goes_and_first_and_last_stay() -> None:
    for dropped in range(1, 5):
        assert {0, 5} <= set(layers.drop_middle(6, dropped))
    assert layers.drop_middle(6, 3) == [0, 1, 5]  # the odd one is of the first


@torch.inference_mode()
def test_cosines_in_plain_loops_and_a_layer_that_does_nothing_goes_first() -> None:
    model = ours()
    with torch.no_grad():
        lazy = model.bert.encoder.layer[1]
        for dense in (lazy.attention.output.dense, lazy.output.dense):
            dense.weight.zero_()
            dense.bias.zero_()
    batch = batch_of()
    batches = [batch, batch_of(6)]
    cosines = layers.layer_cosines(model, batches, measured="every token")
    expected, count, of_cls = [0.0, 0.0], 0, [list[float](), list[float]()]
    for each in batches:
        states = model.bert(
            each["input_ids"], each["attention_mask"], each["token_type_ids"], output_hidden_states=True
        ).hidden_states
        for text, length in enumerate(each["attention_mask"].sum(1).tolist()):
            for token in range(length):
                count += 1
                for layer in range(2):
                    before, after = states[layer][text, token], states[layer + 1][text, token]
                    expected[layer] += (cosine := float(before @ after / (before.norm() * after.norm())))
                    if token == 0:
                        of_cls[layer].append(cosine)
    assert cosines == pytest.approx([total / count for total in expected], abs=1e-5)
    assert cosines[1] == pytest.approx(1, abs=1e-5)
    assert layers.drop_alike(cosines, 2, 1) == [0]
    of_paper = layers.layer_cosines(model, batches)
    assert of_paper == pytest.approx([sum(of) / len(of) for of in of_cls], abs=1e-5)
    assert abs(of_paper[0] - cosines[0]) > 1e-3  # the two are not the same measure


def test_a_model_without_layers_is_the_composition_of_those_left(tmp_path: Path) -> None:
    model = shaken(ours(num_hidden_layers=4))
    whole = cut_student(model, layers.drop_top(4, 0))
    assert torch.equal(answers(whole), answers(model))
    kept = layers.drop_middle(4, 2)
    cut = cut_student(model, kept)
    batch = batch_of()
    hidden = model.bert.embeddings(batch["input_ids"], batch["token_type_ids"])
    for layer in kept:
        hidden = model.bert.encoder.layer[layer](hidden, batch["attention_mask"].bool()[:, None, None])
    expected = model.classifier(model.bert.pooler(hidden)).detach()
    torch.testing.assert_close(answers(cut), expected, **CLOSE)
    cut.save_pretrained(tmp_path)
    other = transformers.BertForSequenceClassification.from_pretrained(tmp_path, dtype=torch.float32)
    torch.testing.assert_close(answers(other.eval()), expected, **CLOSE)


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: prune_heads(ours().bert.encoder.layer[0], [2]), "There are 2 heads in this layer"),
    (lambda: prune_heads(ours().bert.encoder.layer[0], [-1]), "There are 2 heads in this layer"),
    (lambda: prune_heads(ours().bert.encoder.layer[0], [0, 1]), "There are 2 heads in this layer"),
    (lambda: choosing.least_important(SCORES, 5), "give 0 to 4"),
    (lambda: choosing.least_important_of_each(SCORES, 3), "give 0 to 2"),
    (lambda: remove_width(ours(BertForMaskedLM), GONE), "prune the width of the encoder alone"),
    (lambda: remove_width(ours(), [16]), "There are 16 features"),
    (lambda: width_importance(ours().train(), [batch_of()]), "eval"),
    (lambda: layers.drop_alike([0.5, 0.9], 6, 2), "give one for each"),
    (lambda: layers.drop_even(6, 4), "are 3: drop no more"),
    (lambda: layers.layer_cosines(ours().train(), [batch_of()]), "eval"),
    (lambda: layers.layer_cosines(ours(), []), "no batches"),
    (lambda: layers.layer_cosines(ours(), [], measured="[SEP]"), "give one of"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_go_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
