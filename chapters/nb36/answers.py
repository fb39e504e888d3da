"""The answers to the exercises of notebook 36, in plain PyTorch.

Sizes in the comments: B sentences, T target words, S source words, D hidden size, H heads, K = D / H.
"""

from __future__ import annotations

import math
from collections import Counter

import torch
from torch import Tensor, nn


def shifted(ids: Tensor, begin: int) -> tuple[Tensor, Tensor]:
    """What a decoder reads and what it is to write, both [B, T]: labels[b, t] follows inputs[b, : t + 1].

    ids int64 [B, T], in which 0 is [PAD]. Inputs are `begin` and each row without its last token; labels are
    the ids, -100 where they are [PAD].
    """
    first = torch.full_like(ids[:, :1], begin)  # [B, 1]
    inputs = torch.cat([first, ids[:, :-1]], dim=1)  # [B, T]
    labels = ids.masked_fill(ids == 0, -100)  # [B, T]
    return inputs, labels


def cross_attention(
    states: Tensor,
    source: Tensor,
    query: nn.Linear,
    key: nn.Linear,
    value: nn.Linear,
    heads: int,
    mask: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """Attention from one text to another (Vaswani et al., 2017, section 3.2.3).

    states [B, T, D] ask, source [B, S, D] is looked at; mask bool [B, S], True where source has a token, or
    None for all. Returns the output [B, T, D] and the weights [B, H, T, S], whose rows sum to 1.
    """
    batch, length, size = states.shape
    head_size = size // heads
    queries = query(states).view(batch, length, heads, head_size).transpose(1, 2)  # [B, H, T, K]
    keys = key(source).view(batch, -1, heads, head_size).transpose(1, 2)  # [B, H, S, K]
    values = value(source).view(batch, -1, heads, head_size).transpose(1, 2)  # [B, H, S, K]
    scores = queries @ keys.transpose(2, 3) / math.sqrt(head_size)  # [B, H, T, S]
    if mask is not None:
        scores = scores.masked_fill(~mask[:, None, None, :], -math.inf)
    weights = scores.softmax(dim=-1)
    output = (weights @ values).transpose(1, 2).reshape(batch, length, size)  # [B, T, D]
    return output, weights


def bleu(hypotheses: list[list[str]], references: list[list[str]]) -> float:
    """BLEU of a corpus with one reference a sentence, 0 to 100, unsmoothed (Papineni et al., 2002)."""
    precisions = []
    for n in (1, 2, 3, 4):
        found = 0
        total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            ours = Counter(tuple(hypothesis[i : i + n]) for i in range(len(hypothesis) - n + 1))
            theirs = Counter(tuple(reference[i : i + n]) for i in range(len(reference) - n + 1))
            found += sum(min(count, theirs[gram]) for gram, count in ours.items())
            total += sum(ours.values())
        precisions.append(found / total if total > 0 else 0.0)
    written = sum(len(hypothesis) for hypothesis in hypotheses)
    wanted = sum(len(reference) for reference in references)
    penalty = 1.0
    if 0 < written < wanted:
        penalty = math.exp(1 - wanted / written)
    return 100 * penalty * math.prod(precisions) ** 0.25
