"""What the next notebook builds: the queries, keys and values of all heads of a layer (06)."""

from typing import Any

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.attention import split_heads


@torch.no_grad()
def heads_of_layer_0(
    model: BertModel, tokenizer: WordPieceTokenizer, text: str
) -> tuple[list[str], Tensor, Tensor, Tensor]:
    """The tokens of a text and, for each of H heads of the first layer, their queries, keys and values.

    Three tensors [H, T, D / H].
    """
    ids = torch.tensor([tokenizer.encode(text)])  # [1, T]
    hidden = model.embeddings(ids)  # [1, T, D]
    first: Any = model.encoder.layer[0]
    layer = first.attention.self
    query = split_heads(layer.query(hidden), layer.num_heads)[0]
    key = split_heads(layer.key(hidden), layer.num_heads)[0]
    value = split_heads(layer.value(hidden), layer.num_heads)[0]
    return tokenizer.convert_ids_to_tokens(ids[0].tolist()), query, key, value
