"""The parts of a BERT, whose shares of bytes, work and time are told."""

from collections.abc import Mapping, Sequence

from torch import nn

from lib.bert import BertForSequenceClassification


def parts_of(model: BertForSequenceClassification) -> Mapping[str, Sequence[nn.Module]]:
    """The modules of each part; a feed-forward network has two in every layer."""
    layers = list(model.bert.encoder.layer)
    feed_forward = [layer.intermediate for layer in layers] + [layer.output for layer in layers]
    return {
        "embeddings": [model.bert.embeddings],
        "attention": [layer.attention for layer in layers],
        "feed-forward": feed_forward,
        "pooler": [model.bert.pooler],
    }
