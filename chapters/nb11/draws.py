"""Judging what an answer draws at random."""

from __future__ import annotations

from collections.abc import Sequence

SURE = 4.75  # standard errors: even draws are called uneven once in a million times


def is_uniform(counts: Sequence[int]) -> bool:
    """Whether counts may be those of equal chances: chi-squared, bounded as Wilson and Hilferty (1931)."""
    even = sum(counts) / len(counts)
    squares = sum((count - even) ** 2 for count in counts) / even
    freedom = len(counts) - 1
    if not freedom:
        return True
    part = 2 / (9 * freedom)
    return bool(squares <= freedom * (1 - part + SURE * part**0.5) ** 3)
