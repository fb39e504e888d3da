"""The parts of a BERT: where the matrices stand that every way to compress is about.

The parts are known by their names, which are the same in our models and in `transformers`':

    paths_of(model)  # all of them
    paths_of(model, ["query", "key"], layers=[0, 1])
    by_part(model)["feed_forward_in"]
"""

from __future__ import annotations

import re
from collections.abc import Collection

from torch import nn

#: the parts of a BERT, by how the paths of their modules end
PARTS = {
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
#: heads, what was added to a model, and all of a model that is no BERT
OTHER = "other"


def part_of(path: str) -> str:
    """The part of a BERT, a name in PARTS or "other", that the module at `path` is, or one half of."""
    found = (part for part, ending in PARTS.items() if re.search(rf"(^|\.){ending}(\.\d+)?$", path))
    return next(found, OTHER)


def layer_of(path: str) -> int | None:
    """The number of the layer, from 0, that the module at `path` stands in; None if in none."""
    found = re.search(r"(?:^|\.)layer\.(\d+)\.", path)
    return int(found[1]) if found else None


def paths_of(
    model: nn.Module, parts: Collection[str] | None = None, layers: Collection[int] | None = None
) -> list[str]:
    """The paths of the Linears and Embeddings of these parts, in these layers, in the order of the model.

    Without parts, all of the encoder with its tables and pooler: heads are small, and stay as they are unless
    "other" is named. ValueError if a part is unknown, or if there is nothing of the kind.
    """
    names = set(PARTS if parts is None else parts)
    if unknown := names - {*PARTS, OTHER}:
        raise ValueError(f"There is no part {min(unknown)!r}: use {', '.join(PARTS)} or {OTHER}.")
    paths = [
        path
        for path, module in model.named_modules()
        if isinstance(module, nn.Linear | nn.Embedding)
        and part_of(path) in names
        and (layers is None or layer_of(path) in layers)
    ]
    if not paths:
        raise ValueError(
            f"This {type(model).__name__} has no Linear or Embedding there: give other parts or layers "
            "(parts=['other'] for a model that is no BERT)."
        )
    return paths


def by_part(model: nn.Module) -> dict[str, list[str]]:
    """The paths of each part of a BERT."""
    paths = paths_of(model)
    paths_of_part = {part: [path for path in paths if part_of(path) == part] for part in PARTS}
    return {part: paths for part, paths in paths_of_part.items() if paths}


def by_layer(model: nn.Module) -> dict[str, list[str]]:
    """The paths of each layer of a BERT, named "layer 0" and so on."""
    paths = paths_of(model)
    numbers = sorted({number for path in paths if (number := layer_of(path)) is not None})
    return {f"layer {number}": [path for path in paths if layer_of(path) == number] for number in numbers}
