"""The question-answering model that comes with the course."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lib.analysis.prediction.question_answering import answer
from lib.bert import BertForQuestionAnswering, WordPieceTokenizer
from lib.records import question_model

PARAGRAPH = (
    "Ada Brown opened a bakery in Leeds in 1921. She sold rye bread to the workers of the mill until the war."
)


def test_it_finds_plain_answers() -> None:
    model, tokenizer = question_model.question_model(), WordPieceTokenizer.from_pretrained("minilm")
    for question, right in {
        "Who opened the bakery?": "Ada Brown",
        "When did it open?": "1921",
        "What did she sell?": "rye bread",
    }.items():
        assert answer(model, tokenizer, question, PARAGRAPH).text == right


def test_it_is_minilm_but_for_what_was_trained() -> None:
    model, start = question_model.question_model(), BertForQuestionAnswering.from_pretrained("minilm")
    for name, tensor in start.state_dict().items():
        same = torch.equal(tensor, model.state_dict()[name])
        assert same == name.startswith("bert.embeddings."), name
    assert start.newly_initialized and not model.newly_initialized


def test_a_file_of_another_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tensors = load_file(question_model.WEIGHTS)
    del tensors["qa_outputs.bias"]
    save_file(tensors, tmp_path / "part.safetensors")
    monkeypatch.setattr(question_model, "WEIGHTS", tmp_path / "part.safetensors")
    with pytest.raises(ValueError, match="does not fit MiniLM"):
        question_model.question_model()
