"""BERT's input: a sum of three lookups, normalized (Devlin et al., 2019, figure 2)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lib.bert.config import BertConfig


def sinusoidal_positions(length: int, hidden_size: int) -> Tensor:
    """Fixed position vectors (Vaswani et al., 2017, section 3.5); BERT learns its own instead.

    Column 2i holds sin(position / 10000^(2i/hidden_size)), column 2i+1 the cosine of the same angle.
    Positions count from 0. Returns [length, hidden_size]; an odd hidden_size ends on a sine.
    """
    position = torch.arange(length).unsqueeze(1)  # [T, 1]
    even_column = torch.arange(0, hidden_size, 2)  # [ceil(D / 2)]
    angle = position / 10_000 ** (even_column / hidden_size)  # [T, ceil(D / 2)]
    table = torch.zeros(length, hidden_size)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : hidden_size // 2].cos()
    return table


class BertEmbeddings(nn.Module):
    """Word, position and token-type vectors, added, normalized, dropped out."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        """From two [B, T] tensors of ids to [B, T, D]; without token types, all are 0."""
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        total = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)  # [B, T, D]
        total = total + self.position_embeddings.weight[: input_ids.size(1)]  # [T, D], the same for every row
        return self.dropout(self.LayerNorm(total))


def embed_vectors(tables: BertEmbeddings, inputs_embeds: Tensor, token_type_ids: Tensor | None) -> Tensor:
    """What `tables` makes of words whose vectors [B, T, D] are given, not looked up: [B, T, D]."""
    if token_type_ids is None:
        token_type_ids = torch.zeros(inputs_embeds.shape[:2], dtype=torch.long, device=inputs_embeds.device)
    total = inputs_embeds + tables.token_type_embeddings(token_type_ids)  # [B, T, D]
    total = total + tables.position_embeddings.weight[: inputs_embeds.size(1)]
    return tables.dropout(tables.LayerNorm(total))
