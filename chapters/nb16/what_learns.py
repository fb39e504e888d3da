"""What of a model learns, and how fast each layer learns."""

from __future__ import annotations

from typing import Any


def train_top(model: Any, k: int) -> None:
    """Freeze the model, except for its top k encoder layers, its pooler and its classifier."""
    for weight in model.parameters():
        weight.requires_grad = False
    layers = model.bert.encoder.layer
    for layer in layers[len(layers) - k :]:
        layer.requires_grad_(True)
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)


def layer_groups(model: Any, top: float, decay: float) -> list[dict[str, Any]]:
    """The groups of an optimizer: pooler, classifier and last layer learn at `top`, parts below more slowly.

    Each layer has `decay` times the rate of the layer above it, and the embeddings that of a layer below
    layer 0.
    """
    above = [*model.bert.pooler.parameters(), *model.classifier.parameters()]
    groups = [{"params": above, "lr": top}]
    rate = top
    for layer in reversed(model.bert.encoder.layer):
        groups.append({"params": list(layer.parameters()), "lr": rate})
        rate = decay * rate
    groups.append({"params": list(model.bert.embeddings.parameters()), "lr": rate})
    return groups
