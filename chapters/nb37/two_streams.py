"""XLNet's two streams (Yang et al., 2019, section 2.3) on sequences short enough to be written out.

A model that reads its tokens in an order of its own gives a sequence the product of its tokens'
probabilities, each given those read before. Over all sequences these products sum to 1, in every order.
Sizes in the comments: n places, V tokens, D features.
"""

from __future__ import annotations

import math
from itertools import permutations, product

import torch
from torch import Tensor

Masks = tuple[Tensor, Tensor]


def permutation_masks(order: Tensor) -> Masks:
    """Who may look where, two bool [n, n] in the order of the text: content and query stream.

    order: int64 [n], order[k] is the place that is read k-th. Row i: where place i looks. Both see what is
    read before i, and the content stream sees i itself, too.
    """
    rank = torch.empty_like(order)
    rank[order] = torch.arange(len(order))  # when each place is read
    query = rank[None, :] < rank[:, None]
    content = rank[None, :] <= rank[:, None]
    return content, query


def validate_order(order: Tensor) -> None:
    """ValueError where an order names a place twice, or one that is not there."""
    if order.dim() != 1 or sorted(order.tolist()) != list(range(len(order))):
        raise ValueError(
            f"{order.tolist()} is no order of {len(order)} places: name each place from 0 to"
            f" {len(order) - 1} once."
        )


def attend(asking: Tensor, known: Tensor, mask: Tensor, layer: Tensor) -> Tensor:
    """One head: [n, D]. A row that may look nowhere gets zeros."""
    to_query, to_key, to_value = layer
    scores = (asking @ to_query) @ (known @ to_key).T / math.sqrt(known.size(-1))
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0)
    return weights @ (known @ to_value)


def every_order(length: int) -> list[Tensor]:
    """All orders of so many places."""
    return [torch.tensor(order) for order in permutations(range(length))]


def every_sequence(vocab_size: int, length: int) -> list[Tensor]:
    """All sequences of so many tokens."""
    return [torch.tensor(ids) for ids in product(range(vocab_size), repeat=length)]
