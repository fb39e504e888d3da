"""What others print of the subject of notebook 06, and what comes out when it is computed again."""

import torch

from lib.bert import BertConfig
from lib.bert.attention import SelfAttention, scaled_dot_product_attention
from lib.errata import Erratum


@torch.inference_mode()
def _heads_side_by_side() -> str:
    torch.manual_seed(0)
    four_heads = SelfAttention(BertConfig(hidden_size=24, num_attention_heads=4)).eval()
    alone = SelfAttention(BertConfig(hidden_size=24, num_attention_heads=1)).eval()
    hidden = torch.randn(1, 5, 24)
    parts = [layer(hidden).split(6, dim=-1) for layer in (four_heads.query, four_heads.key, four_heads.value)]
    heads = [scaled_dot_product_attention(q, k, v)[0] for q, k, v in zip(*parts, strict=True)]
    one = scaled_dot_product_attention(alone.query(hidden), alone.key(hidden), alone.value(hidden))[0]
    gaps = [four_heads(hidden) - torch.cat(heads, dim=-1), alone(hidden) - one]
    return (
        f"four heads are four self-attentions side by side, and one is self-attention (largest difference"
        f" {max(float(gap.abs().max()) for gap in gaps):.0e})"
    )


ERRATA = [
    Erratum(
        "What multi-head attention is",
        "Shinnou, ROCLING 2020, slide 9",
        "not self-attention, but similar",
        _heads_side_by_side,
    ),
]
