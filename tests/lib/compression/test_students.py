"""Students: new ones, and layers cut from a teacher."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import CONFIG, TOKENIZER, batch_of, ours, theirs

from lib.bert import WordPieceTokenizer
from lib.bert.alterations import parametrize
from lib.bert.heads import BertForMaskedLM, BertForSequenceClassification
from lib.compression.distillation.knowledge import observe
from lib.compression.distillation.layer_maps import distilbert_layers
from lib.compression.distillation.students import cut_student, new_student, with_vocabulary


def test_inv_a_student_of_all_layers_answers_as_its_teacher() -> None:
    for teacher in (ours(), theirs(), ours(BertForMaskedLM)):
        batch = batch_of()
        student = cut_student(teacher, [0, 1])
        expected = observe(teacher, batch).output.logits
        assert torch.equal(observe(student, batch).output.logits, expected)


def test_inv_cut_layers_are_the_teachers_norms_included(tmp_path: Path) -> None:
    teacher = ours(BertForMaskedLM, num_hidden_layers=12, hidden_size=8, intermediate_size=8)
    student = cut_student(teacher, distilbert_layers(6, 12))
    for place, layer in enumerate([0, 2, 4, 7, 9, 11]):
        taught = teacher.bert.encoder.layer[layer].state_dict()
        for name, tensor in student.bert.encoder.layer[place].state_dict().items():
            assert torch.equal(tensor, taught[name])
    assert student.cls.predictions.decoder.weight is student.bert.embeddings.word_embeddings.weight
    shared = {id(tensor) for tensor in teacher.parameters()} & {id(tensor) for tensor in student.parameters()}
    assert not shared and teacher.config.num_hidden_layers == 12
    student.save_pretrained(tmp_path)
    loaded = BertForMaskedLM.from_pretrained(tmp_path)
    assert torch.equal(observe(loaded, batch_of()).output.logits, observe(student, batch_of()).output.logits)


def test_a_layer_taken_twice_learns_as_two_and_frozen_teachers_have_free_students() -> None:
    teacher = ours()
    student = cut_student(teacher.requires_grad_(False), [1, 1])
    first, second = student.bert.encoder.layer
    assert first.output.dense.weight is not second.output.dense.weight
    assert all(part.requires_grad for part in student.parameters())


def test_a_new_student_is_small_and_of_its_seed() -> None:
    teacher = ours()
    student, again = new_student(teacher, seed=3), new_student(teacher, seed=3)
    assert (student.config.hidden_size, student.config.num_hidden_layers) == (128, 2)
    assert student.config.intermediate_size == 512 and type(student) is BertForSequenceClassification
    assert all(map(torch.equal, student.state_dict().values(), again.state_dict().values()))
    assert new_student(
        teacher, vocab_size=9, hidden_size=32
    ).bert.embeddings.word_embeddings.weight.shape == (9, 32)
    assert student.config.id2label == teacher.config.id2label


FEW = WordPieceTokenizer([*WordPieceTokenizer.all_special_tokens, "c", "a"])


def test_a_table_is_cut_to_another_vocabulary() -> None:
    model = ours()
    cut = with_vocabulary(model, TOKENIZER, FEW)
    assert cut.config.vocab_size == 7 and model.config.vocab_size == CONFIG.vocab_size
    with torch.no_grad():
        found = cut(FEW(["c a"])["input_ids"]).logits
        assert torch.equal(found, model(TOKENIZER(["c a"])["input_ids"]).logits)


# --- what is refused ------------------------------------------------------------------------------


def altered() -> Any:
    model = ours()
    parametrize(model, "bert.encoder.layer.0.attention.self.query", "LoRA", rank=2)
    return model


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: cut_student(ours(), []), "numbers from 0 to 1"),
    (lambda: cut_student(ours(), [2]), "numbers from 0 to 1"),
    (lambda: cut_student(ours(), [-1]), "numbers from 0 to 1"),
    (lambda: cut_student(altered(), [0]), "was altered"),
    (lambda: with_vocabulary(ours(vocab_size=7), FEW, TOKENIZER), "new to the model"),
    (lambda: with_vocabulary(ours(BertForMaskedLM), TOKENIZER, FEW), "masked-LM head"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_students_that_cannot_be_are_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()
