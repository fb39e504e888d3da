"""What notebook 08 cuts out of MiniLM: the update of a half, or its sum, as long as the context lasts."""

from typing import Any

import pytest
import torch

from chapters.nb08 import cuts
from lib.bert import BertModel, WordPieceTokenizer


@pytest.fixture(scope="module")
def minilm() -> BertModel:
    return BertModel.from_pretrained("minilm").eval()


def states(model: BertModel) -> list[torch.Tensor]:
    batch = WordPieceTokenizer.from_pretrained("minilm")("i love this class")
    with torch.no_grad():
        return list(model(**batch, output_hidden_states=True).hidden_states)


def test_the_cuts_are_what_they_say(minilm: BertModel) -> None:
    whole = states(minilm)
    layer: Any = minilm.encoder.layer[0]
    with torch.no_grad():
        middle = layer.attention(whole[0])
        first = layer.attention.output
        alone = first.LayerNorm(first.dense(layer.attention.self(whole[0])))
        alone = layer.output.LayerNorm(layer.output.dense(layer.intermediate(alone)))
    with cuts.without_feed_forward(minilm):
        assert torch.allclose(states(minilm)[1], layer.output.LayerNorm(middle), atol=1e-5)
    with cuts.without_sums(minilm):
        assert torch.allclose(states(minilm)[1], alone, atol=1e-5)
    with torch.no_grad():
        last_alone = layer.output.LayerNorm(layer.output.dense(layer.intermediate(middle)))
    with cuts.without_sums(minilm, "feed-forward"):
        assert torch.allclose(states(minilm)[1], last_alone, atol=1e-5)
    with cuts.without_sums(minilm, "attention"):
        assert not torch.allclose(states(minilm)[1], alone, atol=1e-1)
    with pytest.raises(ValueError, match="no sums of 'norm'"), cuts.without_sums(minilm, "norm"):
        pass
    assert all(torch.equal(one, other) for one, other in zip(whole, states(minilm), strict=True))
