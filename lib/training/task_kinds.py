"""The five kinds of task that BERT is fine-tuned for: a class, a grade, tags, a span, a choice.

A kind knows which head the task needs, how its examples become rows of pieces, what a model predicts for
them, and how that is scored (Devlin et al., 2019, figure 4 and section 4.4). Training is the same for all of
them: `lib.training.finetuning`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
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
    Answer,
    Broken,
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
from lib.text.tasks.entity_tags import ENTITY_TAG, iob2
from lib.text.tasks.reading import decimal, is_blank, whole_number
from lib.text.tasks.squad import checked_question


class TaskKind(Protocol):
    """What the five have in common."""

    @property
    def example_class(self) -> type[Any]:
        """What its examples are: a `NamedTuple`."""

    def checked(self, example: Any) -> Any:
        """The example as it is learned and scored, its label a number. Raises ValueError, without a stop at
        its end, for one that cannot be."""

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
        self, model: PreTrainedBert, examples: Sequence[Any], tokenizer: WordPieceTokenizer, max_length: int
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


def checked_examples(kind: TaskKind, examples: Iterable[Any], where: str) -> list[Any]:
    """All examples as `kind.checked` gives them. where: what they are called, such as "the test rows".

    Raises ValueError, with its number from 0, for the first that is none, and where there are none.
    """
    form = f"{kind.example_class.__name__}({', '.join(kind.example_class._fields)})"
    checked = []
    for number, example in enumerate(examples):
        try:
            if not isinstance(example, kind.example_class):
                shown = " ".join(str(example).split())[:60]
                raise ValueError(f"{shown} is a {type(example).__name__}, make it a {form}")
            checked.append(kind.checked(example))
        except (ValueError, TypeError) as error:
            raise ValueError(f"Example {number} of {where} cannot be used: {error}.") from None
    if not checked:
        raise ValueError(f"There are no examples in {where}: give one {form} at least.")
    return checked


def _validate_names(names: Any) -> None:
    """ValueError unless classes or tags have an order, and are two or more."""
    if not isinstance(names, tuple | list) or not 1 < len(names) == len(set(names)):
        raise ValueError(
            f"{names} are no names of classes: give a tuple of two or more, in the order of their numbers."
        )


def _validate_texts(*texts: Any) -> None:
    for text in texts:
        if is_blank(text):
            raise ValueError(f"its text {text!r} has no words")


class OneOfARow:
    """What classes, grades and choices have in common: an answer a row, read off the row's logits."""

    encode: ClassVar[Callable[..., list[Row]]]

    def prediction(self, logits: Tensor) -> Any:
        """The answer that a row's logits [C] give."""
        raise NotImplementedError

    def rows(self, examples: Sequence[Any], tokenizer: WordPieceTokenizer, max_length: int) -> list[Row]:
        return self.encode(examples, tokenizer, max_length)

    def predict(
        self, model: PreTrainedBert, examples: Sequence[Any], tokenizer: WordPieceTokenizer, max_length: int
    ) -> list[Any]:
        rows = self.rows(examples, tokenizer, max_length)
        return [self.prediction(logits) for logits in row_logits(model, rows, tokenizer.pad_token_id)]


@dataclass(frozen=True)
class Classification(OneOfARow):
    """One of several classes for a text or a pair of texts; a prediction is the number of a class.

    An example's label is such a number, in the order of `labels` from 0, or one of these names.
    """

    labels: tuple[str, ...]
    metrics: tuple[str, ...] = ("accuracy",)  # names in `scores.METRICS`, the one that counts most first
    encode = staticmethod(encode_texts)
    example_class: ClassVar[type[Any]] = TextExample
    model_class: ClassVar[type[PreTrainedBert]] = BertForSequenceClassification

    def __post_init__(self) -> None:
        _validate_names(self.labels)
        known = [name for name in scores.METRICS if name != "f1" or len(self.labels) == 2]
        if wrong := [name for name in self.metrics or ("",) if name not in known]:
            raise ValueError(
                f"{wrong[0]!r} does not score {len(self.labels)} classes: use {', '.join(known)}."
            )

    @property
    def config(self) -> dict[str, Any]:
        return {"id2label": dict(enumerate(self.labels))}

    @property
    def metric(self) -> str:
        return self.metrics[0]

    def checked(self, example: TextExample) -> TextExample:
        _validate_texts(example.first, example.first if example.second is None else example.second)
        return example._replace(label=_place(example.label, self.labels))

    def prediction(self, logits: Tensor) -> int:
        return int(logits.argmax())

    def score(self, predictions: Sequence[int], examples: Sequence[TextExample]) -> dict[str, float]:
        labels = [example.label for example in examples]
        return {name: scores.METRICS[name](predictions, labels) for name in self.metrics}


