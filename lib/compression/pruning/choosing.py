"""Which heads or neurons go: those that are worth least, of all layers together or as many of each.

Scores are a tensor [N] for each layer, N being its heads or neurons, as in
`lib.compression.pruning.importance`; what is chosen are the numbers, from 0, by layer, as `remove_heads` and
`remove_neurons` take them.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

Chosen = dict[int, list[int]]


def least_important(scores: Sequence[Tensor], count: int) -> Chosen:
    """The `count` of least score in the whole model; the best one of each layer stays in any case.

    scores: [N] for each layer, where N may differ. ValueError if more should go than may.
    """
    free = sum(len(layer) - 1 for layer in scores)
    if not 0 <= count <= free:
        raise ValueError(
            f"{count} cannot go: one of each layer has to stay, so give 0 to {free}, or remove whole layers."
        )
    stays = {(number, int(layer.argmax())) for number, layer in enumerate(scores)}
    ranked = sorted(
        (float(score), number, place)
        for number, layer in enumerate(scores)
        for place, score in enumerate(layer)
        if (number, place) not in stays
    )
    return _by_layer([(number, place) for _, number, place in ranked[:count]])


def least_important_of_each(scores: Sequence[Tensor], count: int) -> Chosen:
    """The `count` of least score in each layer, so that all layers keep their shape in common.

    scores: [N] for each layer. ValueError if a layer would lose all.
    """
    fewest = min(map(len, scores))
    if not 0 <= count < fewest:
        raise ValueError(f"{count} of each layer cannot go: one has to stay, so give 0 to {fewest - 1}.")
    places = [layer.argsort(stable=True)[:count].tolist() for layer in scores]
    return _by_layer([(number, place) for number, layer in enumerate(places) for place in layer])


def random_scores(scores: Sequence[Tensor], seed: int) -> list[Tensor]:
    """Scores from 0 to 1 drawn at random, [N] for each layer as those given: the control of every choice."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.rand(len(layer), generator=generator) for layer in scores]


def reversed_scores(scores: Sequence[Tensor]) -> list[Tensor]:
    """Minus the scores, [N] for each layer, so that what matters most goes first: the other control."""
    return [-layer for layer in scores]


def _by_layer(pairs: Sequence[tuple[int, int]]) -> Chosen:
    chosen: Chosen = {}
    for number, place in sorted(pairs):
        chosen.setdefault(number, []).append(place)
    return chosen
