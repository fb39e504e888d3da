"""What the next notebook builds: the queries, keys and values of all heads of a layer (06)."""

from torch import Tensor

from lib.bert.attention import SelfAttention, split_heads


def queries_keys_values(hidden: Tensor, layer: SelfAttention) -> tuple[Tensor, Tensor, Tensor]:
    """Of hidden states [B, T, D], for each of H heads: three tensors [B, H, T, D / H]."""
    query = split_heads(layer.query(hidden), layer.num_heads)
    key = split_heads(layer.key(hidden), layer.num_heads)
    value = split_heads(layer.value(hidden), layer.num_heads)
    return query, key, value
