"""Packed models: one file, small, and the same answers to the bit; other files are refused."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from tiny_berts import WIDER, ours, prepare_q8bert, shaken, theirs
from torch import Tensor, nn
from torch.nn.utils import parametrize as torch_parametrize

from lib import root
from lib.bert import (
    BertForMaskedLM,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertModel,
)
from lib.bert.adapters import add_adapter
from lib.bert.alterations import (
    factorize,
    parametrization,
    parametrize,
    prune_heads,
    prune_neurons,
    share_layers,
)  # fmt: skip
from lib.compression.encodings import Encoded, decode, decodes
from lib.compression.packed import load_packed, read_packed, save_packed
from lib.compression.parts import paths_of
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.pruning.width import remove_width
from lib.compression.quantizers.fake import LinearQuantization
from lib.compression.quantizers.integers import in_integers
from lib.compression.quantizers.model import halve_rest, quantize_inputs, quantize_weights
from lib.compression.quantizers.packing import pack_bits

IDS = torch.randint(53, (2, 9), generator=torch.Generator().manual_seed(0))
QUERY = "bert.encoder.layer.0.attention.self.query"


def model_of(kind: Any = BertForSequenceClassification) -> Any:
    return shaken(ours(kind, **WIDER, id2label={0: "no", 1: "yes", 2: "well"}), by=0.1)


def answer(model: Any) -> Tensor:
    output = model(IDS)
    names = ("logits", "start_logits", "prediction_logits", "pooler_output")
    found = next(getattr(output, name) for name in names if hasattr(output, name))
    assert isinstance(found, Tensor)
    return found


def metadata(path: Path) -> dict[str, str]:
    with safe_open(path, framework="pt") as file:
        return dict(file.metadata())


Change = Callable[[Any], None]


def three_bits(model: Any) -> None:
    quantize_weights(model, 3)
    halve_rest(model)


def mixed(model: Any) -> None:
    quantize_weights(model, 4, paths_of(model, ["word_embeddings"]), groups=1, scheme="asymmetric")
    quantize_weights(model, 2, paths_of(model, ["query", "key"]), groups=4)
    quantize_weights(model, 7, paths_of(model, ["pooler"]))


def smaller_and_rounded(model: Any) -> None:
    prune_heads(model, "bert.encoder.layer.0.attention", heads=[1])
    prune_neurons(model, "bert.encoder.layer.1", neurons=[0, 5])
    factorize(model, "bert.encoder.layer.1.intermediate.dense", rank=6)
    quantize_weights(model, 5)


def shared(model: Any) -> None:
    share_layers(model, "bert.encoder", [1, 1, 0])
    quantize_weights(model, 4)


def learned_q8bert(model: Any) -> None:
    prepare_q8bert(model, decay=0.9)
    model.train()
    model(IDS)
    model.eval()


def updated(model: Any) -> None:
    add_adapter(model, "bert.encoder.layer.0.output", size=3)
    nn.init.normal_(model.bert.encoder.layer[0].output.adapter.up.weight)
    for path in (QUERY, QUERY.replace("query", "value")):
        parametrize(model, path, "LoRA", rank=2)
        nn.init.normal_(model.get_submodule(f"{path}.parametrizations.weight.0").b)
    quantize_weights(model, 4, [QUERY])


CHANGES: list[Change] = [
    lambda model: None,
    three_bits,
    mixed,
    smaller_and_rounded,
    shared,
    learned_q8bert,
    updated,
    lambda model: quantize_inputs(model, 6, per="tensor"),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_loaded_model_answers_as_the_one_that_was_saved_to_the_bit(change: Change, tmp_path: Path) -> None:
    model = model_of()
    change(model)
    before = copy.deepcopy(model.state_dict())
    save_packed(model, tmp_path / "model.safetensors")
    loaded = load_packed(tmp_path / "model.safetensors")
    assert type(loaded) is BertForSequenceClassification and not loaded.training
    assert torch.equal(answer(loaded), answer(model))
    assert loaded.config == model.config and all(part.requires_grad for part in loaded.parameters())
    assert not any(torch_parametrize.is_parametrized(module) for module in loaded.modules())
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


@pytest.mark.parametrize(
    "kind",
    [BertModel, BertForMaskedLM, BertForPreTraining, BertForQuestionAnswering],
    ids=lambda k: k.__name__,
)
def test_every_class_comes_back_and_what_was_tied_is_stored_once(kind: Any, tmp_path: Path) -> None:
    model, path = model_of(kind), tmp_path / "model.safetensors"
    quantize_weights(model, 4)
    halve_rest(model)
    save_packed(model, path)
    loaded: Any = load_packed(path)
    assert type(loaded) is kind and torch.equal(answer(loaded), answer(model))
    names = [name for name in load_file(path) if name.endswith(".codes") and "word_embeddings" in name]
    assert len(names) == 1 and not any("decoder.weight" in name for name in load_file(path))
    if hasattr(loaded, "cls"):
        assert loaded.cls.predictions.decoder.weight is loaded.bert.embeddings.word_embeddings.weight
        assert loaded.cls.predictions.bias is loaded.cls.predictions.decoder.bias


def test_a_quantized_model_in_training_is_saved_in_the_usual_folder_with_its_latent_weights(
    tmp_path: Path,
) -> None:
    model = model_of()
    learned_q8bert(model)
    model.save_pretrained(tmp_path)
    loaded = BertForSequenceClassification.from_pretrained(tmp_path)
    assert torch.equal(answer(loaded), answer(model))
    assert list(loaded.state_dict()) == list(model.state_dict())


@pytest.mark.parametrize("bits", [2, 3, 8])
def test_inv_so_many_bits_a_weight_are_in_the_file_and_scales_and_a_head(bits: int, tmp_path: Path) -> None:
    model, path = model_of(), tmp_path / "model.safetensors"
    quantize_weights(model, bits)
    save_packed(model, path)
    chosen = [model.get_submodule(module).weight for module in paths_of(model)]
    rest = sum(p.numel() for p in model.parameters()) - sum(weight.numel() for weight in chosen)
    tensors = load_file(path)
    codes = sum(tensor.numel() for name, tensor in tensors.items() if name.endswith(".codes"))
    assert codes == sum(-(-weight.numel() * bits // 8) for weight in chosen)
    held = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    assert held == codes + 4 * sum(len(weight) for weight in chosen) + 4 * rest
    head = int.from_bytes(path.read_bytes()[:8], "little")
    assert path.stat().st_size == 8 + head + held
    assert head < 350 * len(tensors)


def test_half_precision_halves_the_file(tmp_path: Path) -> None:
    sizes = []
    for halve in (False, True):
        model, path = model_of(), tmp_path / f"{halve}.safetensors"
        if halve:
            halve_rest(model)
        save_packed(model, path)
        sizes.append(sum(t.numel() * t.element_size() for t in load_file(path).values()))
    assert sizes[0] == 2 * sizes[1] == 4 * sum(p.numel() for p in model.parameters())


def test_the_same_model_gives_the_same_bytes_and_latent_weights_are_left_out(tmp_path: Path) -> None:
    model = model_of()
    mixed(model)
    for name in "ab":
        save_packed(model, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert not any("original" in name for name in load_file(tmp_path / "a"))
    with torch.no_grad():
        model.get_submodule(f"{QUERY}.parametrizations.weight").original.mul_(1 + 1e-4)
    save_packed(model, tmp_path / "c")  # codes are the same, scales are not
    differ = [
        name
        for name, tensor in load_file(tmp_path / "a").items()
        if not torch.equal(tensor, load_file(tmp_path / "c")[name])
    ]
    assert f"{QUERY}.weight.scale" in differ and len(differ) <= 2


def test_a_model_of_another_library_is_read_into_one_built_the_same(tmp_path: Path) -> None:
    model, path = theirs(**WIDER), tmp_path / "model.safetensors"
    quantize_weights(model, 4)
    save_packed(model, path)
    with pytest.raises(ValueError, match="of another library"):
        load_packed(path)
    other = theirs(seed=1, **WIDER)
    other.load_state_dict(read_packed(path))
    assert torch.equal(other(IDS).logits, model(IDS).logits)
    plain = nn.Sequential(nn.Linear(4, 2))
    quantize_weights(plain, 8, ["0"])
    save_packed(plain, path)
    linear: Any = plain[0]
    assert torch.equal(read_packed(path)["0.weight"], linear.weight)
    assert torch.equal(read_packed(path)["0.bias"], linear.bias)


# --- an encoding of one's own ---------------------------------------------------------------------


@parametrization
class SignOnly(nn.Module):
    """A stand-in for what other packages add: one bit a weight and one scale."""

    def __init__(self, tensor: Tensor):
        super().__init__()

    def forward(self, tensor: Tensor) -> Tensor:
        return tensor.abs().mean() * torch.where(tensor < 0, -1.0, 1.0)

    def encode(self, tensor: Tensor) -> Encoded:
        signs = pack_bits((tensor >= 0).flatten().to(torch.uint8), 1)
        return Encoded("signs", {"signs": signs, "mean": tensor.abs().mean()}, {"shape": list(tensor.shape)})


@decodes("signs")
def decode_signs(parts: dict[str, Tensor], *, shape: list[int]) -> Tensor:
    bits = torch.stack([parts["signs"] >> place & 1 for place in range(8)], dim=1).flatten()
    return parts["mean"] * torch.where(bits[: shape[0] * shape[1]].view(shape) == 0, -1.0, 1.0)


def test_another_package_adds_an_encoding(tmp_path: Path) -> None:
    model = model_of()
    parametrize(model, QUERY, "SignOnly")
    save_packed(model, tmp_path / "model.safetensors")
    assert torch.equal(answer(load_packed(tmp_path / "model.safetensors")), answer(model))
    assert len(load_file(tmp_path / "model.safetensors")[f"{QUERY}.weight.signs"]) == 32 * 32 // 8


def test_a_process_that_has_only_read_the_file_knows_every_alteration_and_encoding(tmp_path: Path) -> None:
    model, path = model_of(), tmp_path / "model.safetensors"
    remove_width(model, [0, 5])
    add_masks(model)
    prune(model, 0.9)  # zeros that take no room
    save_packed(model, path)
    asked = (
        "import sys; from lib.compression.packed import load_packed;"
        "print(tuple(load_packed(sys.argv[1]).bert.embeddings.word_embeddings.weight.shape))"
    )
    run = subprocess.run([sys.executable, "-c", asked, path], capture_output=True, text=True, cwd=root)
    assert run.stdout.strip() == "(53, 30)", run.stderr


LOAD_A_FOLDER = """
import sys
from lib.bert import BertForSequenceClassification
try:
    BertForSequenceClassification.from_pretrained(sys.argv[1])
