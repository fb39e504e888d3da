"""Which layers of a network run: all of them, or evenly spaced ones, with the same weights.

Layers are counted from 0, as in `encoder.layer.0`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from torch import nn

from lib.training.features import encoder_of

#: how many layers there are, and the share of them that is to run, to the layers that do
LayerRule = Callable[[int, float], list[int]]


def layers_kept(num_layers: int, depth: float) -> list[int]:
    """The layers that run at a depth: the whole part of i / depth, for i = 0, 1, ... (DynaBERT's code).

    Of twelve, half are 0, 2, 4, ..., 10, as LayerDrop keeps them (Fan et al., 2020). The first layer always
    runs; the last never does, but in the whole network. ValueError where depth * num_layers is not whole.
    """
    count = _whole(num_layers, depth)
    return [place * num_layers // count for place in range(count)]


def layers_kept_with_last(num_layers: int, depth: float) -> list[int]:
    """The last layer of each group where `layers_kept` takes the first, so that the last one always runs.

    It is i / depth - 1 for i = 1, 2, ..., as PaddlePaddle's version of DynaBERT has it.
    """
    count = _whole(num_layers, depth)
    return [place * num_layers // count - 1 for place in range(1, count + 1)]


def _whole(num_layers: int, depth: float) -> int:
    """How many layers run."""
    count = round(depth * num_layers)
    if not 1 <= count <= num_layers or abs(count - depth * num_layers) > 1e-6:
        raise ValueError(
            f"A depth of {depth:g} makes {depth * num_layers:g} of {num_layers} layers: choose one that "
            f"makes a whole number from 1 to {num_layers}."
        )
    return count


@contextmanager
def only_layers(model: nn.Module, layers: Sequence[int]) -> Iterator[None]:
    """Inside this context these layers of the model run, in this order, and no others; none is a choice too.

    Nothing is copied. Hidden states are those between the layers that run, so there is one more than layers.
    Our models and those of `transformers`.
    """
    encoder = encoder_of(model).encoder
    all_layers = encoder.layer
    if not all(0 <= layer < len(all_layers) for layer in layers):
        raise ValueError(
            f"The layers {list(layers)} of {len(all_layers)}: give numbers from 0 to {len(all_layers) - 1}."
        )
    encoder.layer = nn.ModuleList(all_layers[layer] for layer in layers)
    try:
        yield
    finally:
        encoder.layer = all_layers
