"""What notebook 08 cuts out of a model, as long as a context lasts: the feed-forward networks, or the sums.

Each half of a layer ends with a dense layer, the sum with what came into the half, and a layer norm. `given`
holds what reaches that end: the vectors for the dense layer, and the vectors that came into the half.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from lib.bert import BertModel
from lib.bert.attention import AddAndNorm
from lib.bert.hooks import hooked


def _without_update(half: AddAndNorm, given: tuple[Tensor, Tensor], _out: Tensor) -> Tensor:
    came_in = given[1]
    normalized: Tensor = half.LayerNorm(came_in)
    return normalized


def _without_sum(half: AddAndNorm, given: tuple[Tensor, Tensor], _out: Tensor) -> Tensor:
    update = half.dense(given[0])
    normalized: Tensor = half.LayerNorm(update)
    return normalized


@contextmanager
def without_feed_forward(model: BertModel) -> Iterator[None]:
    """No feed-forward network: what comes into that half of a layer is only normalized."""
    layers: list[Any] = list(model.encoder.layer)
    halves = [layer.output for layer in layers]
    with hooked(halves, after=_without_update):
        yield


@contextmanager
def without_sums(model: BertModel, of: str = "both") -> Iterator[None]:
    """No sums: a half of a layer passes on its update alone, normalized.

    `of` says whose sums are cut: "attention", "feed-forward" or "both".
    """
    if of not in ("attention", "feed-forward", "both"):
        raise ValueError(f"There are no sums of {of!r}: name “attention”, “feed-forward” or “both”.")
    layers: list[Any] = list(model.encoder.layer)
    halves = []
    if of != "feed-forward":
        halves += [layer.attention.output for layer in layers]
    if of != "attention":
        halves += [layer.output for layer in layers]
    with hooked(halves, after=_without_sum):
        yield
