"""What was added to a model by adapters, low-rank updates, prefixes and prompts: named, removed, saved alone.

A file of added weights is small, so that one model at hand serves many tasks:

    save_added(model, "reviews.safetensors", also=["classifier"])
    remove_added(model)
    load_added(model, "headlines.safetensors")

It fits our model and `transformers`' of the same weights, since their parts have the same names.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from lib.bert.adapters import LoRA
from lib.bert.alterations import Change, changes_of, note, replay
from lib.bert.attached import Attached, detach
from lib.bert.surgery import unparametrize
from lib.files import replacing

ATTACHING = {"add_adapter", "add_ghosts", "add_prefix", "add_prompt"}  # alterations that end in `attach`
METADATA = "added"  # the key in the head of a file


class StoredAddition(NamedTuple):
    """What a file of added weights holds."""

    tensors: dict[str, Tensor]
    changes: tuple[Change, ...]  # that make a place for them
    base: str  # the digest of all other weights of the model


def layer_paths(model: nn.Module, part: str) -> list[str]:
    """The paths of a part of every layer, such as "attention.output", in their order; ValueError if none."""
    paths = [name for name, _ in model.named_modules() if re.search(rf"layer\.\d+\.{re.escape(part)}$", name)]
    if not paths:
        raise ValueError(
            f"No layer of {type(model).__name__} has a part {part}: give one as 'attention.self.query' is."
        )
    return paths


def added_parameters(model: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters that were added, by name: all others can be frozen."""
    return {
        f"{path}.{name}".lstrip("."): parameter
        for path, module in model.named_modules()
        if isinstance(module, Attached | LoRA)
        for name, parameter in module.named_parameters()
    }


def remove_added(model: nn.Module) -> None:
    """Remove all that was added: the model computes and is saved as before.

    Its own weights stay as they are now, so they are those of before if they were frozen.
    """
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if isinstance(child, Attached):
                detach(owner, name)
        for tensor, steps in list(getattr(owner, "parametrizations", nn.ModuleDict()).items()):
            if all(isinstance(step, LoRA) for step in steps):
                unparametrize(owner, tensor, keep_value=False)
            else:
                for number in reversed(range(len(steps))):
                    if isinstance(steps[number], LoRA):
                        del steps[number]
    note(model, tuple(change for change in changes_of(model) if not _adds(change)))


def save_added(model: nn.Module, path: str | Path, also: Collection[str] = ()) -> None:
    """Write the added weights alone, and the changes that make a place for them, to a safetensors file.

    also: the paths of modules that were trained with them, as ["classifier"]: their weights go along. The
    file knows the digest of all others, so that it is refused by another model. ValueError if nothing was
    added, or if something else was done to the model afterwards.
    """
    added = added_parameters(model)
    if not added:
        raise ValueError("Nothing was added to this model: save it whole, by save_pretrained.")
    changes = tuple(change for change in changes_of(model) if _adds(change))
    if changes_of(model)[-len(changes) :] != changes:
        last = next(change.name for change in reversed(changes_of(model)) if not _adds(change))
        raise ValueError(f"{last} was done after weights were added: do it before, and save then.")
    own = dict(model.named_parameters())
    for module in also:
        if not any(name.startswith(f"{module}.") for name in own):
            raise ValueError(
                f"{type(model).__name__} has no weights in {module}: name a module that has some."
            )
    saved = added | {name: own[name] for name in own if name.startswith(tuple(f"{part}." for part in also))}
    noted = {"changes": [change._asdict() for change in changes], "base": _digest_without(model, saved)}
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in saved.items()}
    with replacing(path) as beside:
        save_file(tensors, beside, metadata={METADATA: json.dumps(noted)})


def load_added(model: nn.Module, path: str | Path) -> None:
    """Add to `model` what `save_added` wrote, or exchange the numbers of what was added in the same way.

    Raises ValueError, with nothing changed, if the file is damaged, if it was made for another model, or if
    other weights were added here.
    """
    stored = _read(Path(path))
    here = tuple(change for change in changes_of(model) if _adds(change))
    if here and here != stored.changes:
        raise ValueError(f"Other weights than those of {path} were added to this model: remove_added(model).")
    try:
        if not here:
            replay(model, stored.changes)
        _validate_fit(model, stored)
    except ValueError as error:
        if not here:
            remove_added(model)
        raise ValueError(f"{path} was made for another model. {error}") from None
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, tensor in stored.tensors.items():
            own[name].copy_(tensor)


def _adds(change: Change) -> bool:
    return change.name in ATTACHING or change.arguments.get("kind") == "LoRA"


def _read(path: Path) -> StoredAddition:
    if not path.is_file():
        raise ValueError(f"There is no file {path}: name one that save_added wrote.")
    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
            noted: Any = json.loads((file.metadata() or {})[METADATA])
        changes = tuple(Change(**change) for change in noted["changes"])
        return StoredAddition(tensors, changes, noted["base"])
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is no whole file of added weights ({error}): name one that save_added wrote."
        ) from None


def _validate_fit(model: nn.Module, stored: StoredAddition) -> None:
    """Raise a ValueError if the tensors of a file do not fit a model, altered as the file says."""
    own = dict(model.named_parameters())
    for name in sorted(stored.tensors.keys() | added_parameters(model).keys()):
        there, here = (
            list(tensors[name].shape) if name in tensors else None for tensors in (stored.tensors, own)
        )
        if there != here:
            raise ValueError(
                f"{name} has the shape {there} there, {here} here: load the model it was made for."
            )
        if not stored.tensors[name].isfinite().all():
            raise ValueError(f"{name} holds numbers that are not finite: its training diverged.")
    if _digest_without(model, stored.tensors) != stored.base:
        raise ValueError(
            "This one has other weights: load those that the file was trained on (a head that was trained "
            "along is saved by also=['classifier'])."
        )


def _digest_without(model: nn.Module, names: Iterable[str]) -> str:
    """A digest of all parameters but these; of their numbers alone, whatever names they have now."""
    left_out = set(names)
    numbers: list[Any] = [  # Any: an array of NumPy's is a buffer of bytes, which mypy does not know
        tensor.detach().cpu().reshape(-1).view(torch.uint8).numpy()
        for name, tensor in model.named_parameters()
        if name not in left_out
    ]
    digests = sorted(hashlib.sha256(part).hexdigest() for part in numbers)
    return hashlib.sha256("".join(digests).encode()).hexdigest()
