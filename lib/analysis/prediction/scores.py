"""How right predictions are: the published measures of classes, grades, entities and answers.

Every score is a share from 0 to 1, a correlation from -1 to 1, which papers and leaderboards print times 100,
or, of grades, how far off they are, in their own unit.
Predictions come first, what is right second.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lib.analysis.prediction.spans import entity_spans
from lib.text.tasks import QuestionExample
from lib.text.tasks.entity_tags import iob2

# sklearn and scipy are imported where they are used: together they take a second


# --- classes and grades ---------------------------------------------------------------------------


def accuracy(predictions: Sequence[int], labels: Sequence[int]) -> float:
    """The share of predictions that are right."""
    from sklearn.metrics import accuracy_score

    _validate_counts(predictions, labels)
    return float(accuracy_score(labels, predictions))


def f1(predictions: Sequence[int], labels: Sequence[int]) -> float:
    """The harmonic mean of precision and recall of class 1, as for MRPC and QQP; 0 where none is right."""
    from sklearn.metrics import f1_score

    _validate_counts(predictions, labels)
    return float(f1_score(labels, predictions, zero_division=0.0))


def macro_f1(predictions: Sequence[int], labels: Sequence[int]) -> float:
    """The mean of every class's F1, so that a rare class counts as much as a frequent one."""
    from sklearn.metrics import f1_score

    _validate_counts(predictions, labels)
    return float(f1_score(labels, predictions, average="macro", zero_division=0.0))


def matthews(predictions: Sequence[int], labels: Sequence[int]) -> float:
    """Matthews' correlation (1975), as GLUE scores CoLA: 0 for guessing, however uneven the classes are."""
    from sklearn.metrics import matthews_corrcoef

    _validate_counts(predictions, labels)
    return float(matthews_corrcoef(labels, predictions))


def pearson(predictions: Sequence[float], labels: Sequence[float]) -> float:
    """How well a straight line leads from one to the other; 0, though undefined, where either is constant."""
    from scipy.stats import pearsonr

    _validate_counts(predictions, labels)
    return 0.0 if _is_constant(predictions, labels) else float(pearsonr(predictions, labels).statistic)


def spearman(predictions: Sequence[float], labels: Sequence[float]) -> float:
    """Pearson's correlation of the ranks; 0, though undefined, where either is constant."""
    from scipy.stats import spearmanr

    _validate_counts(predictions, labels)
    return 0.0 if _is_constant(predictions, labels) else float(spearmanr(predictions, labels).statistic)


def mae(predictions: Sequence[float], labels: Sequence[float]) -> float:
    """By how much a grade is off on average (the mean absolute error), in the unit of the grades."""
    _validate_counts(predictions, labels)
    return float(np.abs(np.subtract(predictions, labels)).mean())


#: the measures that a task may name: those of `GLUE`, and two for classes and grades of one's own
METRICS: dict[str, Callable[..., float]] = {
    "accuracy": accuracy,
    "f1": f1,
    "macro_f1": macro_f1,
    "matthews": matthews,
    "pearson": pearson,
    "spearman": spearman,
    "mae": mae,
}


def _validate_counts(predictions: Sequence[object], labels: Sequence[object]) -> None:
    if len(predictions) != len(labels) or not len(labels):
        raise ValueError(
            f"{len(predictions)} predictions and {len(labels)} labels: give one of each for every example, "
            "of 1 example or more."
        )


def _is_constant(*rows: Sequence[float]) -> bool:
    return any(np.ptp(np.asarray(row, dtype=float)) == 0 for row in rows)


# --- tags and entities ----------------------------------------------------------------------------


def tag_accuracy(predictions: Sequence[Sequence[str]], labels: Sequence[Sequence[str]]) -> float:
    """The share of words whose tag is right, as parts of speech are scored; of entities it says little."""
    _validate_tags(predictions, labels)
    pairs = [pair for tags in zip(predictions, labels, strict=True) for pair in zip(*tags, strict=True)]
    return sum(predicted == right for predicted, right in pairs) / len(pairs)


