"""The designs of notebook 32 inside one network, its searches, and its two small tasks."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from chapters.nb32 import corners, large_space, recorded, tasks
from chapters.nb32.space import KEEP, space_of
from lib.bert import BertConfig, BertForSequenceClassification


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


def small_classifier() -> Any:
    """Six layers of four heads and twenty neurons, for nine classes."""
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 24, "num_hidden_layers": 6, "num_attention_heads": 4}
    config = BertConfig(vocab_size=30, intermediate_size=20, id2label=dict(enumerate("abcdefghi")), **sizes)
    return BertForSequenceClassification(config).eval()


def example_inputs() -> dict[str, Tensor]:
    """Two texts, the second padded."""
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    ids = torch.arange(5, 15).view(2, 5) * mask
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": torch.zeros_like(ids)}


@pytest.mark.parametrize(
    "design", [((5, 1, 3),), ((0, 4, 20), (3, 2, 7), (5, 3, 1)), tuple((layer, 4, 20) for layer in range(6))]
)
@torch.no_grad()
def test_inv_a_design_inside_answers_as_the_plain_small_model(design: corners.Design) -> None:
    network, inputs = small_classifier(), example_inputs()
    small = corners.cut_out(network, design)
    torch.testing.assert_close(corners.at_design(network, inputs, design), small(**inputs).logits)
    assert len(small.bert.encoder.layer) == len(design)
    if len(design) == 6:
        torch.testing.assert_close(small(**inputs).logits, network(**inputs).logits)


def test_a_step_reaches_the_corner_alone() -> None:
    network = small_classifier()
    corners.at_design(network, example_inputs(), ((2, 1, 5), (5, 4, 20))).sum().backward()
    layers = network.bert.encoder.layer
    moved = layers[2].attention.self.query.weight.grad.abs().sum(dim=1) > 0
    assert moved.tolist() == [True] * 6 + [False] * 18
    assert (layers[2].output.dense.weight.grad.abs().sum(dim=0) > 0).tolist() == [True] * 5 + [False] * 15
    assert layers[3].output.dense.weight.grad is None


def test_the_layers_are_those_of_the_record() -> None:
    assert {depth: list(kept) for depth, kept in corners.LAYERS.items()} == {
        depth: KEEP(6, depth / 6) for depth in range(2, 7)
    }
    assert len(large_space.SAME_IN_ALL_LAYERS) == len(recorded.scores(large_space.SAME_IN_ALL_LAYERS)[0][0])


def test_a_search_keeps_the_limit_and_evolution_climbs() -> None:
    found = {
        at_random: large_space.search(lambda design: -sum(one[1] for one in design), at_random, seed=0)
        for at_random in (large_space.FIRST, large_space.TRIES)
    }
    for judged in found.values():
        assert len(judged) == large_space.TRIES
        assert all(large_space.milliseconds(design) <= large_space.LIMIT for design in judged)
    assert max(found[large_space.FIRST].values()) > max(found[large_space.TRIES].values())


def test_the_recorded_searches_are_whole() -> None:
    kinds = [recorded.best_after(kind) for kind in ("evolution", "at random")]
    assert len(kinds[0]) == len(kinds[1]) == len(large_space.SEARCHES)
    assert recorded.PLACES == large_space.PLACES
    for best in kinds[0] + kinds[1]:
        assert list(best) == sorted(best) and len(best) == len(recorded.PLACES)
    first, last, sorts, alike = recorded.ahead()
    assert (first, last) == (
        "recorded, after 30: evolution ahead in 5 of 6",
        "recorded, after 120: evolution ahead in 6 of 6",
    )
    assert sorts.endswith("evolution 76.5%, at random 75.2%") and alike.endswith("73.2%")


def test_ghosts_are_told_by_task() -> None:
    headlines, sst2 = recorded.ghosts()
    assert headlines.endswith("resolved: softmax at a quarter, raw at a twelfth")
    assert sst2.endswith("resolved: none")


def test_near_designs_stay_in_the_small_space() -> None:
    rng, design = random.Random(0), large_space.SAME_IN_ALL_LAYERS[70]
    found = {corners.near(design, rng) for _ in range(200)}
    assert design in found and len(found) > 20 and found <= {*large_space.SAME_IN_ALL_LAYERS}
