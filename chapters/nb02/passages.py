"""Passages of long texts, which the notebook searches with: where each comes from, and who holds it."""

from collections.abc import Sequence
from typing import NamedTuple

PARTS = ("beginning", "middle", "end")


class Passage(NamedTuple):
    """Some tokens in a row, the number of the text that they come from, and where they begin in it."""

    tokens: list[str]
    text: int
    start: int
    part: str  # one of PARTS


def passages_of(texts: Sequence[list[str]], size: int = 40, read: int = 254) -> list[Passage]:
    """All texts, given as tokens, cut into passages of `size` tokens; what is left at the end goes.

    A passage belongs to the beginning if the first `read` tokens hold it, to the end if the last `read` do.
    """
    passages = []
    for number, tokens in enumerate(texts):
        for start in range(0, len(tokens) - size + 1, size):
            if start + size <= read:
                part = "beginning"
            elif start >= len(tokens) - read:
                part = "end"
            else:
                part = "middle"
            passages.append(Passage(tokens[start : start + size], number, start, part))
    return passages
