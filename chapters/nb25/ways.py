"""Ways to round a finished model to so many bits, and orders in which half of the layers get more of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from lib.bert.model import PreTrainedBert
from lib.compression.parts import paths_of
from lib.compression.quantizers.codebooks import CodebookQuantization
from lib.compression.quantizers.curvature_bits import bits_by_rank
from lib.compression.quantizers.model import compute_weights, quantize_weights

TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")
HIGH, LOW, EQUAL = 4, 2, 3  # bits; the last is the mean of the others, and the layers are alike in size

Way = Callable[[PreTrainedBert, int], None]


def by_book(model: PreTrainedBert, bits: int, **options: Any) -> None:
    """A book of values for each matrix; options are those of `CodebookQuantization`."""
    compute_weights(model, CodebookQuantization.__name__, bits=bits, **options)


def by_gobo_of_paper(model: PreTrainedBert, bits: int) -> None:
    """Tables in 4 bits, as the paper has it."""
    compute_weights(model, CodebookQuantization.__name__, paths_of(model, TABLES), bits=4)
    others = [path for path in paths_of(model) if path not in paths_of(model, TABLES)]
    compute_weights(model, CodebookQuantization.__name__, others, bits=bits)


WAYS: dict[str, Way] = {
    "linear, matrix": partial(quantize_weights, groups=1),
    "linear, row": quantize_weights,
    "linear, outliers kept": partial(by_book, book="evenly spaced"),
    "book, no outliers kept": partial(by_book, outliers="none"),
    "equal population": partial(by_book, book="equal population"),
    "GOBO": by_book,
    "GOBO, tables in 4 bits": by_gobo_of_paper,
}


def order_of(order: str, sensitivity: Tensor, seed: int) -> list[int]:
    """The bits of the layers by curvature, by its reverse, at random, or equal bits for all."""
    layers = len(sensitivity)
    if order == "equal":
        return [EQUAL] * layers
    generator = torch.Generator().manual_seed(seed)
    by = {
        "by curvature": sensitivity,
        "reversed": -sensitivity,
        "random": torch.rand(layers, generator=generator),
    }[order]
    return bits_by_rank(by, [HIGH] * (layers // 2) + [LOW] * (layers - layers // 2))


def format_bits(bits_of: Sequence[int]) -> str:
    """The bits of the layers, from the lowest up, such as "444222"."""
    return "".join(map(str, bits_of))
