"""Heads taken out of the tensors (Michel et al., 2019): a layer without some, and a whole model.

A head owns K rows of each of query, key and value, and K columns of the dense layer that mixes the heads,
whose bias belongs to nobody and stays. Without these, a layer computes what it would with the head's features
at 0.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

from torch import nn

from lib.bert import alterations
from lib.bert.encoder import EncoderLayer
from lib.bert.surgery import all_but, select_features


def prune_heads(layer: EncoderLayer, heads: Sequence[int]) -> EncoderLayer:
    """A copy of a layer without these of its heads, numbered from 0; the given layer stays as it is.

    ValueError for a number that no head has, and where none would be left.
    """
    pruned = copy.deepcopy(layer)
    attention = pruned.attention.self
    size = attention.query.out_features // attention.num_heads
    kept = all_but(attention.num_heads, heads, "heads in this layer")
    features = [head * size + feature for head in kept for feature in range(size)]
    for projection in (attention.query, attention.key, attention.value):
        select_features(projection, features, dim=0)
    select_features(pruned.attention.output.dense, features, dim=1)
    attention.num_heads = len(kept)
    return pruned


def remove_heads(model: nn.Module, chosen: Mapping[int, Sequence[int]]) -> None:
    """Take these heads of each layer out of a model, in place; it is saved and loaded without them."""
    for number, heads in chosen.items():
        alterations.prune_heads(model, f"{layers_of(model)}.{number}.attention", list(heads))


def layers_of(model: nn.Module) -> str:
    """The path of the list of layers, in a `BertModel` or in a model with a head."""
    return "bert.encoder.layer" if hasattr(model, "bert") else "encoder.layer"
