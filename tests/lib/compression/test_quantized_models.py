"""Whole models in a few bits: which tensors, what every quantizer keeps, whole numbers for real ones."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import WIDER, ours, prepare_q8bert, shaken, theirs
from torch import Tensor, nn
from torch.nn.utils.parametrize import is_parametrized

from lib.bert import BertForMaskedLM, BertForSequenceClassification
from lib.bert.adapters import add_adapter
from lib.bert.alterations import changes_of, factorize, parametrize, simplify
from lib.compression.packed import load_packed, save_packed
from lib.compression.parts import BERT_PARTS, by_layer, layer_of, module_part, paths_of
from lib.compression.quantizers.activations import MovingRange, quantize_activations
from lib.compression.quantizers.integers import (
    DynamicIntegerLinear,
    StaticIntegerLinear,
    in_integers,
    integer_matmul,
)
from lib.compression.quantizers.linear import quantize_symmetric
from lib.compression.quantizers.model import (
    QUANTIZERS,
    compute_weights,
    halve_rest,
    quantize_inputs,
    quantize_weights,
    quantized,
    remove_quantization,
)

IDS = torch.randint(53, (4, 9), generator=torch.Generator().manual_seed(0))
MASK = torch.ones(4, 9, dtype=torch.long)
MASK[1, 6:] = 0
LIBRARIES = ["ours", "theirs"]
QUERY = "bert.encoder.layer.0.attention.self.query"
MATRICES = [part for part in BERT_PARTS if "embeddings" not in part]


def model_of(library: str = "ours", kind: Any = BertForSequenceClassification) -> Any:
    """A model of either library with the same weights."""
    model = shaken(ours(kind, **WIDER), by=0.1)
    if library == "ours":
        return model
    other = theirs(**WIDER)
    other.load_state_dict(model.state_dict())
    return other


def logits(model: Any) -> Tensor:
    return model(IDS, attention_mask=MASK).logits


# --- which tensors --------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_part_of_a_bert_is_found_in_both_libraries(library: str) -> None:
    model = model_of(library)
    assert [len(paths_of(model, [part])) for part in BERT_PARTS] == [1, 1, 1, 2, 2, 2, 2, 2, 2, 1]
    assert list(by_layer(model)) == ["layer 0", "layer 1"]
    assert {len(paths) for paths in by_layer(model).values()} == {6}
    assert "classifier" not in paths_of(model) and paths_of(model, ["other"]) == ["classifier"]
    assert paths_of(model, ["query"], [0]) == [QUERY]
    assert len(paths_of(model)) == 16


def test_halves_of_a_matrix_belong_to_its_part_and_adapters_to_none() -> None:
    model = model_of()
    factorize(model, QUERY, rank=4)
    add_adapter(model, "bert.encoder.layer.0.output", size=2)
    assert paths_of(model, ["query"], [0]) == [f"{QUERY}.0", f"{QUERY}.1"]
    assert module_part("bert.encoder.layer.0.output.adapter.down") == "other"
    assert layer_of(QUERY) == 0 and layer_of("bert.pooler.dense") is None


def test_any_module_of_linears_and_embeddings_will_do() -> None:
    model = nn.Sequential(nn.Embedding(7, 8), nn.Linear(8, 3))
    assert paths_of(model, ["other"]) == ["0", "1"]
    quantize_weights(model, 4, ["0", "1"])
    assert len(model(torch.tensor([1, 2])).unique()) > 1
    assert paths_of(model) == ["0", "1"]
    with pytest.raises(ValueError, match="no Linear or Embedding there"):
        paths_of(model, ["query"])
    with pytest.raises(ValueError, match="no Linear or Embedding there"):
        paths_of(nn.Sequential(nn.ReLU()))
    with pytest.raises(ValueError, match="no part 'keys'"):
        paths_of(model, ["keys"])


# --- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_quantized_weights_are_codes_times_scales_and_leave_as_they_came(library: str) -> None:
    model = model_of(library)
    before, state = logits(model), {name: tensor.clone() for name, tensor in model.state_dict().items()}
    quantize_weights(model, 4)
    query = model.get_submodule(QUERY)
    codes, scale = quantize_symmetric(state[f"{QUERY}.weight"], 4)
    assert torch.equal(query.weight, scale * codes)
    assert not torch.equal(logits(model), before)
    remove_quantization(model)
    assert torch.equal(logits(model), before) and not changes_of(model)
    assert list(model.state_dict()) == list(state)


def test_a_look_that_ends_in_an_error_leaves_the_weights_as_they_were() -> None:
    model = model_of()
    before = logits(model)
    with pytest.raises(ValueError, match="53 rows cannot be cut"), quantized(model, 3, groups=4):
        pass
    with pytest.raises(KeyError), quantized(model, 3):
        raise KeyError
    assert torch.equal(logits(model), before)
    quantize_weights(model, 3)
    with pytest.raises(ValueError, match="is computed"), quantized(model, 3):
        pass


def test_different_parts_have_different_bits_and_none_is_quantized_twice() -> None:
    model = model_of()
    quantize_weights(model, 2, paths_of(model, ["query"]))
    with pytest.raises(ValueError, match="quantized already"):
        quantize_weights(model, 8)
    quantize_weights(model, 8, paths_of(model, ["key"]), groups=4, scheme="asymmetric")
    assert not is_parametrized(model.bert.embeddings.word_embeddings)
    layer = model.bert.encoder.layer[1].attention.self
    assert max(len(row.unique()) for row in layer.query.weight) <= 3
    assert len(layer.key.weight.unique()) > 100
    with pytest.raises(ValueError, match="name a Linear"):
        quantize_weights(model, 8, ["bert.embeddings.LayerNorm"])


def test_tied_tensors_are_quantized_together_and_stay_tied_afterwards() -> None:
    model = model_of(kind=BertForMaskedLM)
    words, decoder = model.bert.embeddings.word_embeddings, model.cls.predictions.decoder
    quantize_weights(model, 4, [*paths_of(model, ["word_embeddings"]), "cls.predictions.decoder"])
    assert is_parametrized(decoder) and torch.equal(words.weight, decoder.weight)
    remove_quantization(model)
    assert words.weight is decoder.weight


def test_a_low_rank_update_under_the_rounding_stays_when_the_rounding_goes() -> None:
    model = model_of()
    parametrize(model, QUERY, "LoRA", rank=2)
    quantize_weights(model, 4)
    remove_quantization(model)
    assert [change.arguments["kind"] for change in changes_of(model)] == ["LoRA"]
    assert len(model.get_submodule(f"{QUERY}.parametrizations.weight")) == 1


def test_the_rest_in_half_precision_is_what_no_bits_were_given_to() -> None:
    model = model_of()
    quantize_weights(model, 4, paths_of(model, ["query"]))
    halve_rest(model)
    for module in (model.classifier, model.bert.pooler.dense, model.bert.encoder.layer[1].output.LayerNorm):
        assert is_parametrized(module, "weight") and is_parametrized(module, "bias")
    assert len(model.get_submodule(f"{QUERY}.parametrizations.weight")) == 1
    half = model.classifier.weight
    assert half.dtype == torch.float32 and torch.equal(half, half.half().float())
    remove_quantization(model)
    assert torch.equal(logits(model), logits(model_of()))


def test_settled_weights_are_plain_and_answer_the_same() -> None:
    model = model_of()
    quantize_weights(model, 4)
    plain = copy.deepcopy(model)
    simplify(plain)
    assert torch.equal(logits(plain), logits(model)) and not changes_of(plain)


# --- what holds of every quantizer ----------------------------------------------------------------

#: by name, what each takes, and how many bits a weight has in a file
KINDS: dict[str, tuple[dict[str, Any], int]] = {
    "LinearQuantization": ({"bits": 4}, 4),
    "CodebookQuantization": ({"bits": 3}, 3),
    "QuantNoise": ({"rate": 0.5, "of": "LinearQuantization", "bits": 4}, 4),
    "TernaryQuantization": ({}, 2),
    "BinaryQuantization": ({}, 1),
    "BinarySum": ({}, 2),
}


def test_every_quantizer_is_held_to_the_contract() -> None:
    assert set(KINDS) == {kind.__name__ for kind in QUANTIZERS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_rounded_model_is_copied_kept_and_plain_again(kind: str, tmp_path: Path) -> None:
    options, bits = KINDS[kind]
    model, plain = model_of(), model_of()
    model.bert.encoder.layer[0].output.dense.weight.data[2, 3] = 5.0  # far out
    plain.load_state_dict(model.state_dict())
    compute_weights(model, kind, paths_of(model, MATRICES), **options)
    answer = logits(model)
    assert not torch.equal(answer, logits(plain))
    assert torch.equal(logits(copy.deepcopy(model)), answer)
    save_packed(model, tmp_path / "small")
    save_packed(plain, tmp_path / "whole")
    assert torch.equal(logits(load_packed(tmp_path / "small")), answer)
    saved = (tmp_path / "whole").stat().st_size - (tmp_path / "small").stat().st_size
    weights = 2 * (4 * 32 * 32 + 2 * 32 * 48) + 32 * 32
    assert abs((32 - bits) * weights / 8 - saved) < 8000  # scales, books, outliers, names
    model.save_pretrained(tmp_path / "folder")
    loaded = BertForSequenceClassification.from_pretrained(tmp_path / "folder").eval()
    assert torch.equal(logits(loaded), answer)
    with pytest.raises(ValueError, match="quantized already"):
        quantize_weights(model, 8)
    remove_quantization(model)
    assert changes_of(model) == ()
    for name, tensor in plain.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], tensor)  # of two latent weights the sum


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_gradient_passes_the_rounding_as_it_is(kind: str, library: str) -> None:
    model, grown = model_of(library), torch.randn(32, 32, generator=torch.Generator().manual_seed(0))
    compute_weights(model, kind, [QUERY], **KINDS[kind][0])
    (model.get_submodule(QUERY).weight * grown).sum().backward()
    latents = [weight for name, weight in model.named_parameters() if "original" in name]
    assert latents and all(torch.equal(latent.grad, grown) for latent in latents)


# --- activations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_inv_other_rows_matter_per_tensor_and_not_per_token_and_never_in_float32(library: str) -> None:
    @torch.no_grad()
    def moved(model: Any) -> float:
        """How far the answers to rows without padding depend on what else is in the batch."""
        alone = model(IDS[2:3], attention_mask=MASK[2:3]).logits
        return float((logits(model)[2:3] - alone).abs().max())

    model = model_of(library)
    assert moved(model) < 1e-5
    quantize_inputs(model, 5, per="token")
    assert moved(model) < 1e-5
    remove_quantization(model)
    quantize_inputs(model, 5, per="tensor")
    assert moved(model) > 1e-4
    with pytest.raises(ValueError, match="quantized already"):
        quantize_inputs(model, 8)
    remove_quantization(model)
    assert torch.equal(logits(model), logits(model_of(library)))


@pytest.mark.parametrize("library", LIBRARIES)
def test_q8bert_has_one_range_a_matrix_and_ranges_of_inputs_and_outputs(library: str) -> None:
    model = model_of(library)
    prepare_q8bert(model, decay=0.9)
    ranges = [module for module in model.modules() if isinstance(module, MovingRange)]
    assert len(ranges) == 2 * 13  # six Linears in each of two layers, and the pooler
    with pytest.raises(ValueError, match="has seen no batch"):
        logits(model)
    model.train()
    model(IDS, attention_mask=MASK, labels=torch.tensor([0, 1, 1, 0])).loss.backward()
    model.eval()
    before = [moving.threshold.clone() for moving in ranges]
    answer = logits(model)
    assert all(torch.equal(moving.threshold, old) for moving, old in zip(ranges, before, strict=True))
    assert torch.equal(logits(model), answer)
    for path in paths_of(model):
        assert len(model.get_submodule(path).weight.unique()) <= 255
    latent = model.get_submodule(f"{QUERY}.parametrizations.weight").original
    assert latent.grad is not None and latent.grad.abs().sum() > 0


# --- whole numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "inputs", "outputs"), [(1, 384, 64), (9, 33, 7), (40, 64, 64), (0, 8, 8)])
def test_inv_sums_of_codes_are_those_in_64_bits(rows: int, inputs: int, outputs: int) -> None:
    generator = torch.Generator().manual_seed(rows)
    a = torch.randint(-128, 128, (rows, inputs), dtype=torch.int8, generator=generator)
    b = torch.randint(-128, 128, (outputs, inputs), dtype=torch.int8, generator=generator)
    sums = integer_matmul(a, b)
    assert sums.dtype == torch.int32 and torch.equal(sums.long(), a.long() @ b.long().T)


def test_sums_do_not_saturate_and_other_kernels_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = torch.full((20, 4096), 127, dtype=torch.int8), torch.full((8, 4096), -128, dtype=torch.int8)
    for takes in (True, False):
        monkeypatch.setattr(
            "lib.compression.quantizers.integers._int_mm_takes", lambda *_, answer=takes: answer
        )
        assert (integer_matmul(a, b) == -127 * 128 * 4096).all()


def test_what_is_no_code_and_sums_that_do_not_fit_are_refused() -> None:
    code = torch.zeros(2, 3, dtype=torch.int8)
    for a, b in ((code.float(), code), (code, code[:, :2]), (code[0], code)):
        with pytest.raises(ValueError, match="give int8"):
            integer_matmul(a, b)
    many = torch.zeros(1, 2**17, dtype=torch.int8)
    with pytest.raises(ValueError, match="32 bits"):
        integer_matmul(many, many)


def see_a_batch(model: Any) -> None:
    """Its moving ranges are those of this batch; without dropout."""
    for module in model.modules():
        if isinstance(module, MovingRange):
            module.train()
    logits(model)
    model.eval()


def static(model: Any) -> None:
    """Q8BERT's ranges, and weights with a range for each row."""
    quantize_weights(model, 8, groups=None)
    for path in paths_of(model, MATRICES):
        quantize_activations(model, path, "input", "MovingRange", bits=8, decay=0.9)
    see_a_batch(model)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("groups", [1, 4, None])
