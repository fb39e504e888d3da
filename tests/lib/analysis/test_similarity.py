"""Sentence vectors: padding takes no part, and the cosine is the library's."""

from typing import Any

import pytest
import torch

from lib.analysis.vectors.similarity import cosine, embed, sense_margins
from lib.bert import BertModel, WordPieceTokenizer


def test_cosine_equals_torch():
    one, other = torch.randn(3, 5), torch.randn(4, 5)
    expected = torch.nn.functional.cosine_similarity(one[:, None], other[None], dim=-1)
    assert torch.allclose(cosine(one, other), expected, atol=1e-6)


def test_sense_margins_leave_the_vector_itself_out():
    left, right = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    senses = torch.tensor([False, False, True, True])
    assert torch.allclose(sense_margins(torch.stack([left, left, right, right]), senses), torch.ones(4))
    astray = sense_margins(torch.stack([left, right, right, right]), senses)
    assert astray[1] < 0  # nearest to the other sense, though its own average would hold itself


def test_a_text_has_the_same_vector_in_any_batch():
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    texts = ["paris is the capital of france", "i love this class", "a cat"]
    together = embed(model, tokenizer, texts)
    alone = torch.cat([embed(model, tokenizer, [text]) for text in texts])
    assert together.shape == (3, 384)
    assert torch.allclose(together, alone, atol=1e-5)
    assert torch.allclose(embed(model, tokenizer, texts, batch_size=2), together, atol=1e-5)


def test_embed_refuses_what_it_would_misread():
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    wrong: list[Any] = ["hello", []]
    for texts in wrong:
        with pytest.raises(ValueError, match="list of at least one text"):
            embed(model, tokenizer, texts)
    assert embed(model, tokenizer, ["word " * 600]).shape == (1, 384)
    with pytest.raises(ValueError, match="training mode"):
        embed(model.train(), tokenizer, ["hello"])
