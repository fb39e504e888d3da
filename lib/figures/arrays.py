"""Numbers on their way into a drawing: tensors, arrays and lists become checked float64 arrays."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def to_array(values: Any, name: str, dims: str) -> Array:
    """Copy a tensor, array or nested list of numbers into a float64 array.

    `dims` names the expected dimensions, such as `"T, T"`; a wrong number of them, an empty one,
    or a number that is not finite raises a ValueError that names `name`.
    """
    if hasattr(values, "detach"):  # a tensor, perhaps in half precision, which NumPy may not know
        values = values.detach().cpu().double().numpy()
    array = np.array(values, dtype=np.float64)
    wanted = dims.count(",") + 1
    if array.ndim != wanted or array.size == 0:
        raise ValueError(f"{name} has shape {list(array.shape)}; it should be [{dims}].")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds a number that is not finite; replace NaN and inf first.")
    return array


def to_layers(attentions: Any, chosen: Sequence[int] | None = None) -> tuple[Array, list[int]]:
    """Stack attention weights of the chosen layers (None: of all) into `[L, H, T, T]`, with their numbers.

    Takes what a model returns (a tuple of tensors `[1, H, T, T]`), a list of blocks `[H, T, T]`, or one array
    `[L, H, T, T]`. Layers that are not chosen may have lost heads. A batch of more than one text, layers of
    two texts, and chosen ones with unlike numbers of heads raise a ValueError.
    """
    if isinstance(attentions, Mapping) or not isinstance(attentions, Iterable | None):
        raise ValueError(
            f"There are no attention weights in a {type(attentions).__name__}: give what the model "
            "answers as attentions, output.attentions."
        )
    layers = []
    for number, layer in enumerate(() if attentions is None else attentions):
        if getattr(layer, "ndim", 3) == 4:
            if len(layer) != 1:
                raise ValueError(
                    f"The attention of layer {number} is of {len(layer)} texts; "
                    "choose one, for instance with a[:1]."
                )
            layer = layer[0]
        if layer is not None:
            layers.append(to_array(layer, f"The attention of layer {number}", "H, T, T"))
    if not layers:
        raise ValueError(
            "There are no attention weights; ask the model for them with output_attentions=True "
            "(and load a transformers model with attn_implementation='eager')."
        )
    if len({length for layer in layers for length in layer.shape[1:]}) != 1:
        shapes = ", ".join(str(list(layer.shape)) for layer in layers)
        raise ValueError(
            f"The layers differ in shape ({shapes}); give self-attention [H, T, T] of one model on one text."
        )
    numbers = check_chosen(chosen, len(layers), "layers")
    heads = [len(layers[number]) for number in numbers]
    if len(set(heads)) != 1:
        alike = [number for number, count in zip(numbers, heads, strict=True) if count == heads[0]]
        raise ValueError(
            f"The layers differ in shape, they have {', '.join(map(str, heads))} heads; choose some that are "
            f"alike, such as layers={alike}."
        )
    return np.stack([layers[number] for number in numbers]), numbers


def check_tokens(tokens: Sequence[str], length: int, what: str) -> list[str]:
    """Return the tokens as a list, or raise a ValueError where their number is not `length`."""
    tokens = [str(token) for token in tokens]
    if len(tokens) != length:
        raise ValueError(f"There are {len(tokens)} tokens for {length} {what}; give one for each.")
    return tokens


def check_chosen(chosen: Sequence[int] | None, count: int, what: str) -> list[int]:
    """Return the chosen indices (all of `count` for None), or raise a ValueError."""
    indices = list(range(count)) if chosen is None else [int(index) for index in chosen]
    if not indices or not all(0 <= index < count for index in indices):
        raise ValueError(f"{what}={indices} is not possible; choose from 0 to {count - 1}.")
    return indices
