"""Export to ONNX gives the same answers, for every length and batch, with padding; int8 nearly the same."""

import runpy
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
import torch
import transformers
from tiny_berts import prepare_q8bert
from torch import Tensor, nn

from lib.bert import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
)
from lib.compression.ledger import onnx as ledger_onnx
from lib.compression.ledger.onnx import OnnxModel, export_onnx, onnx_routes, quantize_onnx
from lib.compression.quantizers.model import quantize_weights
from lib.text.tasks import Row
from lib.training.task_kinds import row_logits

SIZES: dict[str, Any] = {
    "vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 64, "max_position_embeddings": 40,
}  # fmt: skip
# three labels, as many as the example of the export has pieces: the one is not taken for the other
CONFIG = BertConfig(**SIZES, id2label={0: "a", 1: "b", 2: "c"}, initializer_range=0.3)
BATCHES = [(1, 9), (5, 17), (3, 1)]


def batch_of(texts: int, length: int) -> dict[str, Tensor]:
    """Random pieces of two types; each text after the first is padded more than the one before."""
    generator = torch.Generator().manual_seed(texts)
    lengths = torch.tensor([max(1, length - 2 * number) for number in range(texts)])[:, None]
    return {
        "input_ids": torch.randint(5, 60, (texts, length), generator=generator),
        "attention_mask": (torch.arange(length) < lengths).long(),
        "token_type_ids": torch.randint(2, (texts, length), generator=generator),
    }


def classifier() -> BertForSequenceClassification:
    torch.manual_seed(0)
    return BertForSequenceClassification(CONFIG).eval()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the classifier is exported as."""
    folder = tmp_path_factory.mktemp("onnx")
    onnx_routes(classifier(), folder)
    return {"float32": folder / "model.onnx", "int8": folder / "model-int8.onnx"}


@torch.no_grad()
def differences(model: nn.Module, exported: OnnxModel) -> list[float]:
    """The largest difference of any tensor that the model answers with, for each of BATCHES."""
    found = []
    for texts, length in BATCHES:
        batch = batch_of(texts, length)
        output, other = model(**batch), exported(**batch)
        names = [name for name, value in vars(output).items() if isinstance(value, Tensor)]
        assert names == list(vars(other))
        found.append(max(float((getattr(output, n) - getattr(other, n)).abs().max()) for n in names))
    return found


@pytest.mark.parametrize(
    "kind",
    [BertModel, BertForSequenceClassification, BertForQuestionAnswering, BertForTokenClassification],
    ids=lambda kind: kind.__name__,
)
def test_an_exported_model_answers_the_same(kind: Any, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = kind(CONFIG).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        export_onnx(model, tmp_path / "model.onnx")
    assert not any(module.training for module in model.modules())
    assert max(differences(model, OnnxModel(tmp_path / "model.onnx"))) < 1e-4
    assert [path.name for path in tmp_path.iterdir()] == ["model.onnx"]


def test_without_a_mask_nothing_is_padding(files: dict[str, Path]) -> None:
    exported, batch = OnnxModel(files["float32"]), batch_of(2, 9)
    unpadded = {name: batch[name][:1] for name in ("input_ids", "token_type_ids")}
    torch.testing.assert_close(
        exported(**unpadded).logits, exported(**batch).logits[:1], atol=1e-5, rtol=1e-5
    )


def test_their_model_is_exported_too(tmp_path: Path) -> None:
    from transformers import BertConfig as TheirConfig
    from transformers import BertForSequenceClassification as Theirs

    torch.manual_seed(0)
    model = Theirs(TheirConfig(**SIZES, num_labels=3, initializer_range=0.3)).eval()
    export_onnx(model, tmp_path / "model.onnx")
    assert max(differences(model, OnnxModel(tmp_path / "model.onnx"))) < 1e-4


def test_a_quantized_model_is_exported_with_its_rounded_weights(tmp_path: Path) -> None:
    model = classifier()
    before = model(**batch_of(1, 9)).logits
    quantize_weights(model, bits=3)
    assert (model(**batch_of(1, 9)).logits - before).abs().max() > 0.01
    export_onnx(model, tmp_path / "model.onnx")
    assert max(differences(model, OnnxModel(tmp_path / "model.onnx"))) < 1e-4


def test_quantized_activations_are_exported_with_their_ranges(tmp_path: Path) -> None:
    """A number between two codes may fall to the other side elsewhere, so few of the logits may differ."""
    model = classifier()
    batches = [batch_of(*shape) for shape in BATCHES]
    plain = torch.cat([model(**batch).logits for batch in batches])
    prepare_q8bert(model.train(), decay=0.9)
    for batch in batches:
        model(**batch)
    rounded = torch.cat([model.eval()(**batch).logits for batch in batches])
    export_onnx(model, tmp_path / "model.onnx")
    exported = OnnxModel(tmp_path / "model.onnx")
    found = torch.cat([exported(**batch).logits for batch in batches])
    assert (rounded - plain).abs().median() > 1e-3
    assert (found - rounded).abs().median() < 1e-5


def test_int8_is_smaller_quiet_and_close(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A quarter of the bytes of large matrices; of ours, small, the graph itself is a good part."""
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(**SIZES | {"vocab_size": 6000})).eval()
    routes: dict[str, Any] = onnx_routes(model, tmp_path)
    assert list(routes) == ["onnxruntime float32", "onnxruntime int8"] and not caplog.records
    whole, small = (tmp_path / name for name in ("model.onnx", "model-int8.onnx"))
    assert small.stat().st_size < 0.4 * whole.stat().st_size
    assert 0 < max(differences(model, routes["onnxruntime int8"])) < 0.02
    graph = onnx.load(small).graph
    assert sum(node.op_type == "MatMulInteger" for node in graph.node) >= 12  # six in a layer
    scales = [list(tensor.dims) for tensor in graph.initializer if tensor.name.endswith("_scale")]
    assert [32] in scales and [64] in scales  # a scale for each row of a matrix