class EntityScores(NamedTuple):
    """Shares of the entities found that are right, of the right ones that are found, and between both."""

    precision: float
    recall: float
    f1: float


def entity_scores(predictions: Sequence[Sequence[str]], labels: Sequence[Sequence[str]]) -> EntityScores:
    """How well the entities that tags mark are found: right is one whose label and both ends are right.

    Each is a list of tags a sentence, in any scheme that `iob2` reads; all sentences count together (Tjong
    Kim Sang and De Meulder, 2003).
    """
    _validate_tags(predictions, labels)
    predicted, gold = (_entities(tags) for tags in (predictions, labels))
    right = len(predicted & gold)
    precision, recall = right / max(len(predicted), 1), right / max(len(gold), 1)
    return EntityScores(precision, recall, 2 * precision * recall / ((precision + recall) or 1))


def _validate_tags(predictions: Sequence[Sequence[str]], labels: Sequence[Sequence[str]]) -> None:
    _validate_counts(predictions, labels)
    for number, (predicted, right) in enumerate(zip(predictions, labels, strict=True)):
        if len(predicted) != len(right) or not right:
            raise ValueError(
                f"Sentence {number} has {len(predicted)} predicted tags for {len(right)} words: give one for "
                "each, of 1 word or more."
            )


def _entities(sentences: Iterable[Sequence[str]]) -> set[tuple[int, str, int, int]]:
    """All entities, each with the number of its sentence."""
    return {(number, *span) for number, tags in enumerate(sentences) for span in entity_spans(iob2(tags))}


# --- answers --------------------------------------------------------------------------------------

ARTICLES = re.compile(r"\b(?:a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


class AnswerScores(NamedTuple):
    """How many answers are right to the letter, and how far by their words (Rajpurkar et al., 2016)."""

    exact: float
    f1: float


def normalize_answer(text: str) -> str:
    """What is compared of an answer: lower case, no ASCII punctuation, no articles, single spaces."""
    return " ".join(ARTICLES.sub(" ", text.lower().translate(WITHOUT_PUNCTUATION)).split())


def answer_scores(prediction: str, answers: Iterable[str]) -> AnswerScores:
    """How well one answer fits the best of the right ones, in letters and in words.

    "" is to say that there is no answer: that is right, and alone right, where there are no answers
    (Rajpurkar et al., 2018).
    """
    predicted = normalize_answer(prediction)
    right = [normalized for answer in answers if (normalized := normalize_answer(answer))] or [""]
    words = predicted.split()
    return AnswerScores(
        float(predicted in right), max(_shared_words(words, answer.split()) for answer in right)
    )


def squad_scores(predictions: Mapping[str, str], questions: Sequence[QuestionExample]) -> AnswerScores:
    """The means of `answer_scores` over all questions, as SQuAD 1.1 and 2.0 are scored.

    predictions: an answer for the id of each question, "" for none. Raises ValueError where one is missing.
    """
    if not questions:
        raise ValueError("There are no questions to score: give 1 at least.")
    if missing := [question.id for question in questions if question.id not in predictions]:
        raise ValueError(
            f"{len(missing)} of {len(questions)} questions have no prediction, the first is {missing[0]}: "
            'give "" where the answer is that there is none.'
        )
    scored = [
        answer_scores(predictions[question.id], [answer.text for answer in question.answers])
        for question in questions
    ]
    exact, f1 = (sum(column) / len(scored) for column in zip(*scored, strict=True))
    return AnswerScores(exact, f1)


def _shared_words(predicted: list[str], right: list[str]) -> float:
    """The harmonic mean of the shares of both that the words they share make up; 1 if both are empty."""
    if not predicted or not right:
        return float(predicted == right)
    shared = (Counter(predicted) & Counter(right)).total()
    return 2 * shared / (len(predicted) + len(right))
