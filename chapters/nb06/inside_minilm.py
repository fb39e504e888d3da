"""MiniLM with a reader's multi-head attention in each of its layers."""

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from lib.bert import BertModel


class AttentionHalf(nn.Module):
    """Multi-head attention and what MiniLM does with its output: add the old vectors (08), normalize (07)."""

    def __init__(self, attention: nn.Module, norm: nn.Module):
        super().__init__()
        self.attention = attention
        self.norm = norm

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, T, D] to [B, T, D]; the mask is False where a token is padding (05)."""
        normalized: Tensor = self.norm(hidden + self.attention(hidden, mask))
        return normalized


def rebuild(attention_of: Callable[..., nn.Module], *arguments: Any) -> BertModel:
    """A second MiniLM in which each layer's attention is what `attention_of(layer, *arguments)` gives."""
    model = BertModel.from_pretrained("minilm")
    for layer in model.encoder.layer:
        norm = layer.get_submodule("attention.output.LayerNorm")
        layer.attention = AttentionHalf(attention_of(layer, *arguments), norm)
    return model.eval()
