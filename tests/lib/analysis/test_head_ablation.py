"""Heads switched off, weights exchanged, and the loss without them: small cases by hand."""

import pytest
import torch
from tiny_berts import ours

from lib.analysis.attention import head_ablation
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.attention import capture_attentions
from lib.text.masking import IGNORED


@pytest.fixture
def model() -> BertForMaskedLM:
    masked_lm: BertForMaskedLM = ours(BertForMaskedLM, num_attention_heads=4)
    return masked_lm


def test_a_head_off_is_a_head_without_output_weights(model: BertForMaskedLM) -> None:
    """Silencing a head is the same as zeroing its columns of the dense layer that mixes the heads."""
    ids = torch.tensor([[2, 5, 6, 7, 3]])
    before = model.bert(ids).last_hidden_state
    with head_ablation.heads_off(model.bert, [(1, 2), (0, 0)]):
        off = model.bert(ids).last_hidden_state
    torch.testing.assert_close(model.bert(ids).last_hidden_state, before)
    with torch.no_grad():
        for layer, head in [(1, 2), (0, 0)]:
            dense = model.bert.get_submodule(f"encoder.layer.{layer}.attention.output.dense")
            assert isinstance(dense, torch.nn.Linear)
            dense.weight[:, 4 * head : 4 * head + 4] = 0
    torch.testing.assert_close(model.bert(ids).last_hidden_state, off)
    with (
        pytest.raises(ValueError, match="no head 4 in layer 0"),
        head_ablation.heads_off(model.bert, [(0, 4)]),
    ):
        pass


def test_other_weights_do_what_they_say(model: BertForMaskedLM) -> None:
    ids = torch.tensor([[2, 5, 6, 7, 3], [2, 6, 7, 8, 3]])
    before = model.bert(ids).last_hidden_state
    with head_ablation.other_weights(model.bert, lambda weights: weights, [0, 1]):
        torch.testing.assert_close(model.bert(ids).last_hidden_state, before)
    with head_ablation.other_weights(model.bert, head_ablation.shuffled, [1]):
        assert not torch.allclose(model.bert(ids).last_hidden_state, before)
    with capture_attentions(model.bert) as maps:
        model.bert(ids)
    dealt = head_ablation.shuffled(maps[0])
    torch.testing.assert_close(dealt.sort(-1).values, maps[0].sort(-1).values)


def test_losses_are_those_of_the_hidden_pieces(model: BertForMaskedLM) -> None:
    ids = torch.tensor([[2, 4, 6, 7, 3]])
    labels = torch.tensor([[IGNORED, 5, IGNORED, IGNORED, IGNORED]])
    expected = model(ids, labels=labels).loss.detach()
    assert float(head_ablation.losses(model, [(ids, labels)])[0]) == pytest.approx(float(expected), abs=1e-5)


def test_text_is_hidden_alike_for_a_seed() -> None:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    (ids, labels), _ = head_ablation.hidden_batches(tokenizer, 2, seed=1)
    assert torch.equal(head_ablation.hidden_batches(tokenizer, 2, seed=1)[0][0], ids)
    assert not torch.equal(head_ablation.hidden_batches(tokenizer, 2, seed=2)[0][0], ids)
    chosen = labels != IGNORED
    assert (ids[chosen] == tokenizer.mask_token_id).all() and 0.1 < chosen.float().mean() < 0.2
    assert not chosen[:, [0, -1]].any() and ids.shape == (8, 64)
    with pytest.raises(ValueError, match="ask for fewer"):
        head_ablation.hidden_batches(tokenizer, 999, seed=1)
