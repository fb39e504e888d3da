"""What earlier notebooks have built, to be read and used here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from torch import Tensor

from lib.text.tasks import TextExample


def share_of_words(known: Sequence[TextExample], asked: Sequence[TextExample]) -> float:
    """What share a count of words gets right: TF-IDF and logistic regression (notebook 14)."""
    weights = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    rule = LogisticRegression(C=10, max_iter=1000)
    rule.fit(weights.fit_transform([row.first for row in known]), [row.label for row in known])
    return float(rule.score(weights.transform([row.first for row in asked]), [row.label for row in asked]))


def vectors_of(
    states: Iterable[Sequence[Tensor]], batches: Iterable[tuple[dict[str, Tensor], Tensor]]
) -> tuple[Tensor, Tensor]:
    """Of each text the last layer's [CLS], and the mean over all its tokens (notebook 14): [N, 384] each.

    states: of each batch its hidden states [B, T, 384], the last layer's last.
    """
    firsts = []
    means = []
    for hidden, (inputs, _) in zip(states, batches, strict=True):
        last = hidden[-1]
        mask = inputs["attention_mask"][:, :, None]  # 0 at padding
        firsts.append(last[:, 0])
        means.append((last * mask).sum(dim=1) / mask.sum(dim=1))
    return torch.cat(firsts), torch.cat(means)


def regression(known: Tensor, labels: Tensor, asked: Tensor, right: Tensor) -> float:
    """What share logistic regression on vectors [N, D] gets right (notebook 14 has it on counts of words)."""
    center = known.mean(dim=0)
    spread = known.std(dim=0) + 1e-6  # every number to mean 0 and spread 1
    rule = LogisticRegression(C=0.01, max_iter=300)  # a small C: small weights
    rule.fit((known - center) / spread, labels)
    return float(rule.score((asked - center) / spread, right))


def first_of_each(rows: Sequence[TextExample], of_each: int) -> list[TextExample]:
    """The first so many rows of each label, in their order (a small training set, as in notebook 14)."""
    seen: dict[float | None, int] = {}
    kept = []
    for row in rows:
        seen[row.label] = seen.get(row.label, 0) + 1
        if seen[row.label] <= of_each:
            kept.append(row)
    return kept