def test_inv_static_integers_differ_from_fake_ones_by_half_a_step_of_the_bias(bits: int, groups: Any) -> None:
    torch.manual_seed(bits)
    model = nn.Sequential(nn.Linear(64, 32)).double()
    quantize_weights(model, bits, ["0"], groups)
    linear: Any = model[0]
    quantize_activations(model, "0", "input", "MovingRange", bits=bits)
    model.train()(torch.randn(20, 64).double())
    fake, exact = model.eval(), in_integers(model)
    x = 2 * torch.randn(3, 5, 64).double()  # some of it is clipped
    whole: Any = exact[0]  # type: ignore[index]
    assert isinstance(whole, StaticIntegerLinear) and whole.bias.dtype == torch.int32
    difference = (exact(x) - fake(x)).abs()
    assert (difference <= 0.5 * whole.scale + 1e-10).all() and difference.max() > 0
    without_bias = fake(x) - linear.bias
    torch.testing.assert_close(exact(x) - whole.scale * whole.bias, without_bias, rtol=0, atol=1e-12)


@pytest.mark.parametrize("per", ["token", "tensor"])
@pytest.mark.parametrize("groups", [1, 4, None])
def test_inv_dynamic_integers_are_the_fake_ones_to_rounding(per: Any, groups: Any) -> None:
    torch.manual_seed(0)
    for dtype, tolerance in ((torch.float64, 1e-12), (torch.float32, 1e-5)):
        model = nn.Sequential(nn.Linear(64, 32, bias=per == "token")).to(dtype)
        quantize_weights(model, 8, ["0"], groups)
        quantize_inputs(model, 8, ["0"], per)
        exact = in_integers(model)
        x = torch.randn(3, 5, 64, dtype=dtype)
        assert isinstance(exact.get_submodule("0"), DynamicIntegerLinear)
        torch.testing.assert_close(exact(x), model(x), rtol=0, atol=tolerance)


