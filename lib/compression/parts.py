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
from collections.abc import Collection, Iterable
from typing import Any

from torch import Tensor, nn

from lib.bert.attached import Attached
from lib.bert.model import PreTrainedBert
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

    Without parts, all of the encoder with its tables and pooler, of a BERT as of any other, and of each where
    there are several: heads are small, and stay as they are, with all that was added, unless "other" is
    named. What else stays is counted and named by a warning: matrices that no Linear or Embedding holds, as
    in GPT-2, what somebody put beside an encoder, and one of several encoders that has none of the parts.
    ValueError if a part is unknown, or if there is nothing of the kind.
    """
    names = {*BERT_PARTS, OTHER} if parts is None else set(parts)
    if unknown := names - {*BERT_PARTS, OTHER}:
        raise ValueError(f"There is no part {min(unknown)!r}: use {', '.join(BERT_PARTS)} or {OTHER}.")
    within, without = (_encoders(model), _added(model)) if parts is None else ([""], [])
    paths = [
        path
        for path, module in model.named_modules()
        if isinstance(module, nn.Linear | nn.Embedding)
        and _is_under(path, within)
        and not _is_under(path, without)
        and module_part(path) in names
        and (layers is None or layer_of(path) in layers)
    ]
    if not paths:
        raise ValueError(
            f"This {type(model).__name__} has no Linear or Embedding there: give other parts or layers "
            "(none for all of the encoder, ['other'] for a head or what was added)."
        )
    if parts is None and layers is None:
        _tell_what_stays(model, paths)
    elif names != {OTHER}:
        _tell_encoders_without(model, paths)
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


def answering(model: nn.Module) -> str:
    """The path of the Linear that gives the answer: the last beside the encoder, or of all if none is beside.

    Not the last of the model: some classes register their head before the encoder.
    """
    linears = [path for path, module in model.named_modules() if isinstance(module, nn.Linear)]
    encoders = _encoders(model)
    return ([path for path in linears if not _is_under(path, encoders)] or linears)[-1]


def _heads(model: nn.Module) -> dict[str, str]:
    """By the path of what has a head, that of the encoder under it, which its class names."""
    modules, heads = dict(model.named_modules()), {}
    for path, module in modules.items():
        encoder = f"{path}.{getattr(module, 'base_model_prefix', '') or 'bert'}".lstrip(".")
        if encoder in modules:
            heads[path] = encoder
    return heads


def _encoders(model: nn.Module) -> list[str]:
    """The paths of the encoders, however many and wherever in a model; its own, "", where none is known.

    Each is what stands under a head, or a model of a library that holds none.
    """
    heads, encoders = _heads(model), list[str]()
    for path, module in model.named_modules():  # what holds others comes before them
        holds_a_head = any(_is_under(head, [path]) for head in heads)
        is_one = path in heads.values() or _is_known(module)
        if is_one and not holds_a_head and not _is_under(path, encoders):
            encoders.append(path)
    return encoders or [""]


def _is_known(module: nn.Module) -> bool:
    return isinstance(module, PreTrainedBert) or hasattr(module, "base_model_prefix")


def _is_under(path: str, above: Iterable[str]) -> bool:
    """Whether a path is one of those above, or leads into one."""
    return any(not parent or f"{path}.".startswith(f"{parent}.") for parent in above)


def _added(model: nn.Module) -> list[str]:
    return [path for path, module in model.named_modules() if isinstance(module, Attached)]


def _tell_what_stays(model: nn.Module, paths: Collection[str]) -> None:
    """Warn of matrices that are none of these, but for Linears of known heads and what was added."""
    heads = [path for path in _heads(model) if _is_known(model.get_submodule(path))]
    added, sizes = _added(model), dict[str, int]()
    for name, count in left_out(model, paths).items():
        path = name.rpartition(".")[0]
        is_linear = isinstance(model.get_submodule(path), nn.Linear | nn.Embedding)
        is_meant = _is_under(path, added) or (is_linear and _is_under(path, heads))
        if model.get_parameter(name).dim() > 1 and "parametrizations" not in path and not is_meant:
            sizes[name] = count
    if sizes:
        names = ", ".join(list(sizes)[:3]) + (", ..." if len(sizes) > 3 else "")
        warnings.warn(
            f"{sum(sizes.values()):,} weights of this {type(model).__name__} stay as they are, for in its "
            f"encoder no Linear or Embedding holds them: {names}.",
            stacklevel=3,
        )


def _tell_encoders_without(model: nn.Module, paths: Collection[str]) -> None:
    """Warn of encoders that have none of these paths, where others have: their parts are called otherwise."""
    encoders = _encoders(model)
    without = [encoder for encoder in encoders if not any(_is_under(path, [encoder]) for path in paths)]
    count = sum(weight.numel() for encoder in without for weight in model.get_submodule(encoder).parameters())
    if 0 < len(without) < len(encoders):
        warnings.warn(
            f"All {count:,} weights of {', '.join(without)} in this {type(model).__name__} stay as they are, "
            "for nothing there is called so: give paths.",
            stacklevel=3,
        )


def by_layer(model: nn.Module) -> dict[str, list[str]]:
    """The paths of each layer, named "layer 0" and so on; tables and pooler are in none."""
    paths = paths_of(model)
    numbers = sorted({number for path in paths if (number := layer_of(path)) is not None})
    return {f"layer {number}": [path for path in paths if layer_of(path) == number] for number in numbers}
