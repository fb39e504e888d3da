"""What compresses any model of Linears and Embeddings, tried on encoders of other families and on none."""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tiny_berts import masked_weights
from torch import Tensor, nn
from torch.nn.utils.parametrize import is_parametrized

from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel
from lib.bert.adapters import add_adapter
from lib.compression.distillation.knowledge import HIDDEN, VALUE, observe
from lib.compression.ledger.counting import count_multiply_adds
from lib.compression.packed import read_packed, save_packed
from lib.compression.parts import answering, by_layer, left_out, module_part, paths_of
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.quantizers.integers import in_integers
from lib.compression.quantizers.model import (
    halve_rest,
    quantize_inputs,
    quantize_weights,
    quantized,
    remove_quantization,
)

WIDTH: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 24, "max_position_embeddings": 40, "pad_token_id": 0,
}  # fmt: skip
DISTIL = {"vocab_size": 40, "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24}
RELATIVE = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}
NO_ENDS = dict.fromkeys(("bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"), 1)
GPT = {"vocab_size": 40, "n_positions": 40, "n_embd": 16, "n_layer": 2, "n_head": 2} | dict.fromkeys(
    ("bos_token_id", "eos_token_id"), 1
)
IDS = torch.randint(5, 40, (3, 7), generator=torch.Generator().manual_seed(0))
#: by family: options of its config, and how many Linears are in the layers of its encoder
FAMILIES: dict[str, tuple[dict[str, Any], int]] = {
    "Bert": (WIDTH, 12),
    "DistilBert": (DISTIL, 12),
    "Roberta": (WIDTH, 12),
    "Albert": (WIDTH | {"embedding_size": 8}, 6),
    "MPNet": (WIDTH, 12),
    "Electra": (WIDTH | {"embedding_size": 8}, 12),
    "Deberta": (WIDTH | RELATIVE, 12),
    "DebertaV2": (WIDTH | RELATIVE, 16),
    "ModernBert": (WIDTH | NO_ENDS, 8),
}
OURS = BertConfig(
    vocab_size=40, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24
)


def model_of(family: str, kind: str = "Model") -> Any:
    torch.manual_seed(0)
    options = FAMILIES[family][0] if family in FAMILIES else GPT if family == "GPT2" else WIDTH
    config = getattr(transformers, f"{family}Config")(**options)
    return getattr(transformers, f"{family}{kind}")(config).eval()


def matrices(model: nn.Module) -> dict[str, nn.Module]:
    return {path: part for path, part in model.named_modules() if isinstance(part, nn.Linear | nn.Embedding)}


