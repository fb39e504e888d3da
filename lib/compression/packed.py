"""A model in one file, as small as its encodings make it: the bytes of the file are the model's size.

    quantize_weights(model, bits=3)
    save_packed(model, "small.safetensors")
    model = load_packed("small.safetensors")  # a plain model that answers exactly as the one that was saved

Each tensor is stored by the encoding that its parametrization names, and in float32 where nothing else is
said. A package adds an encoding of its own with `lib.compression.encodings.decodes`. The file is of the
safetensors format: numbers and JSON, nothing that runs.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Set
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from lib.bert.alterations import Change, changes_of, replay, validate_replay
from lib.bert.checkpoint import uninitialized
from lib.bert.config import BertConfig
from lib.bert.model import PreTrainedBert
from lib.bert.surgery import latents_of
from lib.compression.encodings import Encoded, Encodes, decode
from lib.files import replacing

#: packages whose modules register something
METHODS = ("lib.compression.designs", "lib.compression.pruning", "lib.compression.quantizers")
METADATA = "packed"  # the one key in the head of a file: of two, safetensors writes either first
MARK = "parametrizations."  # what PyTorch puts into the name of a tensor that is computed


class Described(NamedTuple):
    """What one of our models is built of (JSON)."""

    kind: str  # the name of its class
    config: dict[str, Any]
    changes: list[dict[str, Any]]


class Packed(NamedTuple):
    """What a file holds."""

    tensors: dict[str, Tensor]
    tied: dict[str, str]  # a second name of a tensor, and its first
    model: Described | None  # None for a model of another library


def save_packed(model: nn.Module, path: str | Path) -> None:
    """Write a model into one file, each tensor as its parametrization encodes it.

    What else parametrizations compute, low-rank updates and masks, is settled: the file holds the values.
    Latent weights are left out. ValueError, with nothing written, if a plain tensor is not float32, or if one
    of our models was changed so that it could not be built again.
    """
    if isinstance(model, PreTrainedBert):
        validate_replay(model, _built(_described(model, changes_of(model))))
    encoded, tied = _encode(model)
    noted: dict[str, Any] = {"tied": tied}
    if isinstance(model, PreTrainedBert):
        settled = tuple(change for change in changes_of(model) if change.name != "parametrize")
        described = _described(model, settled)
        _validate_names(_built(described), encoded.keys() | tied.keys())
        noted["model"] = described._asdict()
    tensors: dict[str, Tensor] = {}
    noted["encoded"] = {}
    for name, encoded_tensor in encoded.items():
        if encoded_tensor.encoding == "float32":
            tensors[name] = encoded_tensor.parts["values"]
        else:
            tensors |= {f"{name}.{part}": values for part, values in encoded_tensor.parts.items()}
            parts = list(encoded_tensor.parts)
            noted["encoded"][name] = [encoded_tensor.encoding, parts, encoded_tensor.info]
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    metadata = {METADATA: json.dumps(noted, separators=(",", ":"))}
    with replacing(path) as beside:
        try:
            save_file(plain, beside, metadata=metadata)
        except SafetensorError as error:
            raise OSError(f"{path} could not be written: {error}") from error


def load_packed(path: str | Path) -> PreTrainedBert:
    """One of our models out of its file: plain, in float32 and in `eval()`.

    ValueError if the file is damaged, or holds another model: build that yourself and give it
    `load_state_dict(read_packed(path))`.
    """
    packed = _read(Path(path))
    if packed.model is None:
        raise ValueError(
            f"{path} holds a model of another library: build it as it was built, and then "
            "model.load_state_dict(read_packed(path))."
        )
    model = _built(packed.model)
    own = model.state_dict(keep_vars=True)
    shapes = {name: list(tensor.shape) for name, tensor in own.items()}
    if shapes != {name: list(tensor.shape) for name, tensor in _all_names(packed).items()}:
        raise ValueError(f"The tensors in {path} are not those of its config: fetch or save it again.")
    tensors: dict[str, Tensor] = {
        name: nn.Parameter(tensor) if isinstance(own[name], nn.Parameter) else tensor
        for name, tensor in packed.tensors.items()
    }
    model.load_state_dict(
        tensors | {name: tensors[first] for name, first in packed.tied.items()}, assign=True
    )
    return model.eval()


def read_packed(path: str | Path) -> dict[str, Tensor]:
    """The state dict in a file, all tensors decoded: for a model of any library, built as it was saved.

    By name, each in float32 and in the shape that it had. ValueError if the file is damaged.
    """
    return _all_names(_read(Path(path)))


def described_in(path: str | Path) -> Described | None:
    """What one of our models in a file is built of, before it is built; None for another library's.

    ValueError if the file is damaged.
    """
    return _read(Path(path)).model


def _all_names(packed: Packed) -> dict[str, Tensor]:
    return packed.tensors | {name: packed.tensors[first] for name, first in packed.tied.items()}


@torch.no_grad()
def _encode(model: nn.Module) -> tuple[dict[str, Encoded], dict[str, str]]:
    """Each tensor of a model under its first name, encoded, and its further names."""
    encoded: dict[str, Encoded] = {}
    tied: dict[str, str] = {}
    first: dict[tuple[int, ...], str] = {}
    for stored, tensor in model.state_dict(keep_vars=True).items():
        head, computed, rest = stored.partition(MARK)
        name = head + rest.partition(".")[0] if computed else stored
        if name in encoded or name in tied:
            continue  # another tensor of the same parametrization
        owner: Any = model.get_submodule(name.rpartition(".")[0])
        steps: Any = owner.parametrizations[name.rpartition(".")[2]] if computed else ()
        identity = (id(getattr(steps, "original", tensor)), *map(id, steps))
        if first.setdefault(identity, name) != name:
            tied[name] = first[identity]
        else:
            encoded[name] = _encoded(name, getattr(owner, name.rpartition(".")[2]), steps)
    return encoded, tied


def _encoded(name: str, value: Tensor, steps: Any) -> Encoded:
    """A tensor of this value, which is computed in these steps; of none, it is a plain one."""
    if value.dtype != torch.float32:
        raise ValueError(
            f"{name} is of type {value.dtype}, and packed models compute in float32: call model.float(), and "
            "halve_rest(model) to store half precision."
        )
    if not value.isfinite().all():
        raise ValueError(f"{name} holds numbers that are not finite: its training diverged.")
    if not steps or not isinstance(steps[-1], Encodes):
        return Encoded("float32", {"values": value})
    latents = latents_of(steps)
    for step in list(steps)[:-1]:
        latents = (step(*latents),)
    return steps[-1].encode(*latents)


def _described(model: PreTrainedBert, changes: tuple[Change, ...]) -> Described:
    noted = [change._asdict() for change in changes]
    return Described(type(model).__name__, dataclasses.asdict(model.config), noted)


def _built(described: Described) -> PreTrainedBert:
    """The model that a file describes, without numbers (on the meta device)."""
    kinds: dict[str, type[Any]] = {kind.__name__: kind for kind in _subclasses(PreTrainedBert)}
    if described.kind not in kinds:
        raise ValueError(
            f"The file holds a {described.kind}, which nothing has defined: import the module that does. "
            f"Known are {', '.join(sorted(kinds))}."
        )
    with torch.device("meta"), uninitialized():
        model: PreTrainedBert = kinds[described.kind](BertConfig(**described.config))
        replay(model, [Change(**change) for change in described.changes])
    return model


def _subclasses(kind: type[Any]) -> list[type[Any]]:
    return [deeper for direct in kind.__subclasses__() for deeper in (direct, *_subclasses(direct))]


def _validate_names(model: nn.Module, names: Set[str]) -> None:
    """Raise a ValueError if a model built anew has other tensors than those that are to be stored."""
    if differ := model.state_dict().keys() ^ names:
        raise ValueError(
            f"{min(differ)} is in this model or in one built of its config, but not in both, so that it "
            "could not be loaded again: change a model by lib.bert.alterations, and give it a pooler."
        )


@cache
def register_methods() -> None:
    """Import every method, so that its encodings and alterations are known to a process that only loads.

    `load_packed` calls it. `from_pretrained` does not, since `lib.bert` knows nothing of methods: call it
    before, or import the module of the method.
    """
    for package in METHODS:
        for module in iter_modules(import_module(package).__path__, f"{package}."):
            import_module(module.name)


def _read(path: Path) -> Packed:
    if not path.is_file():
        raise ValueError(f"There is no file {path}: name one that save_packed wrote.")
    register_methods()
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
            noted: Any = json.loads((file.metadata() or {})[METADATA])
        encoded = {
            name: Encoded(encoding, {part: tensors.pop(f"{name}.{part}") for part in parts}, info)
            for name, (encoding, parts, info) in noted["encoded"].items()
        }
        tied = dict(noted["tied"])
        if unknown := set(tied.values()) - encoded.keys() - tensors.keys():
            raise ValueError(f"there is no {min(unknown)}")
        model = Described(**noted["model"]) if "model" in noted else None
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is no whole file of a packed model ({error}): name one that save_packed wrote."
        ) from None
    for name, encoded_tensor in encoded.items():
        try:
            tensors[name] = decode(encoded_tensor)
        except ValueError as error:
            raise ValueError(f"{name} in {path}: {error}") from None
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise ValueError(f"{name} in {path} holds numbers that are not finite: save the model again.")
    return Packed(tensors, tied, model)
