"""Answers come from the best window, in the paragraph's own characters, or are withheld by a threshold."""

import math
from types import SimpleNamespace

import pytest
import torch
from tiny_berts import ours
from torch import Tensor, nn

from lib.analysis.prediction.question_answering import answer, answer_questions
from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForQuestionAnswering
from lib.text.tasks import QuestionExample

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "who", "came", "?", ".", "co", "##vid", "x", "y", "z"]


class Reader(nn.Module):
    """Each piece has a score to begin and one to end an answer, wherever it stands."""

    def __init__(self, tokenizer: WordPieceTokenizer, **scores: tuple[float, float]) -> None:
        super().__init__()
        table = torch.zeros(len(tokenizer), 2)
        for piece, pair in scores.items():
            table[tokenizer.vocab[piece]] = torch.tensor(pair)
        self.table = nn.Parameter(table)
        self.eval()

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> SimpleNamespace:
        starts, ends = self.table[input_ids].unbind(-1)
        return SimpleNamespace(start_logits=starts + 100 * (1 - attention_mask), end_logits=ends)


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(PIECES)


def test_an_answer_is_cut_from_the_paragraph(tokenizer) -> None:
    reader = Reader(tokenizer, **{"co": (5, 0), "##vid": (0, 4), "[CLS]": (1, 2), "who": (50, 50)})
    found = answer(reader, tokenizer, "Who came?", "Y came.  CoVid  came. X")
    assert found == ("CoVid", 9, 14, 9, 3)
    assert found.margin == -6
    assert found.at_threshold(-6) == "CoVid" and found.at_threshold(-6.1) == ""
    assert found.at_threshold(math.inf) == "CoVid"


def test_the_best_window_of_a_long_paragraph_answers(tokenizer) -> None:
    reader = Reader(tokenizer, x=(3, 3), y=(6, 0), z=(0, 6), **{"[CLS]": (2, 2)})
    paragraph = f"{'. ' * 20}x {'. ' * 30}y came z{' .' * 25}"
    whole = answer(reader, tokenizer, "who?", paragraph)
    windows = answer(reader, tokenizer, "who?", paragraph, max_length=16, stride=4)
    assert whole == windows
    assert (whole.text, paragraph[whole.start : whole.end], whole.score) == ("y came z", "y came z", 12)
    assert answer(reader, tokenizer, "who?", paragraph, max_answer_length=2).score == 6


def test_no_answer_is_what_no_window_can_do_without(tokenizer) -> None:
    class Doubting(Reader):
        def forward(
            self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
        ) -> SimpleNamespace:
            output = super().forward(input_ids, attention_mask, token_type_ids)
            output.start_logits[:, 0] = 8.0 - 5 * (input_ids == 11).any(1).float()  # lower where it sees x
            return output

    paragraph = f"{'. ' * 30}x{' .' * 30}"
    found = answer(Doubting(tokenizer, x=(1, 1)), tokenizer, "who?", paragraph, max_length=16, stride=8)
    assert (found.text, found.score, found.null_score) == ("x", 2, 3)


def test_questions_are_answered_in_their_order_whatever_shares_a_batch(tokenizer) -> None:
    model = ours(BertForQuestionAnswering, max_position_embeddings=20)
    questions = [
        QuestionExample(str(n), "who came?", " ".join("xyz"[(n + k) % 3] for k in range(1 + 7 * n % 30)), ())
        for n in range(9)
    ]
    together = answer_questions(model, tokenizer, questions, max_length=20, stride=5, batch_size=4)
    for question, found in zip(questions, together, strict=True):
        alone = answer(model, tokenizer, question.question, question.context, max_length=20, stride=5)
        assert (alone.text, alone.start) == (found.text, found.start)
        assert question.context[found.start : found.end] == found.text
        assert alone[3:] == pytest.approx(found[3:], abs=1e-5)


def test_what_cannot_be_asked_is_refused(tokenizer) -> None:
    reader = Reader(tokenizer)
    with pytest.raises(ValueError, match=r"paragraph of question .* has no words, only '  ': give one"):
        answer(reader, tokenizer, "who?", "  ")
    with pytest.raises(ValueError, match="has no words, only '': ask something"):
        answer(reader, tokenizer, "", "x")
    with pytest.raises(ValueError, match="training mode"):
        answer(reader.train(), tokenizer, "who?", "x")
