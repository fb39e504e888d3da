"""The five kinds of task that BERT is fine-tuned for: a class, a grade, tags, a span, a choice.

A kind knows which head the task needs, how its examples become rows of pieces, what a model predicts for
them, and how that is scored (Devlin et al., 2019, figure 4 and section 4.4). Training is the same for all of
them: `lib.training.finetuning`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import torch
from torch import Tensor

from lib.analysis.prediction import question_answering, scores
from lib.bert import (
    BertForMultipleChoice,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    WordPieceTokenizer,
)
from lib.bert.model import PreTrainedBert
from lib.text.tasks import (
    ChoiceExample,
    QuestionExample,
    Row,
    TaggedSentence,
    TaskBatches,
    TextExample,
    encode_choices,
    encode_questions,
    encode_tags,
    encode_texts,
    first_pieces,
)


class TaskKind(Protocol):
    """What the five have in common."""

    @property
    def model_class(self) -> type[PreTrainedBert]: ...

    @property
    def config(self) -> dict[str, Any]:
        """What the model's config has to say of the head."""

    @property
    def metric(self) -> str:
        """The name of the score that counts most."""

    def rows(self, examples: Sequence[Any], tokenizer: WordPieceTokenizer, max_length: int) -> list[Row]:
        """What a model reads of the examples, and the labels it shall learn."""

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[Any],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[Any]:
        """What a model in eval() mode says, one prediction an example."""

    def score(self, predictions: Sequence[Any], examples: Sequence[Any]) -> dict[str, float]: ...


@dataclass(frozen=True)
class Task:
    """What is to be learned: a kind of task, examples to learn from, and others to be tested on.

    validation: examples that decide when to stop (`Recipe.patience`); a test set that decides is none.
    """

    name: str
    kind: TaskKind
    train: Sequence[Any]
    test: Sequence[Any]
    validation: Sequence[Any] = ()


@dataclass(frozen=True)
class Classification:
    """One of several classes for a text or a pair of texts; a prediction is the number of a class."""

    labels: tuple[str, ...]
    metrics: tuple[str, ...] = ("accuracy",)  # names in `scores.METRICS`, the one that counts most first
    model_class: ClassVar[type[PreTrainedBert]] = BertForSequenceClassification

    @property
    def config(self) -> dict[str, Any]:
        return {"id2label": dict(enumerate(self.labels))}

    @property
    def metric(self) -> str:
        return self.metrics[0]

    def rows(
        self, examples: Sequence[TextExample], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Row]:
        return encode_texts(examples, tokenizer, max_length)

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[TextExample],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[int]:
        return predicted_labels(model, self.rows(examples, tokenizer, max_length), tokenizer)

    def score(self, predictions: Sequence[int], examples: Sequence[TextExample]) -> dict[str, float]:
        labels = [example.label for example in examples]
        return {name: scores.METRICS[name](predictions, labels) for name in self.metrics}


@dataclass(frozen=True)
class Regression:
    """A grade for a text or a pair of texts, such as how alike two sentences are, from 0 to 5."""

    model_class: ClassVar[type[PreTrainedBert]] = BertForSequenceClassification
    config: ClassVar[dict[str, Any]] = {"id2label": {0: "grade"}}
    metric: ClassVar[str] = "pearson"

    def rows(
        self, examples: Sequence[TextExample], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Row]:
        return encode_texts(examples, tokenizer, max_length)

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[TextExample],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[float]:
        rows = self.rows(examples, tokenizer, max_length)
        return [float(logits) for logits in row_logits(model, rows, tokenizer.pad_token_id)]

    def score(self, predictions: Sequence[float], examples: Sequence[TextExample]) -> dict[str, float]:
        grades = [example.label for example in examples]
        return {name: scores.METRICS[name](predictions, grades) for name in ("pearson", "spearman")}


