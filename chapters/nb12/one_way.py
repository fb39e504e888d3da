"""Models that see one side of a text, and two of them glued at the end, as ELMo's (Peters et al., 2018).

Sizes in the comments: B texts, T pieces, D hidden size, N places, V pieces in the vocabulary.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert.attention import SelfAttention, causal_mask
from lib.bert.heads import BertForPreTraining
from lib.bert.model import BertModel, BertOutput

SIDES = ("left side", "right side")


def see_one_side(model: nn.Module, side: str) -> None:
    """From now on a token sees itself and what stands on one of `SIDES`, in every layer."""

    def hide_the_other(_part: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        hidden, mask = inputs  # [B, T, D], and [B, 1, 1, T] or None
        seen = causal_mask(hidden.size(1)).to(hidden.device)  # [T, T]
        seen = seen if side == "left side" else seen.mT
        if mask is not None:  # padding sees itself: a row of attention that may look nowhere is no number
            seen = seen & mask | torch.eye(len(seen), dtype=torch.bool, device=hidden.device)
        return hidden, seen

    for part in model.modules():
        if isinstance(part, SelfAttention):
            part.register_forward_pre_hook(hide_the_other)


class TwoEncoders(nn.Module):
    """Two encoders that read the same text, and never hear of each other."""

    def __init__(self, left: BertModel, right: BertModel):
        super().__init__()
        self.left, self.right = left, right

    def forward(self, *args: Any, **kwargs: Any) -> BertOutput:
        """What the left one gives, but with both hidden states side by side: [B, T, 2D]."""
        left, right = self.left(*args, **kwargs), self.right(*args, **kwargs)
        states = torch.cat([left.last_hidden_state, right.last_hidden_state], dim=-1)
        return replace(left, last_hidden_state=states)


class AddedPredictions(nn.Module):
    """What each of two heads says of its half of a hidden state, added: a product of probabilities."""

    def __init__(self, left: nn.Module, right: nn.Module):
        super().__init__()
        self.left, self.right = left, right

    def forward(self, states: Tensor) -> Tensor:
        """[N, 2D] to [N, V]."""
        left, right = states.chunk(2, dim=-1)
        both: Tensor = self.left(left) + self.right(right)
        return both


class Glued(nn.Module):
    """Two models that meet at the end alone, where their logits are added; pairs are left to the first."""

    def __init__(self, left: BertForPreTraining, right: BertForPreTraining):
        super().__init__()
        self.bert = TwoEncoders(left.bert, right.bert)
        self.cls: Any = nn.Module()
        self.cls.predictions = AddedPredictions(left.cls.predictions, right.cls.predictions)
        self.cls.seq_relationship = left.cls.seq_relationship
