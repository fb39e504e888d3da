"""A head that is switched off, just before the projection."""

import torch


def silence_head(merged: torch.Tensor, head: int, num_heads: int) -> torch.Tensor:
    """Set what one head found to 0 and leave the rest: [B, T, D] to [B, T, D]."""
    size = merged.size(-1) // num_heads
    silenced = merged.clone()
    silenced[..., head * size : (head + 1) * size] = 0
    return silenced
