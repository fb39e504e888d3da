"""Models that see one side of a text, and two of them glued at the end, as ELMo's (Peters et al., 2018).

Sizes in the comments: B texts, T pieces, D hidden size, N places, V pieces in the vocabulary.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import torch
from torch import Tensor, nn

from lib.bert.attention import SelfAttention, causal_mask
from lib.bert.heads import BertForPreTraining
from lib.bert.model import BertOutput

SIDES = ("left side", "right side")


def see_one_side(model: nn.Module, side: str) -> None:
    """From now on a token sees itself and what stands on one of `SIDES`, in every layer."""

    def hide_the_other(_part: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...]:
        hidden, mask = given  # [B, T, D], and [B, 1, 1, T] or None
        seen = causal_mask(hidden.size(1)).to(hidden.device)  # [T, T]
        seen = seen if side == "left side" else seen.mT
        if mask is not None:  # padding sees itself: a row of attention that may look nowhere is no number
            seen = seen & mask | torch.eye(len(seen), dtype=torch.bool, device=hidden.device)
        return hidden, seen

    for part in model.modules():
        if isinstance(part, SelfAttention):
            part.register_forward_pre_hook(hide_the_other)


class Glued(nn.Module):
    """Two models that meet at the end alone, where their logits are added; asked like one of them."""

    def __init__(self, left: BertForPreTraining, right: BertForPreTraining):
        super().__init__()
        self.left, self.right = left, right
        self.cls = SimpleNamespace(predictions=self._predictions, seq_relationship=left.cls.seq_relationship)

    def bert(self, *given: Any, **named: Any) -> BertOutput:
        """What the left model gives, but with both hidden states side by side: [B, T, 2D]."""
        left, right = (part.bert(*given, **named) for part in (self.left, self.right))
        states = torch.cat([left.last_hidden_state, right.last_hidden_state], dim=-1)
        return replace(left, last_hidden_state=states)

    def _predictions(self, states: Tensor) -> Tensor:
        """[N, 2D] to [N, V]."""
        left, right = states.chunk(2, dim=-1)
        both: Tensor = self.left.cls.predictions(left) + self.right.cls.predictions(right)
        return both


def glue(left: BertForPreTraining, right: BertForPreTraining) -> BertForPreTraining:
    """Two models as one: the product of what they say of a place, each of its own side."""
    return cast(BertForPreTraining, Glued(left, right))  # it has all that a score asks for
