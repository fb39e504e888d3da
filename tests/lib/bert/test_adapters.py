"""Weights added to a model whose own stay: adapters, low-rank updates, prefixes, prompts.

On our models and on `transformers`', and beside `peft`'s.
"""

import copy
from collections.abc import Callable
from typing import Any

import peft
import pytest
import torch
import torch.nn.functional as F
import transformers
from torch import Tensor

from lib.bert import (
    BertConfig,
    BertForMaskedLM,
    BertForMultipleChoice,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from lib.bert.adapters import LoRA, add_adapter, merge_low_rank
from lib.bert.added import added_parameters, layer_paths, remove_added
from lib.bert.alterations import changes_of, parametrize, prune_heads, prune_neurons, simplify
from lib.bert.attention import merge_heads, scaled_dot_product_attention, split_heads
from lib.bert.prompts import Prefix, add_prefix, add_prompt

CONFIG = BertConfig(53, 24, 3, 4, 40, max_position_embeddings=20)
IDS = torch.randint(53, (2, 9), generator=torch.Generator().manual_seed(0))
MASK = torch.ones(2, 9, dtype=torch.long)
MASK[1, 6:] = 0
LIBRARIES = ["ours", "theirs"]


def model_of(library: str = "ours") -> Any:
    """A classifier of either library with the same weights."""
    torch.manual_seed(0)
    ours = BertForSequenceClassification(CONFIG).eval()
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    if library == "ours":
        return ours
    theirs = transformers.BertForSequenceClassification(transformers.BertConfig(**CONFIG.to_dict())).eval()
    theirs.load_state_dict(ours.state_dict())
    return theirs


def adapters(model: Any, size: int) -> None:
    for path in layer_paths(model, "attention.output") + layer_paths(model, "output"):
        add_adapter(model, path, size)


def prefixes(model: Any, size: int) -> None:
    for path in layer_paths(model, "attention.self"):
        add_prefix(model, path, size)


def prompt(model: Any, size: int) -> None:
    add_prompt(model, "bert", size)


def low_rank(model: Any, size: int) -> None:
    for part in ("query", "value"):
        for path in layer_paths(model, f"attention.self.{part}"):
            parametrize(model, path, "LoRA", rank=size, alpha=16)


Add = Callable[..., Any]
WAYS: dict[str, Add] = {"adapters": adapters, "prefix": prefixes, "prompt": prompt, "low rank": low_rank}


def everything(model: Any, size: int = 3) -> Any:
    """All four ways at once, with numbers as training would leave them."""
    for add in WAYS.values():
        add(model, size)
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in added_parameters(model).values():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def logits(model: Any) -> Tensor:
    return model(IDS, attention_mask=MASK).logits


def close(first: Tensor, second: Tensor, tolerance: float = 1e-6) -> None:
    torch.testing.assert_close(first, second, atol=tolerance, rtol=tolerance)


# --- each way -------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("way", "size"), [("adapters", 4), ("low rank", 4), ("prefix", 0), ("prompt", 0)])
def test_what_adds_nothing_changes_no_bit(library: str, way: str, size: int) -> None:
    model = model_of(library)
    before = logits(model)
    WAYS[way](model, size)
    assert torch.equal(logits(model), before)


def test_adapters_stand_before_the_residual_is_added() -> None:
    model = model_of()
    add_adapter(model, "bert.encoder.layer.0.output", 4)
    half = model.bert.encoder.layer[0].output
    torch.nn.init.normal_(half.adapter.up.weight)
    update, residual = torch.randn(2, 9, 40), torch.randn(2, 9, 24)
    expected = half.LayerNorm(residual + half.adapter(half.dense(update)))
    assert torch.equal(half(update, residual), expected)


@pytest.mark.parametrize("implementation", ["ours", "sdpa", "eager"])
def test_a_masked_prefix_is_nothing_and_one_of_zeros_is_not(implementation: str) -> None:
    model = model_of("ours" if implementation == "ours" else "theirs")
    if implementation != "ours":
        model.set_attn_implementation(implementation)
    before, unpadded = logits(model), model(IDS).logits
    prefixes(model, 3)
    found = [module for module in model.modules() if isinstance(module, Prefix)]
    with torch.no_grad():
        for parameter in added_parameters(model).values():
            parameter.zero_()
    assert len(found) == 3 and (logits(model) - before).abs().max() > 1e-3
    for prefix in found:
        prefix.masked = True
        torch.nn.init.normal_(prefix.keys)
        torch.nn.init.normal_(prefix.values)
    close(logits(model), before)
    close(model(IDS).logits, unpadded)


def test_a_prefix_stands_ahead_of_keys_and_values() -> None:
    model = everything(model_of())
    attention, hidden = model.bert.encoder.layer[1].attention.self, torch.randn(2, 9, 24)
    mask = MASK.bool()[:, None, None]
    prefix = attention.prefix
    query, key, value = (
        F.linear(hidden, part.weight, part.bias) for part in (attention.query, attention.key, attention.value)
    )
    key = torch.cat([prefix.keys.expand(2, -1, -1), key], dim=1)
    value = torch.cat([prefix.values.expand(2, -1, -1), value], dim=1)
    seen = torch.cat([torch.ones(2, 1, 1, 3, dtype=torch.bool), mask], dim=-1)
    query, key, value = (split_heads(part, 4) for part in (query, key, value))
    close(attention(hidden, mask), merge_heads(scaled_dot_product_attention(query, key, value, seen)[0]))
    close(attention(hidden, mask=mask), attention(hidden, mask))


def test_a_prompt_stands_ahead_of_the_words_and_the_pooler_still_finds_cls() -> None:
    model, plain = model_of(), model_of()
    add_prompt(model, "bert", 3)
    vectors = model.bert.prompt.vectors
    words = plain.bert.embeddings.word_embeddings(IDS)
    longer = torch.cat([vectors.expand(2, -1, -1), words], dim=1)
    seen = torch.cat([torch.ones(2, 3, dtype=torch.long), MASK], dim=1)
    types = torch.cat([torch.zeros(2, 3, dtype=torch.long), IDS % 2], dim=1)
    expected = plain.bert(None, seen, types, inputs_embeds=longer, output_hidden_states=True)
    answer = model.bert(IDS, MASK, IDS % 2, output_hidden_states=True)
    assert torch.equal(answer.last_hidden_state, expected.last_hidden_state[:, 3:])
    assert torch.equal(answer.pooler_output, plain.bert.pooler(expected.last_hidden_state[:, 3:]))
    assert [states.shape for states in answer.hidden_states] == [(2, 9, 24)] * 4
    by_vectors = model.bert(None, MASK, IDS % 2, inputs_embeds=words)
    assert torch.equal(by_vectors.last_hidden_state, answer.last_hidden_state)
    rows = {tuple(row) for row in plain.bert.embeddings.word_embeddings.weight.tolist()}
    assert all(tuple(row) in rows for row in vectors.tolist())


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        (BertForTokenClassification, (2, 9)),
        (BertForQuestionAnswering, (2, 9)),
        (BertForMaskedLM, (2, 9)),
        (BertForMultipleChoice, (1, 2)),
    ],
)
def test_heads_find_every_token_where_it_was(kind: Any, shape: tuple[int, int]) -> None:
    model = everything(kind(CONFIG).eval())
    inputs = (IDS[None], MASK[None]) if kind is BertForMultipleChoice else (IDS, MASK)
    output = model(*inputs, output_attentions=True)
    scores = output.start_logits if kind is BertForQuestionAnswering else output.logits
    assert scores.shape[:2] == shape
    assert [weights.shape for weights in output.attentions] == [(2, 4, 12, 15)] * 3
    assert torch.allclose(output.attentions[0].sum(dim=-1), torch.tensor(1.0))


