"""How far a layer moves a token: the two curves of ALBERT's figure 1 (Lan et al., 2020)."""

from collections.abc import Sequence

import torch
from torch import Tensor


@torch.no_grad()
def distances_and_angles(hidden_states: Sequence[Tensor], real: Tensor) -> tuple[Tensor, Tensor]:
    """Between what goes into each layer and what comes out: the distance, and the angle in degrees: [L] each.

    hidden_states: L + 1 times [B, T, D], the embeddings first. real: boolean [B, T], false on padding. Both
    are means over all real tokens.
    """
    states = torch.stack([states[real] for states in hidden_states])  # [L + 1, N, D]
    distances = (states[1:] - states[:-1]).norm(dim=-1)  # [L, N]
    cosines = torch.cosine_similarity(states[1:], states[:-1], dim=-1)
    return distances.mean(1), cosines.clamp(-1, 1).arccos().rad2deg().mean(1)
