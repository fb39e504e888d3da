"""The parts of an encoder that notebook 26 scans."""

from torch import nn

from lib.bert.heads import BertForMaskedLM, BertForSequenceClassification

#: what they are called, and the module of a layer that holds their dense layers
INSIDE = {"attention": "attention", "feed-forward in": "intermediate", "feed-forward out": "output"}


def six_parts(model: BertForSequenceClassification) -> dict[str, list[nn.Linear]]:
    """The dense layers of each half of the encoder: of attention, and of feed-forward, in and out."""
    layers = list(model.bert.encoder.layer)
    half = len(layers) // 2
    return {
        f"{name} {kind}": [
            dense
            for layer in chosen
            for dense in getattr(layer, inside).modules()
            if isinstance(dense, nn.Linear)
        ]
        for name, chosen in {"lower": layers[:half], "upper": layers[half:]}.items()
        for kind, inside in INSIDE.items()
    }


def dense_layers(model: BertForMaskedLM | BertForSequenceClassification) -> list[nn.Linear]:
    """All dense layers of a model's encoder, in the order in which a text goes through them."""
    return [module for module in model.bert.encoder.modules() if isinstance(module, nn.Linear)]