# --- both libraries, and peft ---------------------------------------------------------------------


def test_both_libraries_answer_alike() -> None:
    ours, theirs = everything(model_of()), everything(model_of("theirs"))
    theirs.load_state_dict(ours.state_dict())
    assert theirs.changes == ours.changes
    close(logits(theirs), logits(ours), 1e-5)
    close(theirs(IDS).logits, ours(IDS).logits, 1e-5)
    theirs.set_attn_implementation("eager")
    close(logits(theirs), logits(ours), 1e-5)
    for model in (ours, theirs):
        logits(model).square().sum().backward()
    for name, parameter in added_parameters(theirs).items():
        gradient: Any = added_parameters(ours)[name].grad
        assert gradient.abs().sum() > 0
        torch.testing.assert_close(parameter.grad, gradient, atol=1e-4, rtol=1e-4)


def test_low_rank_updates_are_those_of_peft() -> None:
    def theirs() -> Any:
        return model_of("theirs").bert

    model, targets = theirs(), ["query", "value", "intermediate.dense"]
    reference: Any = peft.get_peft_model(theirs(), peft.LoraConfig(r=4, lora_alpha=6, target_modules=targets))
    for target in targets:
        parts = target if "." in target else f"attention.self.{target}"
        for path in layer_paths(model, parts):
            parametrize(model, path, "LoRA", rank=4, alpha=6)
            update, layer = model.get_submodule(path).parametrizations.weight[0], reference.base_model.model
            layer = layer.get_submodule(path)
            torch.nn.init.normal_(update.b, std=0.1)
            layer.lora_A["default"].weight.data.copy_(update.a.data)
            layer.lora_B["default"].weight.data.copy_(update.b.data)
    plain = theirs()(IDS, MASK).last_hidden_state
    answer = model(IDS, MASK).last_hidden_state
    expected = reference.eval()(IDS, MASK).last_hidden_state
    assert (answer - plain).abs().max() > 1e-2
    close(answer, expected)
    answer.pow(3).mean().backward()
    expected.pow(3).mean().backward()
    layer = reference.base_model.model.encoder.layer[0].attention.self.query
    update = model.encoder.layer[0].attention.self.query.parametrizations.weight[0]
    assert update.a.grad.abs().max() > 1e-4
    close(update.a.grad, layer.lora_A["default"].weight.grad)
    close(update.b.grad, layer.lora_B["default"].weight.grad)
    simplify(model)
    close(model(IDS, MASK).last_hidden_state, reference.merge_and_unload()(IDS, MASK).last_hidden_state)
    assert model.changes == () and model.state_dict().keys() == theirs().state_dict().keys()


