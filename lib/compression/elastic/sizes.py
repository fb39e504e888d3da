"""The sizes that one network runs at, and a copy of it at one of them, which is really smaller and faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from torch import nn

from lib.bert.alterations import prune_heads, prune_neurons
from lib.bert.validation import validate_ours
from lib.compression.distillation.students import cut_student
from lib.compression.elastic.depth import LayerRule, layers_kept, only_layers
from lib.compression.elastic.width import at_width, part_of_layer
from lib.training.features import encoder_of

M = TypeVar("M", bound=nn.Module)


@dataclass(frozen=True)
class Size:
    """A share of the heads and neurons of each layer, and a share of the layers."""

    width: float = 1.0
    depth: float = 1.0

    def __str__(self) -> str:
        return f"{self.width:g} x {self.depth:.2g}"


def sizes_of(widths: Sequence[float], depths: Sequence[float]) -> list[Size]:
    """Every pair of a width and a depth, the deepest first."""
    return [Size(width, depth) for depth in depths for width in widths]


@contextmanager
def at_size(model: nn.Module, size: Size, keep: LayerRule = layers_kept) -> Iterator[None]:
    """Inside this context the model runs at this size, with its own weights."""
    layers = keep(len(encoder_of(model).encoder.layer), size.depth)
    with only_layers(model, layers), at_width(model, size.width):
        yield


def extracted(model: M, size: Size, keep: LayerRule = layers_kept) -> M:
    """A model of its own that answers as this one does at the size; nothing else of it is in there.

    It is saved, loaded and timed like any other. Our models, as they are before any alteration.
    """
    validate_ours("model", model, "a model with its head")
    small = cut_student(model, keep(len(encoder_of(model).encoder.layer), size.depth))
    name = "bert." if hasattr(small, "bert") else ""
    for number, layer in enumerate(encoder_of(small).encoder.layer):
        place, all_heads = f"{name}encoder.layer.{number}", layer.attention.self.num_heads
        all_neurons = layer.intermediate.dense.out_features
        heads, neurons = part_of_layer(all_heads, all_neurons, size.width)
        if heads < all_heads:  # else it stays a plain BERT
            prune_heads(small, f"{place}.attention", heads=list(range(heads, all_heads)))
            prune_neurons(small, place, neurons=list(range(neurons, all_neurons)))
    return small