@dataclass(frozen=True)
class Tagging:
    """A tag for each word, read off its first piece; words that were cut off, or have none, get `tags[0]`.

    metric: "f1" of the entities that BIO tags such as B-PER mark, or "accuracy", as for parts of speech.
    """

    tags: tuple[str, ...]
    metric: Literal["f1", "accuracy"] = "f1"
    model_class: ClassVar[type[PreTrainedBert]] = BertForTokenClassification

    @property
    def config(self) -> dict[str, Any]:
        return {"id2label": dict(enumerate(self.tags))}

    def rows(
        self, examples: Sequence[TaggedSentence], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Row]:
        return encode_tags(examples, tokenizer, self.tags, max_length)

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[TaggedSentence],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[list[str]]:
        rows = self.rows(examples, tokenizer, max_length)
        return [
            [
                self.tags[0 if place is None else int(logits[place].argmax())]
                for place in first_pieces(example.words, tokenizer, max_length)
            ]
            for logits, example in zip(row_logits(model, rows, tokenizer.pad_token_id), examples, strict=True)
        ]

    def score(
        self, predictions: Sequence[Sequence[str]], examples: Sequence[TaggedSentence]
    ) -> dict[str, float]:
        tags = [example.tags for example in examples]
        if self.metric == "accuracy":
            return {"accuracy": scores.tag_accuracy(predictions, tags)}
        return scores.entity_scores(predictions, tags)._asdict()


@dataclass(frozen=True)
class SpanExtraction:
    """Which words of a paragraph answer a question, "" for none; a long paragraph is read in windows.

    threshold: by how much "there is no answer" has to outscore the words; math.inf where all have one.
    """

    threshold: float = 0.0
    model_class: ClassVar[type[PreTrainedBert]] = BertForQuestionAnswering
    config: ClassVar[dict[str, Any]] = {}
    metric: ClassVar[str] = "f1"

    def rows(
        self, examples: Sequence[QuestionExample], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Row]:
        return [window.row for window in encode_questions(examples, tokenizer, max_length, max_length // 3)]

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[QuestionExample],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[str]:
        answers = question_answering.answer_questions(
            model, tokenizer, examples, max_length=max_length, stride=max_length // 3
        )
        return [answer.at_threshold(self.threshold) for answer in answers]

    def score(self, predictions: Sequence[str], examples: Sequence[QuestionExample]) -> dict[str, float]:
        # by their numbers: two that were made by hand may have one id
        numbered = [example._replace(id=str(number)) for number, example in enumerate(examples)]
        said = {example.id: words for example, words in zip(numbered, predictions, strict=True)}
        return scores.squad_scores(said, numbered)._asdict()


@dataclass(frozen=True)
class MultipleChoice:
    """Which of several continuations fits a beginning; a prediction is the place of one."""

    model_class: ClassVar[type[PreTrainedBert]] = BertForMultipleChoice
    config: ClassVar[dict[str, Any]] = {}
    metric: ClassVar[str] = "accuracy"

    def rows(
        self, examples: Sequence[ChoiceExample], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Row]:
        return encode_choices(examples, tokenizer, max_length)

    def predict(
        self,
        model: PreTrainedBert,
        examples: Sequence[ChoiceExample],
        tokenizer: WordPieceTokenizer,
        max_length: int,
    ) -> list[int]:
        return predicted_labels(model, self.rows(examples, tokenizer, max_length), tokenizer)

    def score(self, predictions: Sequence[int], examples: Sequence[ChoiceExample]) -> dict[str, float]:
        labels = [example.label for example in examples if example.label is not None]
        return {"accuracy": scores.accuracy(predictions, labels)}


@torch.inference_mode()
def row_logits(
    model: PreTrainedBert, rows: Sequence[Row], pad_id: int = 0, batch_size: int = 64
) -> list[Tensor]:
    """The logits of each row, in the order of the rows; rows of like length are read together."""
    unlabeled = [{name: value for name, value in row.items() if name != "labels"} for row in rows]
    batches = TaskBatches(unlabeled, pad_id, batch_size, seed=None, group_by_length=True)
    device, logits = next(model.parameters()).device, dict[int, Tensor]()
    for number in range(batches.size):
        output = model(**{name: tensor.to(device) for name, tensor in batches(number).items()})
        logits.update(zip(batches.places(number), output.logits.float().cpu(), strict=True))
    return [logits[place] for place in range(len(rows))]


def predicted_labels(model: PreTrainedBert, rows: Sequence[Row], tokenizer: WordPieceTokenizer) -> list[int]:
    """The place of the greatest of each row's logits [C]: a class, or a choice."""
    return [int(logits.argmax()) for logits in row_logits(model, rows, tokenizer.pad_token_id)]