# --- counted, trained, copied, removed ------------------------------------------------------------


def added_weights(num_layers: int, hidden_size: int, size: int) -> dict[str, int]:
    """How many weights each way adds to a whole model, as notebook 17 sums them."""
    return {
        "adapters": num_layers * 2 * (2 * hidden_size * size + size + hidden_size),
        "prefix": num_layers * 2 * size * hidden_size,
        "prompt": size * hidden_size,
        "low rank": num_layers * 2 * size * (hidden_size + hidden_size),
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_as_many_weights_as_the_formula_says(library: str, way: str) -> None:
    model = model_of(library)
    before = sum(parameter.numel() for parameter in model.parameters())
    WAYS[way](model, 5)
    more = sum(parameter.numel() for parameter in model.parameters()) - before
    counted = sum(parameter.numel() for parameter in added_parameters(model).values())
    assert more == counted == added_weights(3, 24, 5)[way]


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_was_added_is_removed_to_the_bit(library: str) -> None:
    model, plain = model_of(library), model_of(library)
    for changed in (model, plain):
        prune_neurons_of(changed)
    everything(model)
    assert (logits(model) - logits(plain)).abs().max() > 1e-3
    remove_added(model)
    assert changes_of(model) == changes_of(plain)
    assert torch.equal(logits(model), logits(plain))
    assert [*model.state_dict()] == [*plain.state_dict()]
    assert all(torch.equal(tensor, plain.state_dict()[name]) for name, tensor in model.state_dict().items())
    for module, same in zip(model.modules(), plain.modules(), strict=True):
        assert type(module) is type(same)
        assert len(module._forward_hooks) == len(same._forward_hooks)
        assert len(module._forward_pre_hooks) == len(same._forward_pre_hooks)
    everything(model)  # there is room again


def prune_neurons_of(model: Any) -> None:
    """A change of another kind, which stays; it knows our layers alone."""
    if isinstance(model, BertForSequenceClassification):
        prune_neurons(model, "bert.encoder.layer.0", [1, 2])


def test_another_parametrization_stays() -> None:
    model = model_of()
    path = "bert.encoder.layer.0.attention.self.query"
    torch.nn.utils.parametrizations.orthogonal(model.get_submodule(path))
    before = logits(model)
    low_rank(model, 2)
    torch.nn.init.normal_(model.get_submodule(path).parametrizations.weight[1].b)
    assert not torch.allclose(logits(model), before)
    remove_added(model)
    assert torch.equal(logits(model), before)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_copy_has_weights_of_its_own(library: str) -> None:
    model = everything(model_of(library))
    before, copied = logits(model), copy.deepcopy(model)
    with torch.no_grad():
        for parameter in added_parameters(copied).values():
            parameter.add_(1)
    assert torch.equal(logits(model), before) and not torch.allclose(logits(copied), before, atol=1e-3)
    remove_added(copied)
    assert torch.equal(logits(copied), logits(model_of(library))) and torch.equal(logits(model), before)


# --- wrong use ------------------------------------------------------------------------------------

LAYER = "bert.encoder.layer.0"


@pytest.mark.parametrize(
    ("use", "says"),
    [
        (lambda m: add_adapter(m, LAYER, 4), "no dense: name a module that has dense, dropout, LayerNorm"),
        (lambda m: add_adapter(m, f"{LAYER}.output", 0), "An adapter of 0 features"),
        (lambda m: add_prefix(m, f"{LAYER}.attention", 4), "has no query"),
        (lambda m: add_prefix(m, f"{LAYER}.attention.self", -1), "A prefix of -1 vectors"),
        (lambda m: add_prompt(m, "", 4), "has no embeddings"),
        (lambda m: add_prompt(m, "bert", -1), "A prompt of -1 vectors"),
        (lambda m: layer_paths(m, "attention.elf"), "No layer of .* has a part attention.elf"),
        (lambda m: parametrize(m, f"{LAYER}.output.LayerNorm", "LoRA", rank=1), "no low-rank update"),
    ],
)
@pytest.mark.parametrize("library", LIBRARIES)
def test_wrong_use_is_a_sentence_and_changes_nothing(library: str, use: Add, says: str) -> None:
    model = model_of(library)
    before = logits(model)
    with pytest.raises(ValueError, match=says) as error:
        use(model)
    assert "\n" not in str(error.value) and changes_of(model) == ()
    assert torch.equal(logits(model), before) and not added_parameters(model)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("before", "use", "says"),
    [
        (everything, lambda m: adapters(m, 2), "already: remove_added"),
        (everything, lambda m: prefixes(m, 2), "already: remove_added"),
        (everything, lambda m: prompt(m, 2), "already: remove_added"),
        (lambda m: prompt(m, 13), lambda m: m(IDS), "13 vectors, the text 9 tokens, .* 20 positions"),
        (lambda m: prompt(m, 1), lambda m: m(IDS, torch.ones(2, 1, 9, 9).bool()), "four dimensions"),
        (lambda m: prompt(m, 1), lambda m: m.bert(IDS, position_ids=torch.arange(9)[None]), "position_ids"),
    ],
)
def test_what_cannot_be_added_or_asked_is_refused(library: str, before: Any, use: Any, says: str) -> None:
    model = model_of(library)
    before(model)
    changes = changes_of(model)
    with pytest.raises(ValueError, match=says):
        use(model)
    assert changes_of(model) == changes


