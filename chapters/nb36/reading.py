"""The stories of the course as rows of tokens, packed as in notebook 12."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.text.reader import reader

HELD_OUT = 6  # of the stories and articles, the last ones


def rows_of(texts: Sequence[Sequence[str]], tokenizer: WordPieceTokenizer, length: int) -> Tensor:
    """The tokens of all texts, one after the other, cut into rows [N, length]."""
    ids = [token for text in texts for part in text for token in tokenizer.encode(part)[1:-1]]
    count = len(ids) // length
    return torch.tensor(ids[: count * length]).view(count, length)


def stories(tokenizer: WordPieceTokenizer, length: int = 64) -> tuple[Tensor, Tensor]:
    """Rows [N, length] of the course's own texts, to learn from and held out."""
    texts = reader()
    learned, held_out = texts[:-HELD_OUT], texts[-HELD_OUT:]
    return rows_of(learned, tokenizer, length), rows_of(held_out, tokenizer, length)
