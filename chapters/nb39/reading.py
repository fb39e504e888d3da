"""Questions on the course's own passages: found by vectors or by words, read and summarized.

Sizes in the comments: Q questions, N passages.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from torch import Tensor, nn

from lib.analysis.prediction.question_answering import FoundAnswer, answer_questions
from lib.analysis.prediction.scores import answer_scores
from lib.bert import WordPieceTokenizer
from lib.text.sentence_pairs import split_sentences
from lib.text.tasks import QuestionExample, own


@dataclass(frozen=True)
class Exam:
    """All passages, and the test questions that one of them answers."""

    passages: list[str]
    questions: list[QuestionExample]
    right: Tensor  # int64 [Q]: the passage of each question

    @property
    def asked(self) -> list[str]:
        """The questions as texts."""
        return [question.question for question in self.questions]


def exam() -> Exam:
    """80 passages, and the 96 questions of the test set that have an answer."""
    everything = [*own.passages("train"), *own.passages("test")]
    passages = list(dict.fromkeys(example.context for example in everything))
    questions = [example for example in own.passages("test") if example.answers]
    right = torch.tensor([passages.index(question.context) for question in questions])
    return Exam(passages, questions, right)


def scores_by_words(questions: Sequence[str], texts: Sequence[str]) -> Tensor:
    """Shared words without the most usual ones, weighted by TF-IDF: [Q, N]."""
    counter = TfidfVectorizer(stop_words="english").fit(texts)
    return torch.tensor((counter.transform(questions) @ counter.transform(texts).T).toarray())


class Readings:
    """What a reader answers to the questions of an exam, each question and passage read once."""

    def __init__(self, reader: nn.Module, tokenizer: WordPieceTokenizer, asked: Exam):
        self.reader = reader
        self.tokenizer = tokenizer
        self.asked = asked
        self.known: dict[tuple[int, int], FoundAnswer] = {}

    def at(self, places: Tensor) -> list[FoundAnswer]:
        """The answer to each question from the passage at its place, int64 [Q]."""
        wanted = list(enumerate(places.tolist()))
        new = [pair for pair in wanted if pair not in self.known]
        if new:
            given = [
                self.asked.questions[number]._replace(context=self.asked.passages[place])
                for number, place in new
            ]
            self.known |= dict(zip(new, answer_questions(self.reader, self.tokenizer, given), strict=True))
        return [self.known[pair] for pair in wanted]


def f1_scores(answers: Sequence[FoundAnswer], asked: Exam) -> list[float]:
    """F1 of each answer, as SQuAD counts it, whatever the reader's doubts."""
    return [
        answer_scores(answer.text, [right.text for right in question.answers]).f1
        for answer, question in zip(answers, asked.questions, strict=True)
    ]


def surest(rounds: Sequence[Sequence[FoundAnswer]]) -> list[FoundAnswer]:
    """Of several passages' answers to each question the one that outscores "no answer" by most."""
    return [min(answers, key=lambda answer: answer.margin) for answers in zip(*rounds, strict=True)]


# --- summaries ------------------------------------------------------------------------------------


def kept_answers(asked: Exam, choose: Callable[[list[str]], list[int]]) -> Tensor:
    """Whether a right answer stands in the sentences that `choose` keeps of its passage, bool [Q]."""
    kept = {}
    for place in sorted({*asked.right.tolist()}):
        sentences = split_sentences(asked.passages[place])
        kept[asked.passages[place]] = " ".join(sentences[number] for number in choose(sentences))
    return torch.tensor(
        [
            any(right.text in kept[question.context] for right in question.answers)
            for question in asked.questions
        ]
    )


def kept_by_chance(asked: Exam, count: int, draws: int) -> float:
    """The mean share of `kept_answers` over draws of so many sentences, or all where a passage has fewer."""
    rng = random.Random(0)

    def some(sentences: list[str]) -> list[int]:
        return sorted(rng.sample(range(len(sentences)), min(count, len(sentences))))

    return mean(kept_answers(asked, some).float().mean().item() for _ in range(draws))