def test_a_prompted_model_still_looks_at_its_input() -> None:
    model = everything(model_of())
    with pytest.raises(ValueError, match="does the tokenizer belong"):
        model(IDS + 53)
    with pytest.raises(ValueError, match="not neither"):
        model()
    full = model_of()
    prompt(full, 13)
    full(IDS[:, :7])  # 13 and 7: all positions


def test_a_prefix_fits_the_heads_that_are_left() -> None:
    model = model_of()
    prune_heads(model, f"{LAYER}.attention", [1])
    everything(model)
    assert model.bert.encoder.layer[0].attention.self.prefix.keys.shape == (3, 18)
    logits(model)


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_added_has_the_precision_of_its_model(library: str) -> None:
    model = everything(model_of(library).to(torch.bfloat16))
    assert {parameter.dtype for parameter in model.parameters()} == {torch.bfloat16}
    assert logits(model).dtype == torch.bfloat16
    with torch.autocast("cpu", torch.bfloat16):
        assert logits(everything(model_of(library))).isfinite().all()


@pytest.mark.parametrize(
    ("weight", "a", "b"), [((4, 6), (2, 6), (2, 4)), ((4, 6), (2, 5), (4, 2)), ((4, 6), (2, 6), (1, 2))]
)
def test_shapes_that_do_not_fit_are_not_broadcast(weight: Any, a: Any, b: Any) -> None:
    with pytest.raises(ValueError, match=r"give \[out, in\], \[r, in\] and \[out, r\]"):
        merge_low_rank(torch.zeros(weight), torch.zeros(a), torch.zeros(b), 1.0)


def test_alpha_is_the_rank_unless_it_is_given() -> None:
    update = LoRA(torch.zeros(7, 5), rank=2)
    assert (update.a.shape, update.b.shape, update.alpha) == ((2, 5), (7, 2), 2)
