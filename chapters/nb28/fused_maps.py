"""Whether a narrow network's attention maps look like several of the whole network's at once."""

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification


def maps_of(
    network: BertForSequenceClassification, pieces: WordPieceTokenizer, texts: Sequence[str]
) -> list[Tensor]:
    """The attention maps of each text, read alone, so that nothing is padding: [L, H, T, T] each."""
    with torch.no_grad():
        read = [network(**pieces([text]), output_attentions=True).attentions for text in texts]
    return [torch.cat(maps) for maps in read]


def unlike(small: Sequence[Tensor], whole: Sequence[Tensor]) -> dict[str, float]:
    """How far the small network's maps are from the nearest of the whole one's, in the same layer.

    small, whole: for each text [L, h, T, T] and [L, H, T, T]. Gives the squared distance from the nearest
    head, and from the nearest mean of two, as shares of the squares of a map; means over the small heads
    above layer 0, which reads what the whole network reads.
    """
    narrow = torch.cat([maps[1:].flatten(2) for maps in small], dim=2)  # [L - 1, h, N]
    wide = torch.cat([maps[1:].flatten(2) for maps in whole], dim=2)  # [L - 1, H, N]
    first, second = zip(*combinations(range(wide.size(1)), 2), strict=True)
    two = (wide[:, list(first)] + wide[:, list(second)]) / 2  # [L - 1, pairs, N]
    size = narrow.square().sum(dim=2)
    shares = {}
    for name, candidates in (("one head", wide), ("mean of two", two)):
        nearest = torch.cdist(narrow, candidates).amin(dim=2).square()  # [L - 1, h]
        shares[name] = (nearest / size).mean().item()
    return shares
