"""Which pairs of tokens attention looks at, as masks, and how far a stack of such layers hears.

Windows with tokens that are open to all are those of Longformer (Beltagy et al., 2020) and BigBird (Zaheer
et al., 2020). Distances that double are those of LogSparse (Li et al., 2019).
"""

from __future__ import annotations

import torch
from torch import Tensor


def sparse_mask(length: int, window: int, everyone: list[int]) -> Tensor:
    """A window around each token, and tokens that are open: boolean [length, length].

    True at (i, j) where |i - j| <= window, or i or j is one of the places `everyone` (0 to length - 1).
    """
    places = torch.arange(length)
    distances = (places[:, None] - places[None, :]).abs()  # [T, T]
    mask = distances <= window
    mask[everyone, :] = True  # an open token looks at all
    mask[:, everyone] = True  # and all look at it
    return mask


def reach(mask: Tensor, layers: int) -> Tensor:
    """What each place can have heard of after so many layers: boolean [T, T].

    mask: boolean [T, T], True where place i looks at place j. True at (i, j) of the result where i is j, or a
    chain of at most `layers` looks leads from i to j: the residual path keeps what a place has.
    """
    heard = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers):
        passed_on = mask.float() @ heard.float() > 0  # from those that it looks at
        heard = heard | passed_on
    return heard


def log_sparse_places(place: int) -> list[int]:
    """What a place looks at: itself, and 1, 2, 4, 8, ... places back, as far as there are any."""
    places = [place]
    back = 1
    while back <= place:
        places.append(place - back)
        back *= 2
    return places


def log_sparse_mask(length: int) -> Tensor:
    """Boolean [length, length]: row i is True at the places of `log_sparse_places(i)`."""
    mask = torch.zeros(length, length, dtype=torch.bool)
    for place in range(length):
        mask[place, log_sparse_places(place)] = True
    return mask
