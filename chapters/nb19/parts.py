"""The parts of a BERT, whose shares of bytes, work and time are told."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from torch import nn

from lib.bert import BertForSequenceClassification
from lib.bert.encoder import EncoderLayer


def parts_of(model: BertForSequenceClassification) -> Mapping[str, Sequence[nn.Module]]:
    """The modules of each part; a feed-forward network has two in every layer."""
    layers = cast(Iterable[EncoderLayer], model.bert.encoder.layer)
    attention: list[nn.Module] = []
    feed_forward: list[nn.Module] = []
    for layer in layers:
        attention.append(layer.attention)
        feed_forward += [layer.intermediate, layer.output]
    assert model.bert.pooler is not None  # a classifier has one
    return {
        "embeddings": [model.bert.embeddings],
        "attention": attention,
        "feed-forward": feed_forward,
        "pooler": [model.bert.pooler],
    }
