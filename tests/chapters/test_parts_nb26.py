"""The six parts that notebook 26 scans hold every dense layer of the encoder once."""

from tiny_berts import ours
from torch import nn

from chapters.nb26 import parts


def test_every_dense_layer_of_the_encoder_is_in_one_part() -> None:
    model = ours(num_hidden_layers=4)
    six = parts.six_parts(model)
    assert list(six)[:2] == ["lower attention", "lower feed-forward in"] and len(six) == 6
    assert [len(layers) for layers in six.values()] == [8, 2, 2] * 2
    held = [id(layer) for layers in six.values() for layer in layers]
    dense = [id(module) for module in model.bert.encoder.modules() if isinstance(module, nn.Linear)]
    assert sorted(held) == sorted(dense)
    assert six["upper feed-forward out"][0] is model.bert.encoder.layer[2].output.dense
