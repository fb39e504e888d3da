"""Why a model that reads both sides needs [MASK]: without it, it sees each word through the word's neighbors.

The task is to name every token of a text of pure noise, where nothing follows from anything: what gets
below ln(VOCABULARY) nats has seen the answer. Sizes in the comments: B texts, T places, D hidden size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.attention import merge_heads, split_heads
from lib.bert.encoder import EncoderLayer
from lib.training.fitting import InMemory, fit

VOCABULARY = 100
LENGTH = 8
BATCH = 32
STEPS = 300
RATE = 0.002

#: who may look where, boolean [T, T], row i for place i; in none of them may a place look at itself
BOTH = ~torch.eye(LENGTH, dtype=torch.bool)
LEFT = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril(-1)
RIGHT = LEFT.T


def seen(masks: Sequence[Tensor]) -> Tensor:
    """Whose token each place has seen after these layers: boolean [T, T], row i for place i.

    masks: boolean [T, T] for each layer, from the first; true where a place may look. Looking at a place
    shows all that this place has seen so far, and what has been seen is kept.
    """
    known = masks[0]  # before the first layer, a place has nothing to show but its own token
    for mask in masks[1:]:
        known = known | (mask.float() @ known.float() > 0)
    return known


class PositionQueryModel(nn.Module):
    """Layers of BERT in which every place asks by its position and answers with what it has heard.

    In a layer of BERT a place also carries its own token along, in its query and on its residual path; here
    it does not, so that a token is known only where attention has brought it. One more place in front, which
    looks at nothing but itself, is there for those who have nobody else to look at.
    """

    def __init__(self, masks: Sequence[Tensor], seed: int = 0, size: int = 64, heads: int = 4) -> None:
        super().__init__()
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=VOCABULARY + 2,  # [CLS] and [MASK]
            hidden_size=size,
            num_attention_heads=heads,
            intermediate_size=2 * size,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        self.heads = heads
        self.tokens = nn.Embedding(VOCABULARY + 2, size)
        self.positions = nn.Embedding(LENGTH + 1, size)
        self.layers: Any = nn.ModuleList(EncoderLayer(config) for _ in masks)
        self.answer = nn.Linear(size, VOCABULARY)
        self.masks = [F.pad(mask, (1, 0, 1, 0)) for mask in masks]  # [T + 1, T + 1]
        for mask in self.masks:
            mask[:, 0] = True

    def forward(self, ids: Tensor) -> Tensor:
        """ids [B, T] to a score for every token at every place, [B, T, VOCABULARY]."""
        ids = F.pad(ids, (1, 0), value=VOCABULARY)
        asks = self.positions.weight.expand(len(ids), -1, -1)  # [B, T + 1, D]
        shows = self.tokens(ids) + asks
        for layer, mask in zip(self.layers, self.masks, strict=True):
            attention = layer.attention.self
            query, key, value = (
                split_heads(projected, self.heads)  # [B, H, T + 1, K]
                for projected in (attention.query(asks), attention.key(shows), attention.value(shows))
            )
            context = merge_heads(F.scaled_dot_product_attention(query, key, value, mask))
            heard = layer.attention.output(context, asks)
            asks = shows = layer.output(layer.intermediate(heard), heard)
        scores: Tensor = self.answer(asks[:, 1:])
        return scores


def learn_noise(masks: Sequence[Tensor], hidden: float = 0.0, seed: int = 0) -> list[float]:
    """Train a `PositionQueryModel` on fresh noise for `STEPS` steps; the loss of each, in nats a token.

    With `hidden` above 0 that share of the tokens is behind [MASK], and only these count.
    """
    model = PositionQueryModel(masks, seed)

    def loss(ids: Tensor, chosen: Tensor) -> Tensor:
        read = ids.masked_fill(chosen, VOCABULARY + 1) if hidden else ids
        return F.cross_entropy(model(read)[chosen], ids[chosen])

    return fit(model, loss, noise(STEPS, hidden or 1.0, seed), STEPS, RATE)


def noise(count: int, chosen: float = 1.0, seed: int = 0) -> InMemory:
    """So many batches of random tokens, `ids` [B, T], and which of them are to be named, `chosen` [B, T]."""
    generator = torch.Generator().manual_seed(seed)
    batches = []
    for _ in range(count):
        ids = torch.randint(VOCABULARY, (BATCH, LENGTH), generator=generator)
        batches.append({"ids": ids, "chosen": torch.rand(ids.shape, generator=generator) < chosen})
    return InMemory(batches)
