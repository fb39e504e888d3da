"""The layer that notebook 09 asks for, written as on its page."""
# mypy: disable-error-code="index"

import torch
import torch.nn.functional as F
from torch import nn

from lib.bert import BertConfig
from lib.bert.attention import SelfAttention


class EncoderLayer(nn.Module):
    """hidden [B, T, D] to [B, T, D]; mask boolean [B, 1, 1, T], True where to look."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size, wide, eps = config.hidden_size, config.intermediate_size, config.layer_norm_eps
        first = {"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        second = {"dense": nn.Linear(wide, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        self.attention = nn.ModuleDict({"self": SelfAttention(config), "output": nn.ModuleDict(first)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = nn.ModuleDict(second)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        update = self.attention["output"]["dense"](self.attention["self"](hidden, mask))
        middle = self.attention["output"]["LayerNorm"](hidden + self.dropout(update))
        wide = F.gelu(self.intermediate["dense"](middle))
        back = self.output["dense"](wide)
        return self.output["LayerNorm"](middle + self.dropout(back))
