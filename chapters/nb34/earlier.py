"""What earlier notebooks built and this one uses again: a question's parts and its answer (15)."""

from collections.abc import Sequence

from torch import Tensor

from lib.analysis.prediction import scores
from lib.analysis.prediction.spans import best_span
from lib.bert import WordPieceTokenizer
from lib.bert.heads import SpanOutput
from lib.text.tasks import QuestionExample


def parts_of(question: QuestionExample, tokenizer: WordPieceTokenizer) -> tuple[Tensor, Tensor, int]:
    """Notebook 15: ids and types [1, T] of a question and its paragraph, and where the paragraph begins."""
    row = tokenizer(question.question, question.context)
    types = row["token_type_ids"]
    asked = int((types == 0).sum())  # [CLS], the question and its [SEP]
    return row["input_ids"], types, asked


def best_words(output: SpanOutput, asked: int, paragraph: str, tokenizer: WordPieceTokenizer) -> str:
    """Notebook 15: the words of a paragraph whose start and end score most together.

    output: of one row, [CLS] question [SEP] paragraph [SEP], whose paragraph begins at place `asked`.
    """
    places = tokenizer.offsets(paragraph)[1:-1]  # (from, to) of each token, in characters
    first, last = best_span(output.start_logits[0, asked:-1], output.end_logits[0, asked:-1], 30)
    return paragraph[places[first][0] : places[last][1]]


def mean_f1(found: Sequence[str], questions: Sequence[QuestionExample]) -> float:
    """Notebook 15: how far answers agree with the references, 0 to 1, the mean over the questions."""
    answers = {one.id: words for one, words in zip(questions, found, strict=True)}
    return scores.squad_scores(answers, questions).f1
