"""What the exercises of notebook 10 ask for, as a reader would write it.

Sizes in the comments: B texts, T tokens, D hidden size, V tokens in the vocabulary.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig


def corrupt(
    input_ids: Tensor, chosen: Tensor, draws: Tensor, random_ids: Tensor, mask_token_id: int
) -> tuple[Tensor, Tensor]:
    """What the model reads, and the labels: the three fates of the chosen tokens (Devlin et al., 2019)."""
    masked = chosen & (draws < 0.8)
    swapped = chosen & (draws >= 0.8) & (draws < 0.9)
    read = torch.where(masked, mask_token_id, input_ids)
    read = torch.where(swapped, random_ids, read)
    labels = torch.where(chosen, input_ids, -100)
    return read, labels


class Predictions(nn.Module):
    """The masked-LM head: hidden [B, T, D] to a logit for every token, [B, T, V]."""

    def __init__(self, config: BertConfig, word_embeddings: nn.Embedding):
        super().__init__()
        size, eps = config.hidden_size, config.layer_norm_eps
        self.transform = nn.ModuleDict(
            {"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        )
        self.decoder = nn.Linear(size, config.vocab_size)
        # Tied: a token is scored by the vector that it is looked up as.
        self.decoder.weight = word_embeddings.weight

    def forward(self, hidden: Tensor) -> Tensor:
        active = F.gelu(self.transform["dense"](hidden))
        turned = self.transform["LayerNorm"](active)
        return self.decoder(turned)


def masked_lm_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy, in nats, over the places with a label; logits [B, T, V], labels [B, T]."""
    losses = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
    return losses.sum() / (labels != -100).sum()


def seen(masks: list[Tensor]) -> Tensor:
    """Whose token each place has seen after these layers: boolean [T, T], row i for place i."""
    known = masks[0]  # before the first layer, a place has nothing to show but its own token
    for mask in masks[1:]:
        known = known | (mask.float() @ known.float() > 0)
    return known