def answer(model: Any) -> Tensor:
    with torch.no_grad():
        return next(iter(model(IDS).values()))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_matrix_of_an_encoder_is_quantized_packed_and_read_again(family: str, tmp_path: Path) -> None:
    model = model_of(family)
    plain, before = copy.deepcopy(model), answer(model)
    expected = matrices(model)
    assert paths_of(model) == list(expected)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quantize_weights(model, 4)
    assert all(is_parametrized(part, "weight") for part in expected.values())
    rest = left_out(model, paths_of(model))
    assert sum(rest.values()) == sum(tensor.numel() for tensor in plain.parameters() if tensor.dim() == 1)
    with quantized(plain, 4):
        assert torch.equal(answer(plain), answer(model)) and not torch.equal(answer(plain), before)
    assert torch.equal(answer(plain), before)
    halve_rest(model)
    save_packed(model, tmp_path / "small.safetensors")
    save_packed(plain, tmp_path / "whole.safetensors")
    sizes = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("whole", "small")]
    assert sizes[0] > 1.5 * sizes[1]  # of models so small, names and scales are a good part
    plain.load_state_dict(read_packed(tmp_path / "small.safetensors"))
    assert torch.equal(answer(plain), answer(model))
    remove_quantization(model)
    assert torch.equal(answer(model), before)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_matrices_of_the_layers_are_masked(family: str) -> None:
    model = model_of(family)
    add_masks(model)
    prune(model, 0.5)
    weights = masked_weights(model)
    assert len(weights) == FAMILIES[family][1] == sum(map(len, by_layer(model).values()))
    assert all((weight == 0).sum() == weight.numel() // 2 for weight in weights.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_products_of_whole_numbers_and_what_attention_multiplies(family: str) -> None:
    model = model_of(family)
    counted = count_multiply_adds(model, lambda: answer(model))
    scores_and_averages = 2 * 2 * 3 * 7 * 7 * 16  # layers, products, texts, T, T, D
    if family.startswith("Deberta"):  # it multiplies queries and keys with places as well
        assert counted.attention > scores_and_averages
    else:
        assert counted.attention == scores_and_averages
    quantize_weights(model, 8)
    quantize_inputs(model, 8)
    whole = in_integers(model)
    assert count_multiply_adds(whole, lambda: answer(whole)) == counted
    torch.testing.assert_close(answer(whole), answer(model), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("family", "kind", "head"),
    [
        ("DistilBert", "ForSequenceClassification", ["pre_classifier", "classifier"]),
        ("Roberta", "ForSequenceClassification", ["classifier.dense", "classifier.out_proj"]),
        ("Electra", "ForMaskedLM", ["generator_predictions.dense", "generator_lm_head"]),
        ("Albert", "ForMaskedLM", ["predictions.dense", "predictions.decoder"]),
        ("ModernBert", "ForSequenceClassification", ["head.dense", "classifier"]),
    ],
)
def test_a_head_stays_as_it_is_and_is_named(family: str, kind: str, head: list[str]) -> None:
    model = model_of(family, kind)
    paths = paths_of(model)
    assert [path for path in matrices(model) if path not in paths] == head
    named = left_out(model, paths)
    tied = {path for path in head if f"{path}.weight" not in named}
    assert tied <= {"generator_lm_head", "predictions.decoder"}
    quantize_weights(model, 4)
    assert {path for path in head if is_parametrized(model.get_submodule(path), "weight")} == tied
    assert left_out(model, [*paths, *head]).keys() < named.keys()


def test_tied_weights_are_quantized_and_packed_once(tmp_path: Path) -> None:
    model = model_of("DistilBert", "ForMaskedLM")
    quantize_weights(model, 4, list(matrices(model)))
    assert model.vocab_projector.weight is not None
    table, decoder = model.distilbert.embeddings.word_embeddings, model.vocab_projector
    assert torch.equal(table.weight, decoder.weight)
    assert table.parametrizations.weight.original is decoder.parametrizations.weight.original
    assert len(decoder.parametrizations.weight) == 1
    save_packed(model, tmp_path / "small.safetensors")
    again = model_of("DistilBert", "ForMaskedLM")
    again.load_state_dict(read_packed(tmp_path / "small.safetensors"))
    assert torch.equal(answer(again), answer(model))


def test_matrices_that_no_linear_holds_are_counted_and_named() -> None:
    model = model_of("GPT2")
    elsewhere = sum(p.numel() for name, p in model.named_parameters() if p.dim() > 1 and "h." in name)
    says = f"{elsewhere:,} weights of this GPT2Model stay as they are, .*: h.0.attn.c_attn.weight, .*, ..."
    with pytest.warns(UserWarning, match=says) as told:
        quantize_weights(model, 8)
    assert len(told) == 1
    assert [path for path, part in matrices(model).items() if is_parametrized(part)] == ["wte", "wpe"]
    named = left_out(model, ["wte", "wpe"])
    assert {"h.0.attn.c_attn.weight", "h.1.mlp.c_fc.bias", "ln_f.weight"} < named.keys()
    assert sum(named.values()) == sum(p.numel() for p in model.parameters()) - 2 * 40 * 16
    counted = count_multiply_adds(model, lambda: answer(model))
    assert counted.linear == 3 * 7 * elsewhere and counted.attention == 2 * 2 * 3 * 7 * 7 * 16
    with (
        pytest.warns(UserWarning),
        pytest.raises(ValueError, match="no layers that are known"),
    ):
        add_masks(model)


def bare() -> nn.Module:
    model: Any = nn.Sequential(nn.Embedding(7, 8), nn.Linear(8, 8))
    model.matrix, model.shift = nn.Parameter(torch.ones(3, 8)), nn.Parameter(torch.ones(8))
    return model


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (bare, ["matrix"]),
        (lambda: nn.MultiheadAttention(8, 2), ["in_proj_weight"]),
        (lambda: nn.Sequential(nn.Embedding(7, 8), nn.LSTM(8, 4)), ["1.weight_ih_l0", "1.weight_hh_l0"]),
        (lambda: nn.Sequential(nn.Linear(8, 8), nn.Conv1d(8, 4, 3)), ["1.weight"]),
    ],
)
def test_bare_matrices_are_told_once_for_all_of_them(make: Callable[[], nn.Module], names: list[str]) -> None:
    model = make()
    with pytest.warns(UserWarning, match=f"no Linear or Embedding holds them: {', '.join(names)}") as warned:
        paths = paths_of(model)
    assert len(warned) == 1 and paths == list(matrices(model))
    assert set(names) < left_out(model, paths).keys()


