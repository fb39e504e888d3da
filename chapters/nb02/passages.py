"""Passages of long texts, which the notebook searches with, and how near they come to each text."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lib.analysis.vectors.similarity import cosine

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


def highest_cosines(searches: Tensor, vectors_of_texts: Sequence[Tensor]) -> Tensor:
    """The cosine of each search with each text, [N, texts]: of a text's several vectors the highest counts.

    searches [N, D]; vectors_of_texts has for each text its one or several vectors, [windows, D].
    """
    columns = []
    for vectors in vectors_of_texts:
        cosines = cosine(searches, vectors)  # [N, windows]
        columns.append(cosines.amax(dim=1))  # of the best window
    return torch.stack(columns, dim=1)
