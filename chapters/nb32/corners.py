"""Designs inside one large network: a layer, the whole, and a plain small one with a copy of its weights.

A design is a tuple of layers that run, each as (its number, how many heads, how many neurons): the first ones
of each. Hidden states keep all their features.

Sizes in the comments: B texts, T tokens, D features.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from lib.bert import BertForSequenceClassification
from lib.bert.alterations import prune_heads, prune_neurons
from lib.bert.encoder import EncoderLayer
from lib.compression.distillation.students import cut_student

Design = tuple[tuple[int, int, int], ...]

#: which layers run, by how many: evenly spread ones up to the last, which the classifier reads
LAYERS = {2: (2, 5), 3: (1, 3, 5), 4: (0, 2, 3, 5), 5: (0, 1, 2, 3, 5), 6: (0, 1, 2, 3, 4, 5)}
HEADS = (2, 4, 6, 8, 10, 12)
NEURONS = (192, 384, 768, 1152, 1536)


def layer_at_design(
    layer: EncoderLayer, hidden: torch.Tensor, mask: torch.Tensor, heads: int, neurons: int
) -> torch.Tensor:
    """What a layer with its first heads and its first neurons makes of hidden states."""
    attention = layer.attention.self
    size = attention.query.out_features // attention.num_heads
    rows = heads * size
    split = []
    for matrix in (attention.query, attention.key, attention.value):
        part = F.linear(hidden, matrix.weight[:rows], matrix.bias[:rows])  # [B, T, rows]
        split.append(part.unflatten(2, (heads, size)).transpose(1, 2))  # [B, heads, T, size]
    query, key, value = split
    context = F.scaled_dot_product_attention(query, key, value, mask).transpose(1, 2).flatten(2)
    dense = layer.attention.output.dense
    update = F.linear(context, dense.weight[:, :rows], dense.bias)
    hidden = layer.attention.output.LayerNorm(hidden + update)
    wide, narrow = layer.intermediate.dense, layer.output.dense
    inner = F.gelu(F.linear(hidden, wide.weight[:neurons], wide.bias[:neurons]))
    return layer.output.LayerNorm(hidden + F.linear(inner, narrow.weight[:, :neurons], narrow.bias))


def at_design(network: BertForSequenceClassification, inputs: Mapping[str, Tensor], design: Design) -> Tensor:
    """The logits [B, classes] of a network that runs as one of its designs, on its own weights."""
    bert: Any = network.bert
    hidden = bert.embeddings(inputs["input_ids"], inputs["token_type_ids"])  # [B, T, D]
    mask = inputs["attention_mask"].bool()[:, None, None]
    for number, heads, neurons in design:
        hidden = layer_at_design(bert.encoder.layer[number], hidden, mask, heads, neurons)
    logits: Tensor = network.classifier(bert.pooler(hidden))
    return logits


def near(design: Design, rng: Random) -> Design:
    """A design whose layers are alike, each of its three sizes another with a chance of one third."""
    depth, (_, heads, neurons) = len(design), design[0]
    if rng.random() < 1 / 3:
        depth = rng.choice(list(LAYERS))
    if rng.random() < 1 / 3:
        heads = rng.choice(HEADS)
    if rng.random() < 1 / 3:
        neurons = rng.choice(NEURONS)
    return tuple((layer, heads, neurons) for layer in LAYERS[depth])


def cut_out(network: BertForSequenceClassification, design: Design) -> BertForSequenceClassification:
    """A small BERT of its own with a copy of a design's weights, in eval() (notebook 27)."""
    small = cut_student(network, [number for number, _, _ in design])
    whole = network.config
    for place, (_, heads, neurons) in enumerate(design):
        layer = f"bert.encoder.layer.{place}"
        prune_heads(small, f"{layer}.attention", list(range(heads, whole.num_attention_heads)))
        prune_neurons(small, layer, list(range(neurons, whole.intermediate_size)))
    return small
