"""What counting words reaches on a task: TF-IDF and logistic regression, to stand beside every BERT.

A model that does no better has learned no more of a text than which words are in it. Sizes in the comments:
N texts, V words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge

from lib.text.tasks import ChoiceExample, QuestionExample, TaggedSentence, TextExample

STRENGTH = 10.0  # C of the logistic regression: the higher, the closer it keeps to the training rows


def tfidf_of(texts: Sequence[str]) -> TfidfVectorizer:
    """Words and pairs of words, each weighing the more, the fewer of the texts hold it."""
    return TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True).fit(texts)


def classify_texts(train: Sequence[TextExample], test: Sequence[TextExample]) -> list[int]:
    """The class of each test text, by the words of the training texts."""
    weights = tfidf_of([example.first for example in train])
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(weights.transform([example.first for example in train]), [example.label for example in train])
    return [int(label) for label in model.predict(weights.transform([example.first for example in test]))]


def classify_pairs(train: Sequence[TextExample], test: Sequence[TextExample]) -> list[int]:
    """The class of each test pair, by both texts and their overlap."""
    features, model = _pair_features(train), LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(features(train), [example.label for example in train])
    return [int(label) for label in model.predict(features(test))]


def grade_pairs(train: Sequence[TextExample], test: Sequence[TextExample]) -> list[float]:
    """The grade of each test pair, by both texts and their overlap (ridge regression)."""
    features, model = _pair_features(train), Ridge()
    model.fit(features(train), [example.label for example in train])
    return [float(grade) for grade in model.predict(features(test))]


def _pair_features(train: Sequence[TextExample]) -> Callable[[Sequence[TextExample]], Any]:
    """Of pairs both bags of words, where they differ, their cosine and the share of words in common."""
    weights = tfidf_of([text or "" for example in train for text in (example.first, example.second)])

    def features(examples: Sequence[TextExample]) -> Any:
        first, second = (
            weights.transform([text or "" for text in texts])  # [N, V], each row of length 1
            for texts in zip(*((example.first, example.second) for example in examples), strict=True)
        )
        cosine = np.asarray(first.multiply(second).sum(axis=1))  # [N, 1]
        shared = np.array([[_overlap(example)] for example in examples])  # [N, 1]
        return hstack([first, second, abs(first - second), cosine, shared]).tocsr()

    return features


def _overlap(example: TextExample) -> float:
    """The words that both texts have, as a share of those that one of them has."""
    first, second = (set((text or "").lower().split()) for text in (example.first, example.second))
    return len(first & second) / max(1, len(first | second))


def choose_without_context(train: Sequence[ChoiceExample], test: Sequence[ChoiceExample]) -> list[int]:
    """The better of two endings by their own words; what they are the endings of is not read."""
    weights = tfidf_of([choice for example in train for choice in example.choices])

    def features(examples: Sequence[ChoiceExample]) -> Any:
        first, second = (
            weights.transform(texts) for texts in zip(*(e.choices for e in examples), strict=True)
        )
        return second - first  # [N, V]

    model = LogisticRegression(C=STRENGTH, fit_intercept=False, max_iter=2000)
    model.fit(features(train), [example.label for example in train])
    return [int(label) for label in model.predict(features(test))]


def tag_by_word(train: Sequence[TaggedSentence], test: Sequence[TaggedSentence]) -> list[list[str]]:
    """For each word the tag that it had most often in the training sentences; for a new word the one that is
    most frequent of all, which is O among entities and NOUN among parts of speech."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence in train:
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            counts[word][tag] += 1
    known = {word: tags.most_common(1)[0][0] for word, tags in counts.items()}
    frequent = Counter(tag for sentence in train for tag in sentence.tags).most_common(1)[0][0]
    return [[known.get(word, frequent) for word in sentence.words] for sentence in test]


def answer_by_overlap(_train: Sequence[QuestionExample], test: Sequence[QuestionExample]) -> list[str]:
    """Of each paragraph the sentence that shares most words with the question."""
    return [_closest_sentence(example) for example in test]


def _closest_sentence(example: QuestionExample) -> str:
    words = set(example.question.lower().rstrip("?").split())
    sentences = example.context.split(". ")
    return max(sentences, key=lambda sentence: len(words & set(sentence.lower().split())))


def classify_characters(train: Sequence[TextExample], test: Sequence[TextExample]) -> list[int]:
    """The class of each test text by runs of one to three characters: for writing without spaces."""
    weights = TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True, max_features=100_000)
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(
        weights.fit_transform([f"{example.first} {example.second}" for example in train]),
        [example.label for example in train],
    )
    texts = [f"{example.first} {example.second}" for example in test]
    return [int(label) for label in model.predict(weights.transform(texts))]


#: of each task, the course's own and public ones, what stands beside BERT
OF_TASK: dict[str, Callable[..., list[Any]]] = {
    "reviews": classify_texts,
    "sentiment": classify_texts,
    "headlines": classify_texts,
    "pairs": classify_pairs,
    "graded_pairs": grade_pairs,
    "entities": tag_by_word,
    "passages": answer_by_overlap,
    "stories": choose_without_context,
    "SST-2": classify_texts,
    "MRPC": classify_pairs,
    "SQuAD 1.1": answer_by_overlap,
    "WNUT17": tag_by_word,
    "livedoor": classify_characters,
    "EWT": tag_by_word,
}
