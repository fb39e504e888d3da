"""From PyTorch to ONNX, the format in which models go into production, and to eight bits there.

    export_onnx(model, folder / "model.onnx")
    quantize_onnx(folder / "model.onnx", folder / "model-int8.onnx")
    small = OnnxModel(folder / "model-int8.onnx")
    small(**batch).logits; task.kind.predict(small, task.test, tokenizer, max_length=128)

onnxruntime's own quantization is the yardstick of ours: a row's weights share a scale, each matrix product
is done in whole numbers, and the scale of what goes in is found anew for each batch. Weights have eight bits
where the processor adds products of codes exactly, and seven elsewhere (`int8_saturates`).
"""

from __future__ import annotations

import inspect
import json
import math
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lib.bert.validation import validate_eval, validate_inputs
from lib.compression.ledger.timing import Route
from lib.files import replacing

try:
    import onnx
    import onnxruntime
except ImportError:  # which is told when they are needed
    onnx = onnxruntime = None  # type: ignore[assignment]

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
SIZES = ("vocab_size", "max_position_embeddings", "type_vocab_size")  # written into the file: what fits in
METADATA = "sizes"
OPSET = 17  # the first with LayerNormalization


class _TensorsOnly(nn.Module):
    """A model that takes tensors [B, T] and answers with tensors alone, as the exporter wants it."""

    def __init__(self, model: nn.Module, names: Sequence[str]):
        super().__init__()
        self.model, self.names = model, names

    def answers(self, *inputs: Tensor) -> dict[str, Tensor]:
        output = self.model(**dict(zip(self.names, inputs, strict=True)))
        if isinstance(output, Tensor | list | tuple):
            several = [output] if isinstance(output, Tensor) else output
            output = {f"output_{number}": value for number, value in enumerate(several)}
        by_name = output if isinstance(output, Mapping) else vars(output)
        return {name: value for name, value in by_name.items() if isinstance(value, Tensor)}

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.answers(*inputs).values())


