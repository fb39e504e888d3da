"""What a BERT weighs and what it costs, by formula; tests hold the formulas to the model itself.

Sizes: V pieces, P positions, D hidden size, F intermediate size, L layers, n tokens.
"""

from collections.abc import Callable
from typing import Any

from lib.analysis.cost import timing
from lib.bert import BertConfig, BertModel


def count_parameters(config: BertConfig) -> dict[str, int]:
    """How many weights each part of a `BertModel` has; their sum is the number it is known by.

    BERT-base has 109,482,240, of which 24 M are a lookup table (Devlin et al., 2019, print 110 M).
    """
    size, wide = config.hidden_size, config.intermediate_size
    norm = 2 * size  # a weight and a bias for each feature
    rows = config.vocab_size + config.max_position_embeddings + config.type_vocab_size
    attention = 4 * (size * size + size) + norm  # query, key, value, output: each with its bias
    feed_forward = (size * wide + wide) + (wide * size + size) + norm
    return {
        "embeddings": rows * size + norm,
        "attention": config.num_hidden_layers * attention,
        "feed-forward": config.num_hidden_layers * feed_forward,
        "pooler": size * size + size,
    }


def count_multiplications(config: BertConfig, length: int) -> dict[str, int]:
    """Multiply-adds of the encoder's matrix products for one text of `length` tokens.

    One multiply-add is two floating-point operations (FLOPs), which is where printed figures differ by
    a factor of 2. Left out are lookups, norms, softmax and GELU: under one percent of the work.
    """
    size, wide, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    return {
        "projections": layers * length * 4 * size * size,
        "attention": layers * length * 2 * length * size,  # scores and averages: n x n x D each
        "feed-forward": layers * length * 2 * size * wide,
    }


def count_training(config: BertConfig, length: int, targets: float) -> float:
    """Multiply-adds of one training step on one text of `length` tokens with `targets` places to guess.

    Forward through the encoder, and through the masked-LM head at the targets alone; backward costs twice as
    much, for every product has two factors to find gradients for (Kaplan et al., 2020, section 2.1).
    """
    head = config.hidden_size**2 + config.hidden_size * config.vocab_size
    return 3 * (sum(count_multiplications(config, length).values()) + targets * head)


def measure_seconds(model: BertModel, call: Callable[[], object]) -> dict[str, float]:
    """The median seconds that one `call` of the model spends in each part, named as above.

    "attention" is what self-attention does between its dense layers; "lookup" and "norms" are the
    parts that the multiplications leave out.
    """
    layers: list[Any] = list(model.encoder.layer)
    inside = [getattr(layer.attention.self, part) for layer in layers for part in ("query", "key", "value")]
    parts = {
        "lookup": [model.embeddings],
        "query, key, value": inside,
        "projections": inside + [layer.attention.output.dense for layer in layers],
        "attention": [layer.attention.self for layer in layers],
        "feed-forward": [half for layer in layers for half in (layer.intermediate, layer.output.dense)],
        "norms": [half.LayerNorm for layer in layers for half in (layer.attention.output, layer.output)],
    }
    seconds = timing.seconds_by_part(parts, call)
    seconds["attention"] -= seconds.pop("query, key, value")
    return seconds