@dataclass(frozen=True)
class Regression(OneOfARow):
    """A grade for a text or a pair of texts, such as how alike two sentences are, from 0 to 5."""

    metrics: tuple[str, ...] = ("pearson", "spearman")  # as those of classes
    encode = staticmethod(encode_texts)
    example_class: ClassVar[type[Any]] = TextExample
    model_class: ClassVar[type[PreTrainedBert]] = BertForSequenceClassification
    config: ClassVar[dict[str, Any]] = {"id2label": {0: "grade"}}

    @property
    def metric(self) -> str:
        return self.metrics[0]

    def checked(self, example: TextExample) -> TextExample:
        _validate_texts(example.first, example.first if example.second is None else example.second)
        return example._replace(label=decimal(example.label))

    def prediction(self, logits: Tensor) -> float:
        return float(logits)

    def score(self, predictions: Sequence[float], examples: Sequence[TextExample]) -> dict[str, float]:
        grades = [example.label for example in examples]
        return {name: scores.METRICS[name](predictions, grades) for name in self.metrics}


@dataclass(frozen=True)
class Tagging:
    """A tag for each word, read off its first piece; words that were cut off, or have none, get `tags[0]`.

    metric: "f1" of the entities that tags such as B-PER mark, or "accuracy", as for parts of speech. Of an
    example the tags are among `tags`, or are so in IOB2 (`lib.text.tasks.entity_tags`), or are their places.
    """

    tags: tuple[str, ...]
    metric: Literal["f1", "accuracy"] = "f1"
    example_class: ClassVar[type[Any]] = TaggedSentence
    model_class: ClassVar[type[PreTrainedBert]] = BertForTokenClassification

    def __post_init__(self) -> None:
        _validate_names(self.tags)
        if self.metric not in ("f1", "accuracy"):
            raise ValueError(f"{self.metric!r} does not score tags: use f1 or accuracy.")
        others = [tag for tag in self.tags if not ENTITY_TAG.fullmatch(tag)]
        if self.metric == "f1" and others:
            raise ValueError(
                f"{others[0]!r} marks no entity, as f1 asks for: give such as B-PER, or use accuracy."
            )

    @property
    def config(self) -> dict[str, Any]:
        return {"id2label": dict(enumerate(self.tags))}

    def checked(self, example: TaggedSentence) -> TaggedSentence:
        words, tags = example
        if len(words) != len(tags) or not words:
            raise ValueError(f"it has {len(words)} words and {len(tags)} tags")
        if all(isinstance(tag, str) for tag in tags) and not set(tags) <= set(self.tags):
            tags = iob2(tags)
        return TaggedSentence(list(words), [self.tags[_place(tag, self.tags)] for tag in tags])

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
    example_class: ClassVar[type[Any]] = QuestionExample
    model_class: ClassVar[type[PreTrainedBert]] = BertForQuestionAnswering
    config: ClassVar[dict[str, Any]] = {}
    metric: ClassVar[str] = "f1"

    def checked(self, example: QuestionExample) -> QuestionExample:
        if not all(isinstance(answer, tuple) and len(answer) == 2 for answer in example.answers):
            raise ValueError(f"its answers {example.answers!r} are none, each is an Answer(text, start)")
        answers = tuple(Answer(*answer) for answer in example.answers)
        question = checked_question(example._replace(answers=answers))
        if isinstance(question, Broken):
            raise ValueError(f"in {question.where}, {question.why}")
        return question

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
        answers = {example.id: words for example, words in zip(numbered, predictions, strict=True)}
        return scores.squad_scores(answers, numbered)._asdict()


@dataclass(frozen=True)
class MultipleChoice(OneOfARow):
    """Which of several continuations fits a beginning; a prediction is the place of one."""

    encode = staticmethod(encode_choices)
    example_class: ClassVar[type[Any]] = ChoiceExample
    model_class: ClassVar[type[PreTrainedBert]] = BertForMultipleChoice
    config: ClassVar[dict[str, Any]] = {}
    metric: ClassVar[str] = "accuracy"

    def checked(self, example: ChoiceExample) -> ChoiceExample:
        _validate_texts(example.context, *example.choices)
        return example._replace(label=_place(example.label, example.choices))

    def prediction(self, logits: Tensor) -> int:
        return int(logits.argmax())

    def score(self, predictions: Sequence[int], examples: Sequence[ChoiceExample]) -> dict[str, float]:
        labels = [example.label for example in examples if example.label is not None]
        return {"accuracy": scores.accuracy(predictions, labels)}


def _place(label: Any, names: Sequence[str]) -> int:
    """The place that a label is, or that it has among the names. ValueError, without a stop, for another."""
    with suppress(ValueError, TypeError):  # of what is no name at all, such as an NA of pandas
        if label in names:
            return names.index(label)
        place = int(label) if str(label) in ("True", "False") else whole_number(label)
        if place in range(len(names)):
            return place
    known = ", ".join(map(str, names))
    raise ValueError(f"its label {label!r} is none of {known}, nor one of their places from 0")


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
