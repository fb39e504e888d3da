"""Questions answered from a paragraph: the best span over all its windows, in the paragraph's own characters.

"There is no answer" is the span of [CLS] alone. By how much it may outscore the best words before they are
withheld is a threshold, found on questions that were not trained on (Devlin et al., 2019, section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from lib.analysis.prediction.spans import best_span
from lib.bert import WordPieceTokenizer
from lib.bert.validation import validate_eval
from lib.text.tasks import QuestionExample, QuestionWindow, TaskBatches, encode_questions

OTHER = (0, 0)  # the span of a piece that is not of the paragraph


class FoundAnswer(NamedTuple):
    """The best words of a paragraph for a question, and how they stand against "there is no answer"."""

    text: str
    start: int  # in characters of the paragraph
    end: int  # the character after the last
    score: float  # start logit + end logit
    null_score: float  # the same of [CLS], in the window where it is lowest

    @property
    def margin(self) -> float:
        """By how much "there is no answer" outscores the words."""
        return self.null_score - self.score

    def at_threshold(self, threshold: float) -> str:
        """The words, or "" where "there is no answer" outscores them by more than the threshold.

        math.inf always gives the words: for a model that never saw a question without an answer.
        """
        return "" if self.margin > threshold else self.text


def answer(
    model: nn.Module,
    tokenizer: WordPieceTokenizer,
    question: str,
    paragraph: str,
    *,
    max_length: int = 384,
    stride: int = 128,
    max_answer_length: int = 30,
) -> FoundAnswer:
    """What a model for question answering, ours or of `transformers`, finds in one paragraph of any length.

    See `answer_questions`.
    """
    example = QuestionExample("the one asked", question, paragraph, ())
    return answer_questions(
        model,
        tokenizer,
        [example],
        max_length=max_length,
        stride=stride,
        max_answer_length=max_answer_length,
    )[0]


def answer_questions(
    model: nn.Module,
    tokenizer: WordPieceTokenizer,
    questions: Sequence[QuestionExample],
    *,
    max_length: int = 384,
    stride: int = 128,
    max_answer_length: int = 30,
    batch_size: int = 32,
) -> list[FoundAnswer]:
    """The best answer to each question, in their order; what is right is not looked at.

    A paragraph that does not fit into `max_length` pieces is read in windows, each `stride` pieces on; the
    best span of `max_answer_length` pieces or fewer over all of them counts. ValueError for a question or a
    paragraph without words, and for a model in training mode.
    """
    validate_eval(model, tokenizer)
    windows = encode_questions(questions, tokenizer, max_length, stride)
    _validate_words(windows, questions)
    best: dict[int, FoundAnswer] = {}
    for window, (start_logits, end_logits) in zip(
        windows, _logits(model, tokenizer, windows, batch_size), strict=True
    ):
        context = questions[window.question].context
        candidate = _best_of(window, start_logits, end_logits, context, max_answer_length)
        before = best.get(window.question, candidate)
        better = max(before, candidate, key=lambda answer: answer.score)
        best[window.question] = better._replace(null_score=min(before.null_score, candidate.null_score))
    return [best[number] for number in range(len(questions))]


# --- windows --------------------------------------------------------------------------------------


@torch.inference_mode()
def _logits(
    model: nn.Module, tokenizer: WordPieceTokenizer, windows: Sequence[QuestionWindow], batch_size: int
) -> list[tuple[Tensor, Tensor]]:
    """The start and end logits of each window, in their order, without padding: [T] each."""
    device = next(model.parameters()).device
    inputs = [{name: window.row[name] for name in ("input_ids", "token_type_ids")} for window in windows]
    batches = TaskBatches(inputs, tokenizer.pad_token_id, batch_size, seed=None, group_by_length=True)
    logits: dict[int, tuple[Tensor, Tensor]] = {}
    for number in range(batches.size):
        output = model(**{name: tensor.to(device) for name, tensor in batches(number).items()})
        starts, ends = output.start_logits.float().cpu(), output.end_logits.float().cpu()  # [B, T]
        for row, place in enumerate(batches.places(number)):
            length = len(windows[place].spans)
            logits[place] = (starts[row, :length], ends[row, :length])
    return [logits[place] for place in range(len(windows))]


def _best_of(
    window: QuestionWindow, start_logits: Tensor, end_logits: Tensor, context: str, max_length: int
) -> FoundAnswer:
    """The best answer of one window; the pieces of its paragraph stand in a row, so a slice holds them."""
    places = [place for place, span in enumerate(window.spans) if span != OTHER]
    inside = slice(places[0], places[-1] + 1)
    first, last = best_span(start_logits[inside], end_logits[inside], max_length)
    first, last = first + places[0], last + places[0]
    start, end = window.spans[first][0], window.spans[last][1]
    return FoundAnswer(
        context[start:end],
        start,
        end,
        float(start_logits[first] + end_logits[last]),
        float(start_logits[0] + end_logits[0]),
    )


def _validate_words(windows: Sequence[QuestionWindow], questions: Sequence[QuestionExample]) -> None:
    for window in windows:
        _, question, context, *_ = example = questions[window.question]
        if all(span == OTHER for span in window.spans):
            raise ValueError(
                f"The paragraph of question {example.id!r} has no words, only {context!r}: give one that has."
            )
        if window.row["token_type_ids"].count(0) == 2:  # [CLS] and [SEP]
            raise ValueError(f"Question {example.id!r} has no words, only {question!r}: ask something.")
