"""What a classifier without word order knows about a pair of texts: bags of words, and ways to compare two.

A bag counts how often each word stands in a text, and forgets where. Sizes in the comments: N pairs, V words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from lib.text import corpus
from lib.text.pair_tasks import Draw, next_sentence, sentence_order
from lib.text.sentence_pairs import Document, SentencePair, documents_in_sentences, draw_pairs

Features = dict[str, Any]  # name to [N, something], dense or sparse
FOLDS = 4

#: names of the ways to compare two bags; the first three do not know which bag is which
ALIKE, SHARED, APART, BOTH = "one number: how alike", "words in both", "difference of words", "two bags"


def weigh_words(texts: list[Document], counted: list[Document] | None = None) -> TfidfVectorizer:
    """Bags of the words of all texts, that weigh the more, the fewer documents they occur in (tf-idf).

    The documents are counted in `counted`, such as those of training; a word of none of them weighs most.
    """
    words = TfidfVectorizer().fit(map(" ".join, texts)).vocabulary_
    return TfidfVectorizer(sublinear_tf=True, vocabulary=words).fit(map(" ".join, counted or texts))


#: two bags [N, V], rows of length 1, to features. The cosine [N, 1]; the smaller weight of each word [N, V];
#: the absolute difference [N, V]; both bags, side by side [N, 2V]: only these change when texts change places
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ALIKE: lambda first, second: np.asarray(first.multiply(second).sum(axis=1)),
    SHARED: lambda first, second: first.minimum(second),
    APART: lambda first, second: abs(first - second),
    BOTH: lambda first, second: sparse.hstack([first, second]).tocsr(),
}


def compare_bags(
    weights: TfidfVectorizer, pairs: Sequence[SentencePair], names: Sequence[str] = tuple(COMPARISONS)
) -> Features:
    """Some or all of the four comparisons of the bags of N pairs."""
    first = weights.transform([pair.first for pair in pairs])  # [N, V], each row of length 1
    second = weights.transform([pair.second for pair in pairs])  # [N, V]
    return {name: COMPARISONS[name](first, second) for name in names}


def turned(pairs: Sequence[SentencePair]) -> list[SentencePair]:
    """Pairs of `sentence_order` with their texts in the other order, and so with the other label."""
    return [pair._replace(first=pair.second, second=pair.first, label=1 - pair.label) for pair in pairs]


def lengths_in_words(pairs: Sequence[SentencePair]) -> NDArray[np.float64]:
    """All that a classifier by length sees: the number of words of A and of B, [N, 2], in hundreds."""
    return np.array([[len(pair.first.split()), len(pair.second.split())] for pair in pairs]) / 100


def classifier() -> LogisticRegression:
    """The classifier of every comparison here: a weight for each feature, then a sigmoid."""
    return LogisticRegression(C=10.0, max_iter=300)


def folds(documents: list[Document], seed: int = 0) -> list[tuple[list[Document], list[Document]]]:
    """The documents split into training and held out, four times, so that each is held out once."""
    order = np.random.default_rng(seed).permutation(len(documents))
    parts = np.array_split(order, FOLDS)
    return [([documents[n] for n in order if n not in part], [documents[n] for n in part]) for part in parts]


def held_out_accuracy(
    documents: list[Document],
    task: Draw,
    size: int,
    names: Sequence[str] = tuple(COMPARISONS),
    count: int = 1000,
    seed: int = 0,
    weights: TfidfVectorizer | None = None,
) -> dict[str, list[float]]:
    """Shares of right labels on documents never trained on, by comparison of bags, one for each fold.

    Texts have `size` sentences; `count` pairs to learn from, 400 to be scored on, drawn by `seed`. Pairs of
    `sentence_order` are scored in both orders: what cannot tell AB from BA gets one half, no matter the draw.
    Words are weighed by the training documents, unless `weights` of `weigh_words` are given.
    """
    accuracies: dict[str, list[float]] = {name: [] for name in names}
    for fold, (training, held_out) in enumerate(folds(documents, seed)):
        rng = np.random.default_rng([seed, fold])
        learn = draw_pairs(training, task, size, count, rng)
        score = draw_pairs(held_out, task, size, 400, rng)
        if task is sentence_order:
            score += turned(score)
        weighed = weights or weigh_words(documents, training)
        features = [compare_bags(weighed, pairs, names) for pairs in (learn, score)]
        for name in names:
            accuracies[name].append(_accuracy(features[0][name], learn, features[1][name], score))
    return accuracies


def by_length(
    documents: list[Document], draw: Callable[[list[Document], int], list[SentencePair]]
) -> list[float]:
    """The same for a classifier that sees nothing but two lengths. `draw(documents, seed)` makes pairs."""
    shares = []
    for fold, (training, held_out) in enumerate(folds(documents)):
        learn, score = draw(training, fold), draw(held_out, FOLDS + fold)
        shares.append(_accuracy(lengths_in_words(learn), learn, lengths_in_words(score), score))
    return shares


def on_folder(
    folder: str | Path, seed: int, sizes: Sequence[int] = (1, 2, 4, 8, 12), count: int = 2000
) -> dict[str, Any]:
    """Both tasks on text files (see `lib.text.corpus`): shares of right labels by sentences, fold by fold.

    Of the documents the first 2,000 with 24 sentences or more, without their first paragraphs. `next`
    and `order` by the one number, `order, two bags` by both bags side by side. Words are weighed once, by
    all of these documents: that needs no labels, and the record `sentence_pairs` was made in this way.
    """
    every = (documents_in_sentences([document])[0] for document in corpus.documents(folder))
    long_documents = list(islice((document for document in every if len(document) >= 24), 2000))

    weights = weigh_words(long_documents)

    def shares(task: Draw, names: Sequence[str]) -> list[dict[str, list[float]]]:
        return [held_out_accuracy(long_documents, task, size, names, count, seed, weights) for size in sizes]

    following, ordered = shares(next_sentence, [ALIKE]), shares(sentence_order, [ALIKE, BOTH])
    return {
        "sentences": list(sizes),
        "next": [by[ALIKE] for by in following],
        "order": [by[ALIKE] for by in ordered],
        "order, two bags": [by[BOTH] for by in ordered],
    }


def _accuracy(
    learn: Any, learn_pairs: Sequence[SentencePair], score: Any, score_pairs: Sequence[SentencePair]
) -> float:
    fitted = classifier().fit(learn, [pair.label for pair in learn_pairs])
    return float(fitted.score(score, [pair.label for pair in score_pairs]))
