"""Pictures of notebook 32, and its two small tasks."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from chapters.nb32 import drawings, tasks
from chapters.nb32.errata import ERRATA
from chapters.nb32.space import KEEP, space_of
from lib.bert import BertConfig, BertForSequenceClassification


def words(figure: Any) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_predicted_times_are_drawn_with_their_largest_error() -> None:
    measured = {"seen": [1.0, 2.0], "unseen": [4.0]}
    figure, said = drawings.draw_predicted(measured, {"seen": [1.1, 2.0], "unseen": [3.0]}, "Times")
    assert said.endswith(
        "seen: 2 designs of 1.0 to 2.0 ms, at most 10% off; unseen: 1 designs of 4.0 to 4.0 ms, at most 25%"
        " off."
    )
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["seen", "unseen"]


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


def test_the_share_of_a_twelfth() -> None:
    assert [erratum.recompute() for erratum in ERRATA] == [
        "of the printed FLOPs, 2.0 of 22.5 billion, 8.9%; of the multiplications in the layers 8.3%, the"
        " share of heads and neurons"
    ]