except ValueError as error:
    assert "'prune_width', which is needed here: import the module that does" in str(error), error
    assert "lib.compression.packed.register_methods()" in str(error), error
    from lib.compression.packed import register_methods
    register_methods()
    model = BertForSequenceClassification.from_pretrained(sys.argv[1])
    print(tuple(model.bert.embeddings.word_embeddings.weight.shape))
"""


def test_a_process_that_reads_a_folder_is_told_how_to_know_every_alteration(tmp_path: Path) -> None:
    model = model_of()
    remove_width(model, [0, 5])
    model.save_pretrained(tmp_path)
    run = subprocess.run(
        [sys.executable, "-c", LOAD_A_FOLDER, tmp_path], capture_output=True, text=True, cwd=root
    )
    assert run.stdout.strip() == "(53, 30)", run.stderr


def test_one_name_is_one_encoding_and_an_unknown_one_is_named() -> None:
    with pytest.raises(ValueError, match="has registered the encoding signs"):
        decodes("signs")(decode)
    with pytest.raises(ValueError, match="encoding 'books': import"):
        decode(Encoded("books", {}))


# --- what is refused ------------------------------------------------------------------------------


def cut_by_hand(model: Any) -> Any:
    model.bert.encoder.layer[0].intermediate.dense = nn.Linear(32, 40)
    return model


def not_finite(model: Any) -> Any:
    model.classifier.bias.data[0] = torch.nan
    return model


def without_pooler(model: Any) -> Any:
    model.bert.pooler = None
    return model


def integers(model: Any) -> Any:
    quantize_weights(model, 8)
    quantize_inputs(model, 8)
    return in_integers(model)


NOT_WRITTEN: list[tuple[Callable[[Any], Any], str]] = [
    (cut_by_hand, "could not be loaded again"),
    (not_finite, "not finite"),
    (lambda model: model.bfloat16(), "compute in float32"),
    (without_pooler, "pooler"),
    (integers, "could not be loaded again"),
]


@pytest.mark.parametrize(("change", "sentence"), NOT_WRITTEN)
def test_what_could_not_be_loaded_again_is_not_written(
    change: Callable[[Any], Any], sentence: str, whole_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(whole_file.read_bytes())
    with pytest.raises(ValueError, match=sentence):
        save_packed(change(model_of()), path)
    assert path.read_bytes() == whole_file.read_bytes() and [*tmp_path.iterdir()] == [path]


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "model.safetensors"
    model = model_of()
    quantize_weights(model, 4)
    save_packed(model, path)
    return path


def damaged(path: Path, change: Callable[[dict[str, Tensor], dict[str, Any]], None]) -> None:
    """Write a packed file again, its tensors and the JSON in its head changed."""
    tensors, noted = load_file(path), json.loads(metadata(path)["packed"])
    change(tensors, noted)
    save_file(tensors, path, metadata={"packed": json.dumps(noted)})


CODES, SCALE = f"{QUERY}.weight.codes", f"{QUERY}.weight.scale"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda tensors, noted: tensors.pop(CODES), "no whole file"),
        (lambda tensors, noted: tensors.update({CODES: tensors[CODES][:-1].clone()}), "belong together"),
        (lambda tensors, noted: tensors.update({SCALE: tensors[SCALE][:-1].clone()}), "cannot be cut"),
        (lambda tensors, noted: tensors.update({SCALE: tensors[SCALE] * torch.nan}), "not finite"),
        (lambda tensors, noted: tensors.pop("classifier.bias"), "not those of its config"),
        (lambda tensors, noted: tensors.update(extra=torch.zeros(1)), "not those of its config"),
        (lambda tensors, noted: noted["model"]["config"].update(hidden_size=16), "not those of its config"),
        (lambda tensors, noted: noted["model"]["config"].update(hidden_size=0), "hidden_size"),
        (lambda tensors, noted: noted["model"].update(kind="MobileBert"), "holds a MobileBert"),
        (lambda tensors, noted: noted["encoded"][f"{QUERY}.weight"].__setitem__(0, "books"), "'books'"),
        (lambda tensors, noted: noted["encoded"][f"{QUERY}.weight"][2].pop("bits"), "cannot be decoded"),
        (lambda tensors, noted: noted["encoded"][f"{QUERY}.weight"][2].update(bits=11), "from 1 to 8"),
        (lambda tensors, noted: noted["tied"].update({"x": "nowhere"}), "no whole file"),
        (lambda tensors, noted: noted.pop("encoded"), "no whole file"),
        (lambda tensors, noted: noted["model"].pop("config"), "no whole file"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(
    change: Any, says: str, whole_file: Path, tmp_path: Path
) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(whole_file.read_bytes())
    damaged(path, change)
    with pytest.raises(ValueError, match=says) as error:
        load_packed(path)
    assert "\n" not in str(error.value)


def test_what_is_no_packed_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no file"):
        load_packed(tmp_path / "nothing")
    path = tmp_path / "model.safetensors"
    model = model_of()
    save_packed(model, path)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match="no whole file"):
        load_packed(path)
    model.save_pretrained(tmp_path / "folder")
    with pytest.raises(ValueError, match="no whole file of a packed model"):
        load_packed(tmp_path / "folder" / "model.safetensors")


def test_a_range_of_its_own_is_stored_as_it_is_computed() -> None:
    for groups, scheme in ((1, "symmetric"), (4, "asymmetric"), (None, "asymmetric")):
        weight = torch.randn(8, 6, generator=torch.Generator().manual_seed(1))
        quantization = LinearQuantization(weight, 3, groups, scheme)
        assert torch.equal(decode(quantization.encode(weight)), quantization(weight))
