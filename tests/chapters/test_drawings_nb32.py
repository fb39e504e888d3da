"""Pictures of notebook 32, and its two small tasks."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from chapters.nb32 import drawings, headlines, tasks
from chapters.nb32.space import KEEP, space_of
from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer


def words(figure: Any) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_corners_show_the_rows_that_are_kept() -> None:
    ways = {"whole heads": [0, 1, 2, 3], "rows of each": [0, 1, 4, 5]}
    figure, said = drawings.draw_corners(ways, 2, (3, 5), "Corners")
    pixels: list[Any] = [axes.images[0].get_array() for axes in figure.axes]
    assert [float(table.sum()) for table in pixels] == [12.0, 12.0]
    assert "rows of each: rows 0, 1, 4, 5" in said and said.endswith("the first 3 of 5 features.")


def test_designs_are_drawn_with_their_front_and_a_limit() -> None:
    figure, said = drawings.draw_designs([3.0, 1.0, 2.0], [0.7, 0.6, 0.5], [1, 0], 2.5, "Designs")
    assert "your limit" in words(figure)
    assert "2 are on the front, from 60.0% in 1.0 ms to 70.0% in 3.0 ms. The limit is 2.5 ms." in said


def test_a_kernel_has_a_bar_for_each_place() -> None:
    kernels = {"dynamic": {"a": [0.2, 0.5, 0.3]}, "span-based": {"a": [1.0, 0.0, 0.0]}}
    figure, said = drawings.draw_kernels(kernels, "Kernels")
    assert len(figure.axes) == 2 and len(figure.axes[0].patches) >= 3
    assert said.endswith("dynamic, a: 0.20, 0.50, 0.30; span-based, a: 1.00, 0.00, 0.00.")


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
