"""XLNet's masks: who sees whom, as the library's XLNet has it, and sums that are 1."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor

from chapters.nb37 import two_streams
from chapters.nb37.two_streams import Masks, attend, every_order, every_sequence, permutation_masks


class TwoStreams:
    """The model of the notebook's page: random weights, two layers of one head."""

    def __init__(self, vocab_size: int = 3, length: int = 3, size: int = 8, layers: int = 2, seed: int = 0):
        generator = torch.Generator().manual_seed(seed)

        def drawn(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=generator)

        self.words, self.places, self.nobody = drawn(vocab_size, size), drawn(length, size), drawn(size)
        self.layers = [drawn(3, size, size) / math.sqrt(size) for _ in range(layers)]

    def __call__(self, ids: Tensor, masks: Masks) -> Masks:
        """Log probabilities [n, V] that the content and the query stream give at each place."""
        content_mask, query_mask = masks
        content = self.words[ids] + self.places  # [n, D]: which token, and where
        query = self.nobody + self.places  # [n, D]: where alone
        for layer in self.layers:
            query = query + attend(query, content, query_mask, layer)
            content = content + attend(content, content, content_mask, layer)
        return (content @ self.words.T).log_softmax(dim=-1), (query @ self.words.T).log_softmax(dim=-1)


def test_from_left_to_right_it_is_a_language_model() -> None:
    content, query = permutation_masks(torch.arange(5))
    inside = torch.ones(5, 5).bool()
    assert torch.equal(content, inside.tril()) and torch.equal(query, inside.tril(-1))


def sums(order: Tensor) -> tuple[float, float]:
    """Of all sequences' probabilities, from the content and from the query stream."""
    model, masks = TwoStreams(), permutation_masks(order)
    totals = [0.0, 0.0]
    for ids in every_sequence(3, 3):
        for stream, log_probs in enumerate(model(ids, masks)):
            totals[stream] += float(log_probs.gather(1, ids[:, None]).sum().exp())
    return totals[0], totals[1]


@pytest.mark.parametrize("order", every_order(3), ids=lambda order: str(order.tolist()))
def test_the_query_stream_sums_to_one_in_every_order(order: Tensor) -> None:
    content, query = sums(order)
    assert query == pytest.approx(1.0, abs=1e-5) and abs(content - 1) > 1


@pytest.mark.parametrize("order", [[0, 0, 1], [1, 2, 3], [0, 1, 3]])
def test_what_is_no_order_is_refused(order: list[int]) -> None:
    with pytest.raises(ValueError, match="no order of 3 places"):
        two_streams.validate_order(torch.tensor(order))


def hears(answer: Any, ids: Tensor) -> Tensor:
    """Bool [n, n]: whether what stands at i changes if the token at j does."""
    before = answer(ids)  # [n, D]
    changed = torch.zeros(len(ids), len(ids), dtype=torch.bool)
    for place in range(len(ids)):
        other = ids.clone()
        other[place] += 1
        changed[:, place] = (answer(other) - before).abs().amax(dim=-1) > 1e-6
    return changed


@torch.no_grad()
def test_the_librarys_xlnet_sees_what_the_masks_say() -> None:
    """Its perm_mask is 1 where a place may not look, itself included, and its content stream sees itself.

    A place that may look nowhere gets the mean of all contents there, so the first of the order is left out.
    """
    torch.manual_seed(0)
    config = transformers.XLNetConfig(
        vocab_size=40, d_model=16, n_layer=2, n_head=2, d_inner=32, initializer_range=0.5, dropout=0.0
    )
    model = transformers.XLNetModel(config).eval()
    order = torch.tensor([2, 4, 0, 3, 1])
    ids = torch.tensor([11, 12, 13, 14, 15])
    content, query = permutation_masks(order)
    blocked = (~query).float()[None]  # [1, n, n]

    def library(tokens: Tensor, **targets: Tensor) -> Tensor:
        found = model(tokens[None], perm_mask=blocked, **targets).last_hidden_state[0]
        assert isinstance(found, Tensor)
        return found

    rest = order[1:]
    heard = hears(lambda tokens: library(tokens, target_mapping=torch.eye(5)[None]), ids)  # the query stream
    assert torch.equal(heard[rest], query[rest])
    assert torch.equal(hears(library, ids), content)  # without targets the content stream answers
    small = TwoStreams(vocab_size=20, length=5)
    ours = [hears(lambda tokens, n=n: small(tokens, (content, query))[n], ids) for n in (0, 1)]
    assert torch.equal(ours[0], content) and torch.equal(ours[1], query)
