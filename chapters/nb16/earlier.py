"""What earlier notebooks have built, to be read and used here."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from lib.text.tasks import TextExample


def share_of_words(known: Sequence[TextExample], asked: Sequence[TextExample]) -> float:
    """What share a count of words gets right: TF-IDF and logistic regression (notebook 14)."""
    weights = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
    rule = LogisticRegression(C=10, max_iter=1000)
    rule.fit(weights.fit_transform([row.first for row in known]), [row.label for row in known])
    return float(rule.score(weights.transform([row.first for row in asked]), [row.label for row in asked]))


def first_of_each(rows: Sequence[TextExample], of_each: int) -> list[TextExample]:
    """The first so many rows of each label, in their order (a small training set, as in notebook 14)."""
    seen: dict[float | None, int] = {}
    kept = []
    for row in rows:
        seen[row.label] = seen.get(row.label, 0) + 1
        if seen[row.label] <= of_each:
            kept.append(row)
    return kept
