"""How wide a network runs: all heads and neurons of each layer, or the first of them, same weights.

Which are the first is what `rewire` decides: it sorts them by importance and changes no answer. Hidden
states, embeddings and norms have all their features at every width (DynaBERT; Hou et al., 2020).

Sizes in the comments: L layers, H heads, K head size, D hidden size, F neurons.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert.hooks import replace_forward
from lib.compression.pruning.importance import importance_by_text
from lib.training.features import encoder_of
from lib.training.loop import Batch

M = TypeVar("M", bound=nn.Module)

# --- sorting --------------------------------------------------------------------------------------


@torch.no_grad()
def rewire(model: nn.Module, head_importance: Sequence[Tensor], neuron_importance: Sequence[Tensor]) -> None:
    """Put the heads and neurons of every layer in an order, the most important first, in place.

    head_importance [H] and neuron_importance [F], of each layer. Rows and columns move together, so the model
    answers as before: a head takes its rows of query, key and value along, and its columns behind them.
    ValueError where either is not of all layers.
    """
    layers: Any = encoder_of(model).encoder.layer
    if len(head_importance) != len(layers) or len(neuron_importance) != len(layers):
        raise ValueError(
            f"Importance of {len(head_importance)} and {len(neuron_importance)} layers for a model of "
            f"{len(layers)}: give a row for each layer."
        )
    for layer, of_heads, of_neurons in zip(layers, head_importance, neuron_importance, strict=True):
        _reorder_heads(layer.attention, of_heads)
        wide, narrow = layer.intermediate.dense, layer.output.dense
        there = wide.weight, wide.bias, narrow.weight, narrow.bias
        for parameter, values in zip(there, reorder_neurons(*there, of_neurons), strict=True):
            parameter.copy_(values)


def rewired(model: M, batches: Iterable[Batch]) -> M:
    """A copy that answers as the model does, its heads and neurons sorted by `importance_by_text`.

    batches: with labels.
    """
    copied = copy.deepcopy(model)
    rewire(copied, *importance_by_text(model, batches))
    return copied


def reorder_neurons(
    wide_weight: Tensor, wide_bias: Tensor, narrow_weight: Tensor, narrow_bias: Tensor, importance: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A feed-forward network with its neurons in another order, the most important first.

    wide_weight [F, D] and wide_bias [F] make the neurons, narrow_weight [D, F] and narrow_bias [D] read them;
    importance [F]. The bias that belongs to features, not to neurons, stays.
    """
    order = importance.argsort(descending=True, stable=True)
    return wide_weight[order], wide_bias[order], narrow_weight[:, order], narrow_bias


def _reorder_heads(attention: Any, importance: Tensor) -> None:
    projections = (attention.self.query, attention.self.key, attention.self.value)
    dense, size = attention.output.dense, attention.output.dense.in_features // len(importance)
    heads = importance.argsort(descending=True, stable=True)
    features = (heads[:, None] * size + torch.arange(size, device=heads.device)).flatten()  # [H * K]
    for linear in projections:
        linear.weight.copy_(linear.weight[features])
        linear.bias.copy_(linear.bias[features])
    dense.weight.copy_(dense.weight[:, features])


# --- running a part -------------------------------------------------------------------------------


def part_of_layer(num_heads: int, num_neurons: int, width: float) -> tuple[int, int]:
    """How many heads and neurons of a layer run at a width: both in the same share, rounded in heads.

    A half is rounded to the even number, as in DynaBERT's code: 0.25 of six heads are 2.
    """
    heads = round(num_heads * width)
    if not 1 <= heads <= num_heads:
        raise ValueError(f"A width of {width:g} makes {heads} of {num_heads} heads: give a share of them.")
    return heads, num_neurons * heads // num_heads


@contextmanager
def at_width(model: nn.Module, width: float) -> Iterator[None]:
    """Inside this context every layer runs with its first heads and neurons.

    What runs are views of the model's own weights: gradients reach those that ran, the others get 0. Our
    models and those of `transformers`.
    """
    with ExitStack() as stack:
        for layer in dict.fromkeys(encoder_of(model).encoder.layer):  # one that runs twice, once
            attention, dense = layer.attention.self, layer.attention.output.dense
            name = "num_heads" if hasattr(attention, "num_heads") else "num_attention_heads"
            num_heads = getattr(attention, name)
            heads, neurons = part_of_layer(num_heads, layer.intermediate.dense.out_features, width)
            stack.callback(setattr, attention, name, num_heads)
            setattr(attention, name, heads)
            size = attention.query.out_features // num_heads
            outputs = {
                attention.query: heads * size,
                attention.key: heads * size,
                attention.value: heads * size,
                dense: dense.out_features,
                layer.intermediate.dense: neurons,
                layer.output.dense: layer.output.dense.out_features,
            }
            for linear, count in outputs.items():
                stack.enter_context(replace_forward(linear, partial(first_outputs, linear, count)))
        yield


def first_outputs(linear: nn.Linear, count: int, inputs: Tensor) -> Tensor:
    """The first outputs of a dense layer, from as many of its first inputs as are given: [..., in]."""
    weight = linear.weight[:count, : inputs.size(-1)]  # a view
    return F.linear(inputs, weight, linear.bias[:count])
