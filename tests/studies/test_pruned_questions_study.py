"""The question model without half of its heads and neurons, on a task of four questions."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from lib.bert import BertConfig, BertForQuestionAnswering
from lib.records import subject as subjects
from lib.records.subject import Subject
from lib.text.tasks import QuestionExample
from lib.text.tasks.squad import Answer
from lib.training.task_kinds import SpanExtraction, Task
from studies import pruned_questions

TEXT = "Ada Brown opened a bakery in Leeds in 1921 ."
QUESTIONS = [
    QuestionExample(f"{number}", "Who opened the bakery?", TEXT, (Answer("Ada Brown", 0),))
    for number in range(4)
]


def tiny_questions() -> BertForQuestionAnswering:
    torch.manual_seed(0)
    return BertForQuestionAnswering(BertConfig(30522, 24, 2, 4, 24, max_position_embeddings=64)).eval()


@pytest.fixture
def subject(monkeypatch: pytest.MonkeyPatch) -> Subject:
    task = Task("questions", SpanExtraction(), QUESTIONS, QUESTIONS)
    monkeypatch.setattr(subjects, "task_named", lambda _name: task)
    monkeypatch.setattr(pruned_questions, "question_model", tiny_questions)
    monkeypatch.setattr(pruned_questions, "MAX_LENGTH", 32)
    monkeypatch.setattr(pruned_questions, "TIMED", {"2 x 8": (2, 8)})
    return Subject("passages", 0, 2)


@pytest.mark.parametrize("order", pruned_questions.ORDERS)
def test_a_question_model_is_halved_and_asked_twice(order: str, subject: Subject) -> None:
    found = pruned_questions.measure_halved(order, 2, subject)
    assert found.scores.keys() == {"exact", "f1", "exact_before", "f1_before"}
    if order == "dense":
        assert found.costs.keys() == {"processor_seconds"}
        return
    costs = found.costs
    assert costs["parameters, pruned"] < costs["parameters, dense"]
    assert costs["multiply_adds at 2 x 8, pruned"] < costs["multiply_adds at 2 x 8, dense"]
    assert costs["milliseconds at 2 x 8, pruned"] > 0
    model: Any = found.model
    assert sum(layer.attention.self.num_heads for layer in model.bert.encoder.layer) == 4
    assert {layer.intermediate.dense.out_features for layer in model.bert.encoder.layer} == {12}


def test_tables_stay_as_they_are(subject: Subject) -> None:
    model = pruned_questions.measure_halved("random", 2, subject).model
    assert model is not None
    name = "bert.embeddings.word_embeddings.weight"
    assert torch.equal(model.get_parameter(name), tiny_questions().get_parameter(name))


def test_the_passages_are_learned_beside_squad_as_the_model_once_did(subject: Subject) -> None:
    alone = pruned_questions.rows_of(subject, steps=1)
    together = pruned_questions.rows_of(Subject("SQuAD 1.1", 0), steps=1)
    assert len(alone) == len(QUESTIONS) < len(together)