def test_our_own_models_have_nothing_to_tell() -> None:
    sizes: dict[str, Any] = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    for kind, head in ((BertForSequenceClassification, "classifier"), (BertForMaskedLM, "cls")):
        model: Any = kind(BertConfig(vocab_size=40, intermediate_size=8, **sizes))
        add_adapter(model, "bert.encoder.layer.0.output", size=2)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            paths = paths_of(model)
        assert not any(path.startswith(head) or "adapter" in path for path in paths)
        assert "other" not in map(module_part, paths)
    assert paths_of(nn.Sequential(model)) == [f"0.{path}" for path in paths]


def together(**parts: nn.Module) -> nn.Module:
    return nn.ModuleDict(parts)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: model_of("XLMRoberta", "ForSequenceClassification"), "classifier.out_proj"),
        (lambda: model_of("Camembert", "ForSequenceClassification"), "classifier.out_proj"),
        (lambda: model_of("DistilBert", "ForSequenceClassification"), "classifier"),
        (lambda: together(out=nn.Linear(16, 2), text=nn.Sequential(BertModel(OURS))), "out"),
        (lambda: nn.Sequential(nn.Embedding(7, 8), nn.Linear(8, 8), nn.Linear(8, 2)), "2"),
    ],
)
def test_what_answers_is_the_last_linear_beside_the_encoder(
    make: Callable[[], nn.Module], expected: str
) -> None:
    assert answering(make()) == expected


@pytest.mark.parametrize(
    ("make", "stays", "says"),
    [
        (
            lambda: together(bert=model_of("Bert"), lstm=nn.LSTM(16, 8), out=nn.Linear(8, 2)),
            ["out"],
            "784 weights .*: lstm.weight_ih_l0, lstm.weight_hh_l0, out.weight.",
        ),
        (
            lambda: together(bert=BertModel(OURS), crf=nn.ParameterDict({"between": torch.zeros(5, 5)})),
            [],
            "25 weights of this ModuleDict stay as they are, .*: crf.between.",
        ),
        (
            lambda: nn.Sequential(together(auto_model=model_of("MPNet")), together(linear=nn.Linear(16, 8))),
            ["1.linear"],
            "128 weights of this Sequential stay as they are, .*: 1.linear.weight.",
        ),
        (lambda: together(question=BertModel(OURS), passage=model_of("DistilBert")), [], ""),
        (
            lambda: together(a=BertForSequenceClassification(OURS), b=model_of("Roberta", "ForMaskedLM")),
            ["a.classifier", "b.lm_head.decoder", "b.lm_head.dense"],
            "",
        ),
    ],
)
def test_what_stands_beside_encoders_stays_and_is_told(
    make: Callable[[], nn.Module], stays: list[str], says: str
) -> None:
    model = make()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        paths = paths_of(model)
    assert sorted(matrices(model).keys() - set(paths)) == stays
    assert re.fullmatch(says, "".join(str(warning.message) for warning in told))


@pytest.mark.parametrize(("other", "tells"), [("DistilBert", True), ("Electra", False)])
def test_one_of_two_encoders_that_calls_its_parts_otherwise_is_told(other: str, tells: bool) -> None:
    encoder = model_of(other)
    says = f"All {sum(weight.numel() for weight in encoder.parameters()):,} weights of passage in this "
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        paths_of(together(question=BertModel(OURS), passage=encoder), ["query"])
    assert [str(warning.message).startswith(says) for warning in told] == [True] * tells


@pytest.mark.parametrize("family", ["DistilBert", "Roberta", "Electra"])
def test_hidden_states_of_another_family_are_observed(family: str) -> None:
    model = model_of(family)
    batch = {"input_ids": IDS, "attention_mask": torch.ones_like(IDS)}
    seen = observe(model, batch, [HIDDEN])
    assert len(seen.hidden_states) == 3
    assert torch.equal(seen.hidden_states[-1], answer(model))
    if family == "DistilBert":  # whose parts are called otherwise
        with pytest.raises(ValueError, match="A DistilBertModel has no BERT inside"):
            observe(model, batch, [VALUE])
    else:
        assert len(observe(model, batch, [VALUE]).projected[VALUE]) == 2
