"""The two small tasks of notebook 32, its space of designs, and its headlines."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from chapters.nb32 import headlines, tasks
from chapters.nb32.space import KEEP, space_of
from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer


def test_a_marker_says_which_value_to_copy() -> None:
    torch.manual_seed(0)
    texts, answers = tasks.marked_texts(200)
    left = texts[:, 1] == tasks.LEFT
    assert torch.equal(answers, torch.where(left, texts[:, 0], texts[:, 4]))
    assert (
        60 < left.sum() < 140 and (texts[:, 2] == tasks.MIDDLE).all() and (texts[:, 3] == tasks.FILLER).all()
    )


@pytest.mark.parametrize("distance", [0, 1, 2])
def test_the_answer_stands_so_many_places_back(distance: int) -> None:
    texts, answers = tasks.texts_with_token_back(3, distance)
    assert torch.equal(answers[:, distance:], texts[:, : 9 - distance])
    assert (answers[:, :distance] == -100).all()
    reader = tasks.Reader(nn.Identity(), 8)
    assert reader(texts).shape == (3, 9, 10)


def test_the_space_has_150_designs_that_keep_the_last_layer() -> None:
    sizes: dict[str, Any] = {
        "hidden_size": 24,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 96,
    }
    space = space_of(BertForSequenceClassification(BertConfig(vocab_size=10, **sizes)))
    assert len(space.designs()) == 150
    assert space.neurons == (12, 24, 48, 72, 96) and space.heads == (2, 4, 6, 8, 10, 12)
    assert KEEP(6, 0.5) == [1, 3, 5]


def test_a_span_makes_two_kernels_of_one_token() -> None:
    first, second = tasks.middle_kernels(tasks.reader_of("dynamic", 0)).values()
    assert first == pytest.approx(second)
    first, second = tasks.middle_kernels(tasks.reader_of("span-based", 0)).values()
    assert first != pytest.approx(second) and sum(first) == pytest.approx(1)


def test_headlines_are_read_and_judged() -> None:
    train, test, texts = headlines.load()
    assert (len(train), len(test), len(texts)) == (1080, 720, 3090)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    made = headlines.batches(tokenizer, texts, 3, seed=0)
    assert [len(batch["input_ids"]) for batch in made] == [16, 16, 16]
    sizes: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2}
    torch.manual_seed(0)
    labels = {number: str(number) for number in range(9)}
    config = BertConfig(intermediate_size=8, id2label=labels, **sizes)
    model: Any = BertForSequenceClassification(config).eval()
    sorted_model: Any = headlines.rewired(model, tokenizer, train[:3])
    assert not torch.equal(
        model.bert.encoder.layer[0].output.dense.weight,
        sorted_model.bert.encoder.layer[0].output.dense.weight,
    )
    same = headlines.accuracy(model, tokenizer, test[:50])
    assert headlines.accuracy(sorted_model, tokenizer, test[:50]) == same