# Where scales are powers of two, float32 has all products of codes and their sums exactly, in any order.


Prepare = Callable[[Any], None]


def dynamic(model: Any) -> None:
    quantize_weights(model, 8)
    quantize_inputs(model, 8, per="token")


def like_q8bert(model: Any) -> None:
    prepare_q8bert(model, decay=0.9)
    see_a_batch(model)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("prepare", [dynamic, static, like_q8bert], ids=lambda f: f.__name__)
def test_a_whole_model_in_integers_answers_as_the_fake_one(library: str, prepare: Prepare) -> None:
    model = model_of(library)
    prepare(model)
    exact: Any = in_integers(model)
    kinds = (DynamicIntegerLinear, StaticIntegerLinear)
    assert sum(isinstance(module, kinds) for module in exact.modules()) == 13
    assert not any(is_parametrized(module) for module in exact.modules())
    fake, full = logits(model), logits(model_of(library))
    assert 1e-4 < (fake - full).abs().max() < 0.2
    # a bias that is rounded may tip a code of the next layer, by one step of eight bits
    assert (logits(exact) - fake).abs().max() < (1e-5 if prepare is dynamic else 0.02)
    assert is_parametrized(model.get_submodule(QUERY))  # the original is left as it was


def test_a_model_without_codes_on_both_sides_has_no_integers() -> None:
    model = model_of()
    quantize_weights(model, 8)
    with pytest.raises(ValueError, match="No Linear has symmetric codes"):
        in_integers(model)
    quantize_inputs(model, 8, scheme="asymmetric")
    with pytest.raises(ValueError, match="No Linear has symmetric codes"):
        in_integers(model)


def test_a_bias_that_does_not_fit_beside_a_tiny_row_is_refused() -> None:
    model: Any = nn.Sequential(nn.Linear(8, 2))
    with torch.no_grad():
        model[0].weight[1] = 1e-12
        model[0].bias.fill_(1.0)
    quantize_weights(model, 8, ["0"])
    quantize_activations(model, "0", "input", "MovingRange")
    model.train()(torch.ones(1, 8))
    with pytest.raises(ValueError, match="does not fit into 32 bits"):
        in_integers(model)
    remove_quantization(model)
    quantize_weights(model, 8, ["0"], groups=1)
    quantize_activations(model, "0", "input", "MovingRange")
    model.train()(torch.ones(1, 8))
    assert (in_integers(model)(torch.ones(1, 8)) - model.eval()(torch.ones(1, 8))).abs().max() < 1e-3
