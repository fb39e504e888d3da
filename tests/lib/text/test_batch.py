"""From pieces to the tensors of a batch: the library's own, a text or a pair at a time."""

from __future__ import annotations

import sys

import pytest
import torch
from transformers import BertTokenizer

from lib.bert import WordPieceTokenizer, batch, checkpoint
from lib.text import cast, japanese_words

OURS = WordPieceTokenizer.from_pretrained("minilm")
THEIRS = BertTokenizer.from_pretrained(checkpoint.resolve_checkpoint("minilm"))
PAIRS = [(first, second) for first in cast() for second in (None, *cast())]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_one_row_is_that_of_the_library(first: str, second: str | None) -> None:
    expected = THEIRS(first, second)
    pieces = None if second is None else OURS.tokenize(second)
    ids, token_types = batch.build_inputs(OURS.tokenize(first), pieces, OURS.vocab)
    assert ids == expected["input_ids"]
    assert token_types == expected["token_type_ids"]


def test_two_tokens_are_added_to_a_text_and_three_to_a_pair() -> None:
    alone, _ = batch.build_inputs(["i"], None, OURS.vocab)
    paired, token_types = batch.build_inputs(["i"], ["he"], OURS.vocab)
    assert (len(alone), len(paired)) == (1 + 2, 2 + 3)
    assert token_types == [0, 0, 0, 1, 1]
    assert batch.build_inputs([], [], OURS.vocab)[1] == [0, 0, 1]


def test_a_batch_is_that_of_the_library() -> None:
    expected = THEIRS(cast(), padding=True, return_tensors="pt")
    input_ids, mask = batch.pad_batch([OURS.encode(text) for text in cast()], OURS.pad_token_id)
    assert torch.equal(input_ids, expected["input_ids"])
    assert torch.equal(mask, expected["attention_mask"])


def test_the_mask_knows_padding_from_a_piece_of_the_same_number() -> None:
    input_ids, mask = batch.pad_batch([[0, 7, 2], [0, 2]], pad_id=0)
    assert input_ids.tolist() == [[0, 7, 2], [0, 2, 0]]
    assert mask.tolist() == [[1, 1, 1], [1, 1, 0]]


def test_japanese_words_need_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fugashi", None)
    with pytest.raises(ValueError, match="pip install fugashi unidic-lite"):
        japanese_words("私はこの授業が大好きです。")


def test_japanese_words() -> None:
    pytest.importorskip("fugashi")
    pytest.importorskip("unidic_lite")
    words = ["私", "は", "この", "授業", "が", "大好き", "です", "。"]
    assert japanese_words("".join(words)) == words
