"""What a model of notebook 36 has to beat: counts of pairs, and a dictionary without grammar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from chapters.nb36.answers import bleu
from lib.text.spanish import Pair


def pair_loss(learned: Tensor, held_out: Tensor, vocabulary: int, trust: float = 100.0) -> float:
    """Nats a token of held-out rows [N, T], each guessed by the token before it.

    A pair that stood n times in `learned` counts n + trust * p, where p is the share of its second token:
    what is rarely seen is guessed by how often a token stands at all. 100 is the best of 3, 10, 30, 100, 300
    and 1,000 on the texts that judge in notebook 36, so the rival is as strong as it can be.
    """
    counts = torch.bincount(learned.flatten(), minlength=vocabulary) + 1.0  # [V]
    shares = counts / counts.sum()  # [V]
    rows = learned.tolist()
    together = Counter(pair for row in rows for pair in pairwise(row))
    first = Counter(token for row in rows for token in row[:-1])
    found = [shares[held_out[:, 0]]]
    for row in held_out.tolist():
        guessed = [
            (together[one, two] + trust * shares[two].item()) / (first[one] + trust)
            for one, two in pairwise(row)
        ]
        found.append(torch.tensor(guessed))
    return -torch.cat(found).log().mean().item()


class Dictionary:
    """Each English word becomes the Spanish word it was linked with most often; the order stays."""

    def __init__(self, pairs: Sequence[Pair]):
        linked: dict[str, Counter[str]] = {}
        for pair in pairs:
            for word, links in zip(pair.spanish, pair.links, strict=True):
                for place in links:
                    linked.setdefault(pair.english[place], Counter())[word] += 1
        self.best = {word: counts.most_common(1)[0][0] for word, counts in linked.items()}

    def translate(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """A word that was never seen is left as it is."""
        return [[self.best.get(word, word) for word in sentence] for sentence in sentences]


def paired_bleu(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """BLEU of translations that somebody brings; ValueError unless each has its reference."""
    if len(hypotheses) != len(references) or not hypotheses:
        raise ValueError(
            f"There are {len(hypotheses)} hypotheses and {len(references)} references: give one reference for"
            " each hypothesis, and at least one pair."
        )
    return bleu([list(one) for one in hypotheses], [list(one) for one in references])