def export_onnx(model: nn.Module, path: str | Path, names: Sequence[str] | None = None) -> None:
    """Write a BERT with or without a head, ours or of `transformers`, as ONNX for any batch and length.

    names: of the inputs; without them, those of `INPUTS` that forward() takes. A module of your own may
    answer with a tensor, or with several in a tuple (output_0, output_1, ... in the file) or a dict. The
    model has to be in eval(), and in float32. Parametrized weights are written as the values that they have
    now. How many pieces, positions and token types it knows stands in the file as well.
    """
    _validate_installed()
    names = _names_of(model) if names is None else names
    _validate_forward(model, names)
    validate_eval(model)
    _validate_float32(model)
    # Its second text is padded: where nothing is hidden, our model takes a shorter path that knows no mask.
    example = torch.ones(len(names), 2, 3, dtype=torch.long)
    if "attention_mask" in names:
        example[names.index("attention_mask"), 1, 2] = 0
    if "token_type_ids" in names:
        example[names.index("token_type_ids")] = 0
    exported = _TensorsOnly(model, names).eval()  # else the exporter leaves the model in train()
    with torch.no_grad():
        outputs, shorter = exported.answers(*example), exported.answers(*example[:, :, :2])
    if not outputs:
        raise ValueError(
            f"This {type(model).__name__} answers with no tensor: let forward() return one, or several in a "
            "tuple or a dict."
        )
    open_axes = {0: "batch", 1: "length"}
    axes = dict.fromkeys(names, open_axes) | {
        name: {0: "batch"} if tensor.shape == shorter[name].shape else open_axes
        for name, tensor in outputs.items()
    }
    with replacing(path) as beside, warnings.catch_warnings():
        # what is checked of the example is not checked of later inputs, which is meant; and dynamo=True
        # would ask for one more package
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", "Exporting aten::index")  # of transformers' masks
        warnings.filterwarnings("ignore", "To copy construct")  # of its DeBERTa
        torch.onnx.export(
            exported, tuple(example), beside, input_names=list(names), output_names=list(outputs),
            dynamic_axes=axes, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        config = getattr(model, "config", None)
        known = {name: getattr(config, name, None) for name in SIZES}
        sizes = {name: size for name, size in known.items() if size is not None and size >= 0}  # XLNet has -1
        proto = onnx.load(beside)
        onnx.helper.set_model_props(proto, {METADATA: json.dumps(sizes)})
        onnx.save(proto, beside)


def quantize_onnx(path: str | Path, quantized: str | Path) -> None:
    """Write an ONNX file again with weights of eight bits: a matrix has a scale for each row, a table one.

    This is called dynamic quantization, since activations get their scale when the model runs. The file is
    for processors like this one: where `int8_saturates`, weights use seven of their eight bits. Weights that
    lie beside the file are read, and are in what is written. ValueError if `path` is no ONNX file.
    """
    _session(path)
    from onnxruntime.quantization import QuantType, quantize_dynamic  # not above: it takes a second
    from onnxruntime.quantization.shape_inference import quant_pre_process

    with tempfile.TemporaryDirectory() as folder, replacing(quantized) as beside:
        whole, prepared = Path(folder, "whole.onnx"), Path(folder, "prepared.onnx")
        # in one file, since weights in another would be looked for beside a temporary copy
        onnx.save(onnx.load(path), whole)
        quant_pre_process(whole, prepared, skip_symbolic_shape=True)
        quantize_dynamic(
            prepared, beside, per_channel=True, weight_type=QuantType.QInt8, reduce_range=int8_saturates()
        )


def int8_saturates() -> bool:
    """Whether onnxruntime's sums of products of uint8 and int8 go wrong on this processor.

    Those with AVX2 or AVX-512 but without VNNI first add two products in 16 bits, which hold at most 32,767:
    255 * 127 + 255 * 127 = 64,770 does not fit. With weights of seven bits, 2 * 255 * 64 = 32,640 does.
    """
    from onnx import TensorProto, helper

    rows, columns = 8, 64  # as wide as a kernel's registers
    product = helper.make_graph(
        [helper.make_node("MatMulInteger", ["x", "w"], ["sums"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, [rows, columns])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, [rows, columns])],
        [helper.make_tensor("w", TensorProto.INT8, [columns, columns], [127] * columns**2)],
    )
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(product, opset_imports=[opset], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (sums,) = session.run(None, {"x": np.full((rows, columns), 255, np.uint8)})
    return bool((sums != 255 * 127 * columns).any())


class OnnxModel(nn.Module):
    """An ONNX file that is called like a model, on the processor, with PyTorch's number of threads.

    What it answers has the tensors of the model that was exported, such as `logits`, so that the kinds of
    `lib.training.task_kinds` predict with it. Files of other exporters will do if their inputs are called
    `input_ids`, `attention_mask` and `token_type_ids`, or are some of these. ValueError if it is none such.
    """

    def __init__(self, path: str | Path):
        super().__init__()
        self.path, self.session = path, _session(path)
        self.shapes = {given.name: given.shape for given in self.session.get_inputs()}
        if unknown := self.shapes.keys() - set(INPUTS):
            raise ValueError(
                f"{path} has an input {min(unknown)}, and here there are {', '.join(INPUTS)}: export it "
                "with these names, as export_onnx does."
            )
        self.types = {  # "tensor(int32)": both call their types alike
            given.name: getattr(torch, given.type[7:-1], torch.long) for given in self.session.get_inputs()
        }
        stored = self.session.get_modelmeta().custom_metadata_map.get(METADATA, "{}")
        self.config: Any = SimpleNamespace(**dict.fromkeys(SIZES, math.inf) | json.loads(stored))
        self.names = [output.name for output in self.session.get_outputs()]
        self.where = nn.Parameter(torch.empty(0), requires_grad=False)  # says on which device inputs are read
        self.eval()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        **others: Any,
    ) -> Any:
        """ids, mask and types [B, T], as `BertModel` takes them; without a mask nothing is padding.

        ValueError for what the exported model cannot read, in the words of `lib.bert.validation` where its
        sizes stand in the file.
        """
        if others:
            raise ValueError(f"An ONNX file takes {', '.join(INPUTS)} and no {min(others)}: leave it out.")
        validate_inputs(self.config, input_ids, attention_mask, token_type_ids)
        assert input_ids is not None  # it was validated
        mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
        types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        given = dict(zip(INPUTS, (input_ids, mask, types), strict=True))
        for name, usual in (("attention_mask", 1), ("token_type_ids", 0)):
            if name not in self.shapes and (given[name] != usual).any():
                raise ValueError(f"{self.path} has no input {name}: give texts for which it is all {usual}.")
        inputs = {name: given[name].to(self.types[name]).numpy() for name in self.shapes}
        try:
            outputs = self.session.run(None, inputs)
        except Exception as error:  # onnxruntime's have no base of their own
            shape = list(input_ids.shape)
            raise ValueError(
                f"{self.path}, exported for {self.shapes}, cannot read texts of shape {shape} "
                f"({_line(error)}): give shorter ones, or export it with open axes as export_onnx does."
            ) from None
        return SimpleNamespace(**dict(zip(self.names, map(torch.from_numpy, outputs), strict=True)))


def _session(path: str | Path) -> Any:
    """The file, ready to run; ValueError if it is none, or damaged."""
    _validate_installed()
    if not Path(path).is_file():
        raise ValueError(f"There is no {path}: export_onnx(model, path) writes it.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.log_severity_level = 4  # what fails is raised, and need not be printed as well
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # they have no base of their own
        raise ValueError(
            f"{path} is no whole ONNX file ({_line(error)}): export_onnx(model, path) writes it."
        ) from None


def _validate_installed() -> None:
    if onnxruntime is None:
        raise ValueError(
            "The packages onnx and onnxruntime are needed here, and one is missing: run `python course.py "
            "lab` to install it."
        )


def _names_of(model: nn.Module) -> list[str]:
    """The inputs that a model takes, as its forward() has them."""
    taken = inspect.signature(model.forward).parameters
    is_open = any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values())
    return [name for name in INPUTS if is_open or name in taken]


def _validate_forward(model: nn.Module, names: Sequence[str]) -> None:
    """Raise a ValueError for a model that cannot be traced with inputs of these names."""
    kind = type(model).__name__
    if hasattr(model, "_orig_mod"):
        raise ValueError("A model that torch.compile made is not exported: give what it was made of.")
    if any(".quantized." in type(module).__module__ for module in model.modules()):
        raise ValueError(
            f"This {kind} is quantized by PyTorch, which ONNX can't hold: export the model as it was before, "
            "and call quantize_onnx."
        )
    try:
        inspect.signature(model.forward).bind(**dict.fromkeys(names))
    except TypeError as error:
        raise ValueError(
            f"forward() of this {kind} can't be called with {', '.join(names) or 'such inputs'} ({error}): "
            f"wrap it in a module whose forward() takes some of {', '.join(INPUTS)}."
        ) from None


def _validate_float32(model: nn.Module) -> None:
    """Raise a ValueError for other real numbers: the exporter would write a file that nothing can load."""
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        if tensor.is_floating_point() and tensor.dtype != torch.float32:
            raise ValueError(
                f"{name} is of type {tensor.dtype}, and models are exported in float32: call model.float() "
                "first."
            )


def _line(error: Exception) -> str:
    return " ".join(str(error).rpartition(" : ")[2].split())


def int8_layer(weight: Tensor) -> Callable[[Tensor], Tensor]:
    """One matrix [out, in] in onnxruntime's eight bits: x [N, in] -> about x times its transpose, [N, out].

    What goes in is rounded when it runs, as `quantize_onnx` has it. ValueError without onnxruntime.
    """
    _validate_installed()
    layer = nn.Linear(weight.size(1), weight.size(0), bias=False).eval()
    layer.weight.data.copy_(weight.detach())
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        torch.onnx.export(
            layer, (torch.zeros(2, weight.size(1)),), whole, input_names=["x"], output_names=["y"],
            dynamic_axes={"x": {0: "rows"}, "y": {0: "rows"}}, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
        quantize_onnx(whole, small)
        session = _session(small)
    return lambda x: torch.from_numpy(session.run(None, {"x": x.numpy()})[0])


def onnx_routes(model: nn.Module, folder: str | Path) -> dict[str, Route]:
    """A model in onnxruntime, in float32 and in int8; both files are written into the folder."""
    full, small = Path(folder, "model.onnx"), Path(folder, "model-int8.onnx")
    export_onnx(model, full)
    quantize_onnx(full, small)
    return {"onnxruntime float32": OnnxModel(full), "onnxruntime int8": OnnxModel(small)}
