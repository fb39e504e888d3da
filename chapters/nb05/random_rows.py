"""Rows of attention of random queries and keys: what softmax makes of scores of many features."""

import torch
from torch import Tensor

ROWS, KEYS = 2000, 6


def scores(features: int) -> Tensor:
    """Scores of random queries with six random keys each, all numbers standard normal: [ROWS, KEYS]."""
    generator = torch.Generator().manual_seed(features)
    queries = torch.randn(ROWS, features, 1, generator=generator)
    keys = torch.randn(ROWS, KEYS, features, generator=generator)
    return (keys @ queries).squeeze(-1)


def usual_largest(features: int, divided: bool) -> float:
    """The largest weight of a row, the median of 2,000 rows; the scores divided by √features, or not."""
    raw = scores(features)
    if divided:
        raw = raw / features**0.5
    return float(raw.softmax(dim=-1).amax(dim=-1).median())


def spread_of_scores(features: int) -> float:
    """The standard deviation of the scores, before they are divided."""
    return float(scores(features).std())
