"""Models changed by hand: saved with the list of what was done, loaded again to the bit, or refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.utils import parametrize as torch_parametrize

from lib.analysis.attention.head_ablation import heads_off
from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel, hooks
from lib.bert.adapters import add_adapter
from lib.bert.alterations import (
    Change,
    alteration,
    factorize,
    module_at,
    parametrization,
    parametrize,
    prune_heads,
    prune_neurons,
    share_layers,
    simplify,
)
from lib.bert.encoder import Encoder, EncoderLayer, PreLNLayer
from lib.bert.prompts import add_prefix, add_prompt

CONFIG = BertConfig(53, 24, 3, 4, 40, max_position_embeddings=20)
IDS = torch.randint(53, (2, 9), generator=torch.Generator().manual_seed(0))
QUERY = "bert.encoder.layer.1.attention.self.query"


@pytest.fixture
def model() -> BertForMaskedLM:
    return model_of(BertForMaskedLM)


def model_of(kind: Any) -> Any:
    torch.manual_seed(0)
    made = kind(CONFIG).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return made


@parametrization
class Rounded(nn.Module):
    """Steps of a learned size: a parameter without dimensions, and a count that is no float."""

    def __init__(self, tensor: Tensor, bits: int):
        super().__init__()
        self.step = nn.Parameter(tensor.detach().abs().max() / 2 ** (bits - 1))
        self.register_buffer("bits", torch.tensor(bits))

    def forward(self, tensor: Tensor) -> Tensor:
        return (tensor / self.step).round() * self.step


Alter = Callable[[Any], None]
KINDS: dict[str, Alter] = {
    "heads": lambda m: prune_heads(m, "bert.encoder.layer.1.attention", [0, 2]),
    "neurons": lambda m: prune_neurons(m, "bert.encoder.layer.0", list(range(0, 40, 3))),
    "factorized": lambda m: factorize(m, "bert.encoder.layer.2.output.dense", rank=5),
    "one layer": lambda m: share_layers(m, "bert.encoder", [1, 1, 1]),
    "fewer layers": lambda m: share_layers(m, "bert.encoder", [0, 2]),
    "an adapter": lambda m: add_adapter(m, "bert.encoder.layer.0.attention.output", size=4),
    "low rank": lambda m: parametrize(m, QUERY, "LoRA", rank=2),
    "a prefix": lambda m: add_prefix(m, "bert.encoder.layer.1.attention.self", size=3),
    "a prompt": lambda m: add_prompt(m, "bert", size=2),
    "rounded": lambda m: parametrize(m, "bert.embeddings.word_embeddings", "Rounded", bits=4),
    "a bias": lambda m: parametrize(m, QUERY, "Rounded", "bias", bits=3),
}


def altered(model: Any, *names: str) -> Any:
    for name in names:
        KINDS[name](model)
    with torch.no_grad():
        for parameter in model.parameters():  # as training would, so that a start at 0 shows nothing
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.mark.parametrize(
    "names",
    [[name] for name in KINDS]
    + [["heads", "neurons", "low rank", "a bias", "a prefix", "a prompt", "rounded", "fewer layers"]]
    + [["an adapter", "a prefix", "a prompt", "low rank"]]
    + [["one layer", "factorized", "rounded"]],
)
def test_an_altered_model_is_loaded_to_the_bit(model, tmp_path: Path, names: list[str]) -> None:
    altered(model, *names).save_pretrained(tmp_path)
    again = BertForMaskedLM.from_pretrained(tmp_path)
    assert again.changes == model.changes and len(again.changes) == len(names)
    assert again.state_dict().keys() == model.state_dict().keys() and not again.newly_initialized
    for name, tensor in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor), name
    assert torch.equal(again(IDS).logits, model(IDS).logits)
    again.save_pretrained(tmp_path / "again")
    there, here = ((folder / "model.safetensors").read_bytes() for folder in (tmp_path, tmp_path / "again"))
    assert there == here


def test_its_encoder_goes_into_other_models(model, tmp_path: Path) -> None:
    parametrize(model, "cls.predictions.transform.dense", "LoRA", rank=2)
    altered(model, "heads", "low rank", "a prompt", "one layer").save_pretrained(tmp_path / "masked")
    encoder = BertModel.from_pretrained(tmp_path / "masked")
    paths = [change.path for change in encoder.changes]
    assert paths == ["encoder.layer.1.attention", QUERY.removeprefix("bert."), "", "encoder"]
    assert torch.equal(encoder(IDS).last_hidden_state, model.bert(IDS).last_hidden_state)
    encoder.save_pretrained(tmp_path / "bare")
    classifier = BertForSequenceClassification.from_pretrained(tmp_path / "bare")
    assert [change.path for change in classifier.changes][1:] == [QUERY, "bert", "bert.encoder"]
    assert all(name.startswith("classifier.") for name in classifier.newly_initialized)
    assert torch.equal(classifier.bert(IDS).last_hidden_state, encoder(IDS).last_hidden_state)


def test_a_folder_says_that_its_model_is_altered(model, tmp_path: Path) -> None:
    altered(model, "heads").save_pretrained(tmp_path)
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        noted = json.loads(file.metadata()["changes"])
    assert noted == [
        {"name": "prune_heads", "path": "bert.encoder.layer.1.attention", "arguments": {"heads": [0, 2]}}
    ]
    with pytest.raises(ValueError, match="altered-bert"):
        transformers.AutoModel.from_pretrained(tmp_path)
    BertForMaskedLM(CONFIG).save_pretrained(tmp_path)  # a plain one over it
    assert BertForMaskedLM.from_pretrained(tmp_path).changes == ()
    transformers.BertForMaskedLM.from_pretrained(tmp_path)


def test_what_can_be_made_permanent_is_a_plain_bert(model, tmp_path: Path) -> None:
    for layer in range(3):
        prune_neurons(model, f"bert.encoder.layer.{layer}", [layer, 7, 30])
    altered(model, "low rank", "a bias", "rounded")
    before = model(IDS).logits
    simplify(model)
    assert model.changes == () and model.config.intermediate_size == 37
    torch.testing.assert_close(model(IDS).logits, before)
    model.save_pretrained(tmp_path)
    library, report = transformers.BertForMaskedLM.from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"] and not report["unexpected_keys"]
    torch.testing.assert_close(library(IDS).logits, before, atol=1e-5, rtol=1e-5)
    assert CONFIG.intermediate_size == 40  # a config that another model may have
    uneven = altered(model_of(BertForMaskedLM), "heads", "neurons", "a bias")
    simplify(uneven)
    assert [change.name for change in uneven.changes] == ["prune_heads", "prune_neurons"]


# --- the kinds ------------------------------------------------------------------------------------


def test_heads_removed_are_heads_switched_off(model) -> None:
    with heads_off(model.bert, [(1, 0), (1, 2)]):
        off = model(IDS).logits
    before = sum(p.numel() for p in model.parameters())
    prune_heads(model, "bert.encoder.layer.1.attention", [2, 0])
    torch.testing.assert_close(model(IDS).logits, off)
    assert before - sum(p.numel() for p in model.parameters()) == 2 * (4 * 24 * 6 + 3 * 6)
    maps = model(IDS, output_attentions=True).attentions
    assert [weights.size(1) for weights in maps] == [4, 2, 4]
    prune_heads(model, "bert.encoder.layer.1.attention", [1])  # of the two that are left


def test_neurons_removed_are_silent_neurons(model) -> None:
    gone = [3, 5, 39]
    layer = model.bert.encoder.layer[0]
    kept = torch.ones(40).index_fill(0, torch.tensor(gone), 0.0)
    with hooks.hooked([layer.intermediate], after=lambda _module, _inputs, output: output * kept):
        silent = model(IDS).logits
    prune_neurons(model, "bert.encoder.layer.0", gone)
    assert (layer.intermediate.dense.out_features, layer.output.dense.in_features) == (37, 37)
    torch.testing.assert_close(model(IDS).logits, silent)


def test_two_factors_are_the_best_of_their_rank(model) -> None:
    linear = model.bert.encoder.layer[0].intermediate.dense
    weight, hidden = linear.weight.detach(), torch.randn(5, 24)
    factorize(model, "bert.encoder.layer.0.intermediate.dense", 6)
    first, second = model.bert.encoder.layer[0].intermediate.dense
    left_out = torch.linalg.svdvals(weight)[6:]
    torch.testing.assert_close((second.weight @ first.weight - weight).norm(), left_out.norm())
    assert first.weight.numel() + second.weight.numel() == 6 * (24 + 40)
    whole = nn.Sequential(linear)
    factorize(whole, "0", 24)
    torch.testing.assert_close(whole(hidden), linear(hidden), atol=1e-5, rtol=1e-5)


def test_shared_layers_are_stored_once(model, tmp_path: Path) -> None:
    share_layers(model, "bert.encoder", [1] * 5)
    model.save_pretrained(tmp_path)
    assert not [name for name in load_file(tmp_path / "model.safetensors") if ".layer.1." in name]
    again = BertForMaskedLM.from_pretrained(tmp_path)
    assert len(set(again.bert.encoder.layer)) == 1 and len(again.bert.encoder.layer) == 5
    assert len(again(IDS, output_attentions=True).attentions) == 5


def test_an_alteration_follows_the_mode_of_its_model(model) -> None:
    altered(model, "low rank", "an adapter", "factorized")
    assert not any(module.training for module in model.modules())


# --- a kind of one's own --------------------------------------------------------------------------


@alteration
def norms_first(model: nn.Module, path: str) -> None:
    """Pre-LN layers with the same weights, and a norm at the end of the last."""
    encoder = module_at(model, path, Encoder)
    for number, old in enumerate(encoder.layer):
        encoder.layer[number] = PreLNLayer(CONFIG).train(old.training)
        encoder.layer[number].load_state_dict(old.state_dict(), assign=True)
    encoder.layer.append(NormOnly())


class NormOnly(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(24)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        return self.norm(hidden)


def test_a_kind_of_ones_own_is_saved_like_any_other(model, tmp_path: Path, monkeypatch) -> None:
    plain = model(IDS).logits
    norms_first(model, "bert.encoder")
    assert not torch.allclose(model(IDS).logits, plain, atol=0.1)
    model.save_pretrained(tmp_path)
    assert torch.equal(BertForMaskedLM.from_pretrained(tmp_path)(IDS).logits, model(IDS).logits)
    monkeypatch.delitem(alteration.__globals__["_alterations"], "norms_first")
    with pytest.raises(ValueError, match="Nothing has registered 'norms_first'"):
        BertForMaskedLM.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("noted", "says"),
    [
        ("[", "list of changes in .* is damaged"),
        ('[{"name": "factorize"}]', "list of changes in .* is damaged"),
        ('[{"name": "factorize", "path": "bert.pooler", "arguments": {"size": 2}}]', "does not take"),
        ('[{"name": "unheard_of", "path": "", "arguments": {}}]', "Nothing has registered 'unheard_of'"),
        ("[]", r"lacks the tensor bert\.encoder"),
    ],
)
def test_a_list_of_changes_that_does_not_fit(model, tmp_path: Path, noted: str, says: str) -> None:
    altered(model, "low rank").save_pretrained(tmp_path)
    weights = tmp_path / "model.safetensors"
    save_file(load_file(weights), weights, metadata={"changes": noted})
    with pytest.raises(ValueError, match=says) as error:
        BertForMaskedLM.from_pretrained(tmp_path)
    assert "\n" not in str(error.value)


def test_a_name_stands_for_one_kind() -> None:
    with pytest.raises(ValueError, match="has registered the name norms_first: choose another"):

        @alteration
        def norms_first(model: nn.Module, path: str) -> None: ...

    with pytest.raises(ValueError, match="has registered the name LoRA"):
        parametrization(type("LoRA", (nn.Module,), {}))


def test_a_tied_tensor_is_computed_once_for_all(model) -> None:
    embeddings, decoder = model.bert.embeddings.word_embeddings, model.cls.predictions.decoder
    parametrize(model, "bert.embeddings.word_embeddings", "LoRA", rank=2)
    with torch.no_grad():
        embeddings.parametrizations.weight[0].b.normal_()
    assert torch.equal(embeddings.weight, decoder.weight)
    before = embeddings.weight.detach().clone()
    simplify(model)
    assert embeddings.weight is decoder.weight and torch.equal(embeddings.weight, before)


def test_a_change_that_is_in_no_list_is_not_saved(model, tmp_path: Path) -> None:
    def squeezed(model: Any) -> None:
        model.bert.encoder.layer[0].intermediate.dense = nn.Linear(24, 7)

    def of_another_kind(model: Any) -> None:
        model.bert.encoder.layer[0] = PreLNLayer(CONFIG)

    def computed(model: Any) -> None:
        query = model.get_submodule(QUERY)
        torch_parametrize.register_parametrization(query, "weight", nn.Identity())

    for change in (squeezed, of_another_kind, computed):
        changed = model_of(BertForMaskedLM)
        change(changed)
        with pytest.raises(ValueError, match=r"could not be loaded again: change it by lib\.bert"):
            changed.save_pretrained(tmp_path)
    assert not list(tmp_path.iterdir())


HERE = "bert.encoder.layer.0"


@pytest.mark.parametrize(
    ("alter", "path", "arguments", "says"),
    [
        (prune_heads, "bert.encoder.layer.7.attention", {"heads": [0]}, "has no module bert.encoder.layer.7"),
        (prune_heads, HERE, {"heads": [0]}, "name a module of type Attention"),
        (prune_heads, f"{HERE}.attention", {"heads": [4]}, "There are 4 heads in bert"),
        (prune_heads, f"{HERE}.attention", {"heads": [0, 1, 2, 3]}, "leave one"),
        (prune_heads, f"{HERE}.attention", {"heads": torch.tensor([1])}, "no list of changes can hold"),
        (prune_neurons, HERE, {"neurons": [-1]}, "There are 40 neurons"),
        (factorize, QUERY, {"rank": 25}, "give one from 1 to 24"),
        (share_layers, "bert.encoder", {"layers": [3]}, "give numbers from 0 to 2"),
        (parametrize, QUERY, {"kind": "Lora", "rank": 2}, "Nothing has registered 'Lora'"),
        (parametrize, QUERY, {"kind": "LoRA", "rank": 0}, "A rank of 0"),
        (parametrize, "bert.encoder", {"kind": "LoRA", "rank": 1}, "has no tensor weight"),
    ],
)
def test_a_wrong_alteration_is_a_sentence_and_changes_nothing(
    model, alter: Any, path: str, arguments: Any, says: str
) -> None:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(ValueError, match=says) as error:
        alter(model, path, **arguments)
    assert "\n" not in str(error.value) and model.changes == ()
    assert model.state_dict().keys() == before.keys()
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_shapes_are_changed_before_weights_are_computed(model) -> None:
    altered(model, "low rank")
    with pytest.raises(ValueError, match="change its shape before you parametrize it"):
        prune_heads(model, "bert.encoder.layer.1.attention", [0])
    assert [*model.changes] == [Change("parametrize", QUERY, {"kind": "LoRA", "rank": 2})]


# --- layers from a factory, hooks -----------------------------------------------------------------


def test_layers_come_from_a_factory() -> None:
    torch.manual_seed(0)
    made: list[nn.Module] = []

    def every_second(config: BertConfig) -> nn.Module:
        made.append((PreLNLayer if len(made) % 2 else EncoderLayer)(config))
        return made[-1]

    model = BertModel(CONFIG, layer=every_second).eval()
    assert [type(layer) for layer in model.encoder.layer] == [EncoderLayer, PreLNLayer, EncoderLayer]
    assert len(model(IDS, output_hidden_states=True).hidden_states) == 4
    assert {type(layer) for layer in Encoder(CONFIG, PreLNLayer).layer} == {PreLNLayer}


def test_outputs_are_captured_inside_the_context_alone(model) -> None:
    layers = model.bert.encoder.layer
    with hooks.capture(layers[:2]) as outer, hooks.capture([layers[0]]) as inner:
        states = model(IDS, output_hidden_states=True).hidden_states
    model(IDS)
    assert len(outer) == 2 and len(inner) == 1
    assert torch.equal(outer[1], states[2]) and torch.equal(inner[0], states[1])


def test_a_forward_is_replaced_and_comes_back(model) -> None:
    before = model(IDS).logits
    half = model.bert.encoder.layer[1].intermediate
    with hooks.replace_forward(half, lambda hidden: torch.zeros(*hidden.shape[:2], 40)):
        zeros = model(IDS).logits
        with hooks.replace_forward(half, lambda hidden: torch.ones(*hidden.shape[:2], 40)):
            assert not torch.equal(model(IDS).logits, zeros)
        assert torch.equal(model(IDS).logits, zeros)
    assert torch.equal(model(IDS).logits, before)


def test_what_breaks_off_inside_leaves_nothing_behind(model) -> None:
    def wrong(*_: object) -> None:
        raise RuntimeError

    for context in (
        hooks.hooked(model.modules(), before=wrong),
        hooks.hooked([model.bert.embeddings, model.cls], after=wrong),
        hooks.capture(model.modules()),
        hooks.replace_forward(model.bert.embeddings, wrong),
    ):
        with pytest.raises(RuntimeError), context:
            model(IDS)
            raise RuntimeError
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())
    assert not any("forward" in vars(module) for module in model.modules())