def test_one_layer_in_int8_is_near_its_product() -> None:
    generator = torch.Generator().manual_seed(0)
    weight, x = torch.randn(24, 16, generator=generator), torch.randn(5, 16, generator=generator)
    given, expected = ledger_onnx.int8_layer(weight)(x), x @ weight.T
    assert given.shape == expected.shape and given.dtype == torch.float32
    assert 0 < (given - expected).norm() / expected.norm() < 0.02


def test_the_kinds_of_task_predict_with_it(files: dict[str, Path]) -> None:
    rows: list[Row] = [
        {"input_ids": [7] * length, "token_type_ids": [0] * length, "labels": 1} for length in (3, 9, 5)
    ]
    exported: Any = OnnxModel(files["float32"])
    found, expected = (torch.stack(row_logits(model, rows, 0)) for model in (exported, classifier()))
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_what_cannot_be_exported_or_run_is_said(tmp_path: Path) -> None:
    model = BertModel(CONFIG)
    with pytest.raises(ValueError, match=r"call model\.eval\(\)"):
        export_onnx(model.train(), tmp_path / "model.onnx")
    with pytest.raises(ValueError, match=r"There is no .*export_onnx"):
        OnnxModel(tmp_path / "model.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("saturates", "largest"), [(False, 127), (True, 64)])
def test_weights_have_seven_bits_where_products_of_eight_would_saturate(
    saturates: bool, largest: int, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    saturates_here = ledger_onnx.int8_saturates()
    monkeypatch.setattr(ledger_onnx, "int8_saturates", lambda: saturates)
    quantize_onnx(files["float32"], tmp_path / "small.onnx")
    tensors = onnx.load(tmp_path / "small.onnx").graph.initializer
    whole = [tensor for tensor in tensors if tensor.data_type == onnx.TensorProto.INT8]
    codes = map(onnx.numpy_helper.to_array, whole)
    assert max(int(abs(matrix.astype(int)).max()) for matrix in codes) == largest
    close = max(differences(classifier(), OnnxModel(tmp_path / "small.onnx"))) < 0.2
    assert close or (saturates_here and not saturates)  # eight bits, on a processor that has no room for them


@pytest.mark.parametrize(("of_two", "saturates"), [(2 * 255 * 127, False), (32_767, True)])
def test_a_processor_that_saturates_is_known_by_its_sums(
    of_two: int, saturates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what onnxruntime would answer there: 64 products, added up two by two."""
    session = SimpleNamespace(run=lambda _, inputs: [np.full((8, 64), of_two * 32, np.int32)])
    monkeypatch.setattr(ledger_onnx.onnxruntime, "InferenceSession", lambda *_, **__: session)
    assert ledger_onnx.int8_saturates() == saturates


# --- inputs and files of another kind ---------------------------------------------------------------

IDS = batch_of(2, 7)["input_ids"]
WRONG: list[tuple[Any, str]] = [
    ({"input_ids": batch_of(1, 41)["input_ids"]}, "has 41 tokens and this model 40 positions"),
    ({"input_ids": torch.full((1, 3), 60)}, "holds 60, but this model knows 0 to 59"),
    ({"input_ids": torch.full((1, 3), -1)}, "holds -1, but this model knows 0 to 59"),
    ({"input_ids": IDS, "token_type_ids": torch.full_like(IDS, 2)}, "token_type_ids holds 2"),
    ({"input_ids": torch.zeros(0, 4, dtype=torch.long)}, "input_ids is empty"),
    ({"input_ids": torch.zeros(1, 0, dtype=torch.long)}, "input_ids is empty"),
    ({"input_ids": IDS.tolist()}, "of type list, not a tensor"),
    ({"input_ids": IDS.numpy()}, "of type ndarray, not a tensor"),
    ({"input_ids": IDS[0]}, r"of shape \[7\]: give whole numbers"),
    ({"input_ids": IDS.float()}, r"a torch\.float32 tensor"),
    ({"input_ids": IDS, "attention_mask": torch.full(IDS.shape, 0.5)}, "other numbers than 1"),
    ({"input_ids": IDS, "attention_mask": torch.zeros_like(IDS)}, "all zeros"),
    ({"input_ids": IDS, "attention_mask": torch.ones(2, 5)}, r"shape \[2, 5\] and input_ids \[2, 7\]"),
    ({"input_ids": IDS, "token_type_ids": IDS[:, :3]}, r"shape \[2, 3\] and input_ids \[2, 7\]"),
    ({"input_ids": IDS, "labels": torch.tensor([0, 1])}, "and no labels: leave it out"),
    ({"ids": IDS}, "and no ids: leave it out"),
    ({}, "Give a model input_ids"),
]


@pytest.mark.parametrize("name", ["float32", "int8"])
@pytest.mark.parametrize(("inputs", "says"), WRONG, ids=lambda part: part if isinstance(part, str) else "")
def test_inputs_that_a_file_cannot_read_get_a_sentence(
    name: str, inputs: dict[str, Any], says: str, files: dict[str, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=says) as error:
        OnnxModel(files[name])(**inputs)
    assert "\n" not in str(error.value) and capfd.readouterr() == ("", "")


def test_the_types_that_tokenizers_give_are_read(files: dict[str, Path]) -> None:
    model, batch = OnnxModel(files["float32"]), batch_of(2, 7)
    expected = model(**batch).logits
    assert torch.equal(model(**{name: tensor.int() for name, tensor in batch.items()}).logits, expected)
    for kind in (torch.bool, torch.float32):
        given = batch | {"attention_mask": batch["attention_mask"].to(kind)}
        assert torch.equal(model(**given).logits, expected)


@pytest.mark.parametrize("count", [5, 2000, 0])
def test_a_damaged_file_is_refused(files: dict[str, Path], count: int, tmp_path: Path) -> None:
    (tmp_path / "cut.onnx").write_bytes(files["float32"].read_bytes()[:count])
    for call in (OnnxModel, lambda path: quantize_onnx(path, tmp_path / "int8.onnx")):
        with pytest.raises(ValueError, match=r"cut\.onnx is no whole ONNX file .*: export_onnx") as error:
            call(tmp_path / "cut.onnx")
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match=r"There is no .*none\.onnx: export_onnx"):
        quantize_onnx(tmp_path / "none.onnx", tmp_path / "int8.onnx")
    assert [path.name for path in tmp_path.iterdir()] == ["cut.onnx"]


@pytest.mark.parametrize("name", ["int8.onnx", "other.onnx"], ids=["elsewhere", "onto itself"])
def test_weights_beside_a_file_are_quantized_into_one(
    name: str, files: dict[str, Path], tmp_path: Path
) -> None:
    other, alone = tmp_path / "other.onnx", tmp_path / "alone" / name
    onnx.save_model(onnx.load(files["float32"]), other, save_as_external_data=True, size_threshold=0)
    quantize_onnx(other, tmp_path / name)
    alone.parent.mkdir()
    (tmp_path / name).rename(alone)
    assert max(differences(OnnxModel(files["int8"]), OnnxModel(alone))) < 1e-5


def test_rounded_weights_are_exported_and_quantized(tmp_path: Path) -> None:
    model = classifier()
    quantize_weights(model, bits=4)
    onnx_routes(model, tmp_path)
    assert max(differences(model, OnnxModel(tmp_path / "model.onnx"))) < 1e-4
    int8 = OnnxModel(tmp_path / "model-int8.onnx")
    assert max(differences(model, int8)) < 0.2  # .13 where weights have seven bits


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("input_ids", "INT32"),
        ("token_type_ids", "UINT8"),
        ("attention_mask", "BOOL"),
        ("attention_mask", "FLOAT"),
    ],
)
def test_inputs_are_given_in_the_type_that_a_file_names(
    name: str, kind: str, files: dict[str, Path], tmp_path: Path
) -> None:
    proto, path = onnx.load(files["float32"]), tmp_path / "retyped.onnx"
    (given,) = (one for one in proto.graph.input if one.name == name)
    given.type.tensor_type.elem_type = getattr(onnx.TensorProto, kind)
    for node in proto.graph.node:
        node.input[:] = ["whole" if read == name else read for read in node.input]
    proto.graph.node.insert(0, onnx.helper.make_node("Cast", [name], ["whole"], to=onnx.TensorProto.INT64))
    onnx.save(proto, path)
    assert max(differences(classifier(), OnnxModel(path))) < 1e-4


@pytest.mark.parametrize(
    ("part", "dtype"),
    [
        ("", torch.float16),
        ("", torch.bfloat16),
        ("bert.encoder.layer.1.output.LayerNorm", torch.float16),
        ("bert.embeddings", torch.float64),
    ],
)
def test_what_is_not_float32_is_refused_before_anything_is_written(
    part: str, dtype: torch.dtype, tmp_path: Path
) -> None:
    model = classifier()
    model.get_submodule(part).to(dtype)
    with pytest.raises(ValueError, match=rf"{part}.* is of type {dtype}, .* call model\.float\(\) first\.$"):
        export_onnx(model, tmp_path / "model.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("missing", ["onnxruntime", "onnx"])
def test_a_package_that_is_missing_is_told(
    missing: str, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    anew: Any = runpy.run_path(str(ledger_onnx.__file__))
    for call in (
        lambda: anew["export_onnx"](BertModel(CONFIG).eval(), tmp_path / "model.onnx"),
        lambda: anew["quantize_onnx"](files["float32"], tmp_path / "int8.onnx"),
        lambda: anew["OnnxModel"](files["float32"]),
    ):
        with pytest.raises(ValueError, match=r"one is missing: run `python course.py lab` to install"):
            call()
    assert not list(tmp_path.iterdir())


class FirstTwo(nn.Module):
    """A model as another exporter takes it: without token types, or with names of its own."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        logits: Tensor = self.model(ids, mask).logits
        return logits


@pytest.mark.parametrize("names", [["input_ids", "attention_mask"], ["ids", "mask"]])
@pytest.mark.parametrize("is_open", [True, False])
def test_files_of_other_exporters(names: list[str], is_open: bool, tmp_path: Path) -> None:
    model = classifier()
    example = batch_of(2, 7)
    given = (example["input_ids"], example["attention_mask"])
    path, axes = tmp_path / "other.onnx", {name: {0: "texts", 1: "pieces"} for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            FirstTwo(model).eval(), given, path, input_names=names, output_names=["logits"],
            dynamic_axes=axes if is_open else None, dynamo=False,
        )  # fmt: skip
    if names[0] == "ids":
        with pytest.raises(ValueError, match=r"has an input ids, .* export it with these names"):
            OnnxModel(path)
        return
    exported = OnnxModel(path)
    torch.testing.assert_close(exported(*given).logits, model(*given).logits, atol=1e-5, rtol=1e-5)
    with pytest.raises(ValueError, match="has no input token_type_ids: give texts for which it is all 0"):
        exported(*given, torch.ones_like(given[0]))
    if not is_open:
        with pytest.raises(ValueError, match=r"cannot read texts of shape \[2, 5\] .* open axes") as error:
            exported(given[0][:, :5])
        assert "\n" not in str(error.value)


class Answering(nn.Module):
    """A module of somebody's own, whose answer has this form."""

    def __init__(self, form: Callable[[Tensor], Any]) -> None:
        super().__init__()
        self.model, self.form = classifier(), form

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Any:
        return self.form(self.model(input_ids, attention_mask).logits)


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (lambda logits: logits, ["output_0"]),
        (lambda logits: (logits, None, logits * 2), ["output_0", "output_2"]),
        (lambda logits: {"scores": logits, "note": 3}, ["scores"]),
    ],
)
def test_the_answers_of_a_module_of_your_own(
    form: Callable[[Tensor], Any], names: list[str], tmp_path: Path
) -> None:
    model, batch = Answering(form).eval(), batch_of(3, 9)
    export_onnx(model, tmp_path / "model.onnx")
    exported = OnnxModel(tmp_path / "model.onnx")
    given = (batch["input_ids"], batch["attention_mask"])
    answers = vars(exported(*given))
    assert list(answers) == names and len(exported.shapes) == 2
    torch.testing.assert_close(answers[names[0]], model.model(*given).logits, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Answering(lambda logits: {"note": 3}), "answers with no tensor"),
        (lambda: FirstTwo(classifier()), r"FirstTwo can't be called .*argument: 'ids'\): wrap it"),
        (lambda: torch.compile(classifier()), "torch.compile made .*: give what it was made of"),
        (
            lambda: torch.ao.quantization.quantize_dynamic(classifier(), {nn.Linear}),
            "BertForSequenceClassification is quantized by PyTorch",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:torch.quantize_per")
def test_a_module_that_cannot_be_exported_gets_a_sentence(
    make: Callable[[], nn.Module], says: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=says):
        export_onnx(make().eval(), tmp_path / "model.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("family", ["DistilBert", "Roberta"])
def test_a_model_of_another_family_is_exported(family: str, tmp_path: Path) -> None:
    options: dict[str, Any] = SIZES | {"pad_token_id": 0}
    if family == "DistilBert":
        options = {"vocab_size": 60, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}
    config = getattr(transformers, f"{family}Config")(**options)
    torch.manual_seed(0)
    model = getattr(transformers, f"{family}ForSequenceClassification")(config).eval()
    export_onnx(model, tmp_path / "model.onnx")
    batch = batch_of(3, 9) | {"token_type_ids": torch.zeros(3, 9, dtype=torch.long)}
    found, expected = (
        OnnxModel(tmp_path / "model.onnx")(**batch),
        model(batch["input_ids"], batch["attention_mask"]),
    )
    torch.testing.assert_close(found.logits, expected.logits, atol=1e-5, rtol=1e-5)
