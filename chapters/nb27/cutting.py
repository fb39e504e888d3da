"""Heads taken out of a layer, and what each of its parts is worth: what notebook 27 asks for."""

import torch

from lib.bert.encoder import EncoderLayer


def keep_heads(layer: EncoderLayer, kept: list[int]) -> None:
    """Leave only these heads of a layer, in this order; the layer itself becomes smaller."""
    attention = layer.attention.self
    size = len(attention.query.weight) // attention.num_heads
    features = []
    for head in kept:
        for feature in range(size):
            features.append(head * size + feature)
    for matrix in (attention.query, attention.key, attention.value):
        matrix.weight.data = matrix.weight.data[features]
        matrix.bias.data = matrix.bias.data[features]
    output = layer.attention.output.dense
    output.weight.data = output.weight.data[:, features]
    attention.num_heads = len(kept)


def part_importance(given: torch.Tensor, gradient: torch.Tensor, parts: int) -> torch.Tensor:
    """What each part of a layer is worth: for each text the size of its gate's derivative, then the mean."""
    texts, tokens, features = given.shape
    products = given * gradient
    by_part = products.view(texts, tokens, parts, features // parts)
    by_text = by_part.sum(dim=(1, 3))
    return by_text.abs().mean(dim=0)
