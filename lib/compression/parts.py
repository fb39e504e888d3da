"""The parts of a model: where the matrices stand that every way to compress is about.

Those of a BERT are known by their names, which are the same in our models and in `transformers`'. The
matrices of any other encoder are found as well, without names:

    paths_of(model)  # all of them
    paths_of(model, ["query", "key"], layers=[0, 1])
    left_out(model, paths_of(model))  # what stays as it is: how many numbers, by name
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection
from typing import Any

from torch import Tensor, nn

from lib.bert.attached import Attached
from lib.bert.surgery import latents_of

#: the parts of a BERT, by how the paths of their modules end
BERT_PARTS = {
    "word_embeddings": r"embeddings\.word_embeddings",
    "position_embeddings": r"embeddings\.position_embeddings",
    "token_type_embeddings": r"embeddings\.token_type_embeddings",
    "query": r"attention\.self\.query",
    "key": r"attention\.self\.key",
    "value": r"attention\.self\.value",
    "attention_output": r"attention\.output\.dense",
    "feed_forward_in": r"intermediate\.dense",
    "feed_forward_out": r"layer\.\d+\.output\.dense",
    "pooler": r"pooler\.dense",
}
#: heads, what was added to a model, and all that is called otherwise than in a BERT
OTHER = "other"


def module_part(path: str) -> str:
    """The part of a BERT, a name in BERT_PARTS or "other", that the module at `path` is, or one half of."""
    found = (part for part, ending in BERT_PARTS.items() if re.search(rf"(^|\.){ending}(\.\d+)?$", path))
    return next(found, OTHER)


def layer_of(path: str) -> int | None:
    """The number of the layer, from 0, that the module at `path` stands in; None if in none."""
    found = re.search(r"(?:^|\.)(?:layer|layers|albert_layers|h)\.(\d+)\.", path)
    return int(found[1]) if found else None


def paths_of(
    model: nn.Module, parts: Collection[str] | None = None, layers: Collection[int] | None = None
) -> list[str]:
    """The paths of the Linears and Embeddings of these parts, in these layers, in the order of the model.

    Without parts, all of the encoder with its tables and pooler, of a BERT as of any other: heads are small,
    and stay as they are, with all that was added, unless "other" is named. Where the encoder has matrices
    that no Linear or Embedding holds, as GPT-2 has, a warning counts and names them. ValueError if a part is
    unknown, or if there is nothing of the kind.
    """
    names = {*BERT_PARTS, OTHER} if parts is None else set(parts)
    if unknown := names - {*BERT_PARTS, OTHER}:
        raise ValueError(f"There is no part {min(unknown)!r}: use {', '.join(BERT_PARTS)} or {OTHER}.")
    modules = _encoder_modules(model) if parts is None else dict(model.named_modules())
    paths = [
        path
        for path, module in modules.items()
        if isinstance(module, nn.Linear | nn.Embedding)
        and module_part(path) in names
        and (layers is None or layer_of(path) in layers)
    ]
    if parts is None and layers is None:
        _tell_other_matrices(model, modules)
    if not paths:
        raise ValueError(
            f"This {type(model).__name__} has no Linear or Embedding there: give other parts or layers "
            "(none for all of the encoder, ['other'] for a head or what was added)."
        )
    return paths


def left_out(model: nn.Module, paths: Collection[str]) -> dict[str, int]:
    """All parameters but the weights at these paths: how many numbers each holds, by its name.

    Norms, biases, heads, bare tensors, the matrices of other modules; one under two names counts once.
    """
    taken = {id(weight) for path in paths for weight in _own_weights(model.get_submodule(path))}
    return {name: tensor.numel() for name, tensor in model.named_parameters() if id(tensor) not in taken}


def own_weight(module: Any) -> Tensor:
    """The weight of a module, of any shape, or what lies underneath where it is computed: the parameter.

    Where there are several, the first.
    """
    return _own_weights(module)[0]


def _own_weights(module: Any) -> tuple[Tensor, ...]:
    steps = getattr(getattr(module, "parametrizations", None), "weight", None)
    return (module.weight,) if steps is None else latents_of(steps)


def _encoder_modules(model: nn.Module) -> dict[str, nn.Module]:
    """The modules under a model's head, in the order of the model; all where it has none we know of."""
    everything = dict(model.named_modules())
    heads = {path: getattr(module, "base_model_prefix", "bert") for path, module in everything.items()}
    encoders = [f"{path}.{name}".lstrip(".") for path, name in heads.items()]
    encoder = next((path for path in encoders if path in everything), "")
    added = tuple(f"{path}." for path, module in everything.items() if isinstance(module, Attached))
    return {
        path: module
        for path, module in everything.items()
        if f"{path}.".startswith(f"{encoder}." if encoder else "") and not f"{path}.".startswith(added)
    }


def _tell_other_matrices(model: nn.Module, modules: dict[str, nn.Module]) -> None:
    """Warn of matrices of these modules that are none of a Linear or an Embedding."""
    sizes = {
        f"{path}.{name}".lstrip("."): tensor.numel()
        for path, module in modules.items()
        if not isinstance(module, nn.Linear | nn.Embedding) and "parametrizations" not in path.split(".")
        for name, tensor in module.named_parameters(recurse=False)
        if tensor.dim() > 1
    }
    if sizes:
        warnings.warn(
            f"{sum(sizes.values()):,} weights of this {type(model).__name__} stay as they are, for no Linear "
            f"or Embedding holds them: {', '.join(list(sizes)[:3])}{', ...' if len(sizes) > 3 else ''}.",
            stacklevel=3,
        )


def by_layer(model: nn.Module) -> dict[str, list[str]]:
    """The paths of each layer, named "layer 0" and so on; tables and pooler are in none."""
    paths = paths_of(model)
    numbers = sorted({number for path in paths if (number := layer_of(path)) is not None})
    return {f"layer {number}": [path for path in paths if layer_of(path) == number] for number in numbers}
