"""From pieces to the tensors of a batch: special tokens, token types and padding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor


def build_inputs(
    first: Sequence[str], second: Sequence[str] | None, vocab: Mapping[str, int]
) -> tuple[list[int], list[int]]:
    """The ids and the token types of one row: [CLS] first [SEP], or [CLS] first [SEP] second [SEP].

    first and second are the pieces of a text and of its pair, which is None if there is none; `vocab` maps
    each piece to its id. The token type is 0 up to the first [SEP], 1 from there on (Devlin et al., 2019).
    """
    tokens = ["[CLS]", *first, "[SEP]"]
    token_types = [0] * len(tokens)
    if second is not None:
        tokens += [*second, "[SEP]"]
        token_types += [1] * (len(second) + 1)
    return [vocab[token] for token in tokens], token_types


def pad_batch(rows: Sequence[Sequence[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    """Rows of ids as one rectangle, and its attention mask: 1 for an id of a row, 0 for padding.

    Every row is filled up with `pad_id` to the length of the longest. Returns two LongTensors [B, T].
    """
    longest = max(len(row) for row in rows)
    input_ids = [list(row) + [pad_id] * (longest - len(row)) for row in rows]
    attention_mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return torch.tensor(input_ids), torch.tensor(attention_mask)
