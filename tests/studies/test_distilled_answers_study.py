"""Students of answers: every kind of arm on a task of two words and models of a few weights."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TASK, TINY_POCKET, tiny_model, tiny_teacher

from lib.bert import BertConfig, BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation import students
from lib.compression.distillation.methods import answers_alone, labels_alone
from lib.compression.packed import load_packed
from lib.records import subject as subjects
from lib.records import taught
from lib.records.results import PACKED, RESULT
from lib.records.students import without_labels
from lib.records.study import Measured, run_arm
from lib.records.subject import Subject
from lib.records.taught import measure_student
from lib.text.masking import IGNORED
from lib.text.tasks import TextExample
from lib.training import baselines
from studies import distilled_answers
from studies.distilled_answers import BLANKS, STUDENTS, STUDY

SMALL = {"num_hidden_layers": 2, "hidden_size": 12, "num_attention_heads": 12}
FURTHER = without_labels(["red dog", "a red", "two dogs"])
#: a student of each kind, whatever its loss
KINDS = {(one.is_cut, one.texts, one.asked, one.guessed): name for name, one in STUDENTS.items()}

Make = Callable[..., Subject]


def tiny_texts(kind: str, _task: str, _seed: int) -> list[TextExample]:
    if kind == "labeled":
        return list(EXAMPLES)
    return [*without_labels([example.first for example in EXAMPLES]), *FURTHER]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    """Students are tiny, and every run is two steps."""
    for module in (subjects, distilled_answers):
        monkeypatch.setattr(module, "texts_for", tiny_texts)
    monkeypatch.setattr(students, "SMALL", SMALL)
    monkeypatch.setattr(distilled_answers, "fresh_model", tiny_model)
    return tiny("headlines", most_steps=2)


def noted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The batches that a student would learn from; it learns nothing."""
    read: list[Any] = []

    def note(_subject: Subject, objective: Any, batches: Any, *_: Any, **__: Any) -> float:
        objective(**batches(0))  # it can be learned from
        read.append(batches)
        return 0.0

    monkeypatch.setattr(Subject, "train", note)
    return read


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS.values())
def test_every_kind_of_arm_gives_what_the_record_holds(name: str, subject: Subject) -> None:
    student = STUDENTS[name]
    found = measure_student(student, subject)
    assert found.scores.keys() == {"accuracy", "agreement"}
    assert found.costs.keys() == {"processor_seconds", "rows", "steps", "parameters"}
    assert found.costs["rows"] == len(EXAMPLES) + (0 if student.texts == "labeled" else len(FURTHER))
    model = found.model
    assert model is not None and not model.training
    assert model.config.num_hidden_layers == (3 if student.is_cut else 2)


@pytest.mark.parametrize(("name", "kept"), [("labels", {RESULT, PACKED}), ("answers", {RESULT})])
def test_a_student_is_kept_where_the_ledger_asks_for_it(
    name: str, kept: set[str], subject: Subject, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(
        "lib.records.study.Subject", lambda task, seed: replace(subject, name=task, seed=seed)
    )
    run_arm(tmp_path, STUDY.name, "reviews", name, 0, STUDY.identity("reviews", name))
    assert {path.name for path in tmp_path.iterdir()} == kept
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert found.keys() == {name}
    if PACKED in kept:
        assert load_packed(tmp_path / PACKED).config.num_hidden_layers == 2


def test_hard_answers_are_the_teachers_first_guesses(
    subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = noted(monkeypatch)
    measure_student(STUDENTS["hard answers on unlabeled"], subject)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")  # the student reads other pieces
    texts = tiny_texts("unlabeled", "", 0)
    assert [row["labels"] for row in read[0].batches.rows] == TASK.kind.predict(
        tiny_teacher().model, texts, tokenizer, 16
    )


def test_a_small_student_reads_pieces_of_its_own(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    read = noted(monkeypatch)
    for name in ("answers", "cut, answers"):
        measure_student(STUDENTS[name], subject)
    small, cut = ([row["input_ids"] for row in batches.batches.rows] for batches in read)
    pocket, minilm = (WordPieceTokenizer.from_pretrained(name) for name in ("pocket", "minilm"))
    assert small[0] == pocket([EXAMPLES[0].first])["input_ids"][0].tolist() != cut[0]
    assert cut[0] == minilm([EXAMPLES[0].first])["input_ids"][0].tolist()


def test_what_is_asked_has_a_function() -> None:
    assert {name for student in STUDENTS.values() for name in student.asked} == taught.ASKED.keys()


def test_what_stands_beside(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    # a tiny teacher may guess one class everywhere, which a regression cannot learn
    monkeypatch.setattr(baselines, "classify_texts", lambda _train, test: [0] * len(test))
    monkeypatch.setitem(baselines.OF_TASK, subject.name, lambda _train, test: [0] * len(test))
    found = {name: one(subject) for name, one in distilled_answers.BESIDE.items()}
    teacher, cut, word_counts, taught_counts = (one for one in found.values() if isinstance(one, Measured))
    assert all(
        0 <= teacher.scores[f"entropy, {kind}"] <= math.log(2) + 1e-6
        for kind in ("labeled", "unlabeled", "test")
    )
    assert teacher.costs.keys() == {"parameters", "processor_seconds"}
    assert cut.costs["parameters"] < teacher.costs["parameters"]
    assert word_counts.scores["accuracy"] == taught_counts.scores["accuracy"]
    assert taught_counts.scores.keys() == {"accuracy", "agreement"}


def test_entropy_of_answers() -> None:
    assert distilled_answers.entropy(torch.zeros(3, 4)) == pytest.approx(math.log(4))
    assert distilled_answers.entropy(torch.tensor([[100.0, 0.0]])) == pytest.approx(0, abs=1e-6)


# --- a class that was never seen ------------------------------------------------------------------

LOGITS = torch.tensor([[2.0, 1.0, 0.0], [2.0, 0.0, 1.9], [0.0, 3.0, 2.5], [0.0, 2.0, -3.0]])


def test_a_bias_gives_a_class_its_share() -> None:
    for share, count in ((0.25, 1), (0.5, 2), (1.0, 4)):
        raised = LOGITS.clone()
        raised[:, 2] += distilled_answers.bias_for(LOGITS, 2, share)
        assert int((raised.argmax(-1) == 2).sum()) == count


def test_what_a_bias_recognizes() -> None:
    right = torch.tensor([0, 2, 2, 1])
    assert distilled_answers.recognized(LOGITS, right, 2, 0.0) == {
        "recognized": 0, "accuracy": 0.5, "of_others": 1,
    }  # fmt: skip
    assert distilled_answers.recognized(LOGITS, right, 2, 0.6) == {
        "recognized": 1, "accuracy": 1, "of_others": 1,
    }  # fmt: skip
    assert distilled_answers.recognized(LOGITS, right, 2, 9.0)["of_others"] == 0


@pytest.mark.parametrize("matches", [labels_alone, answers_alone])
def test_no_text_of_the_class_is_read(
    matches: distilled_answers.Matches, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = noted(monkeypatch)
    monkeypatch.setattr(distilled_answers.own, "LIVEDOOR_CATEGORIES", ("no", "yes"))
    found = distilled_answers.measure_unseen("yes", matches, subject).scores
    labels = [row["labels"] for row in read[0].batches.rows]
    assert set(labels) == {0} and len(labels) >= 4
    assert len(found["sweep"]) == len(distilled_answers.BIASES)
    assert found["recognized, corrected"] >= found["recognized"]


# --- masked words ---------------------------------------------------------------------------------


def test_blanks_are_scored_where_they_are() -> None:
    torch.manual_seed(0)
    model = BertForMaskedLM(BertConfig(**SIZES | {"vocab_size": 50})).eval()
    ids = torch.randint(5, 50, (2, 6))
    labels = torch.full_like(ids, IGNORED)
    labels[0, 2], labels[1, 4] = 7, 9
    found = distilled_answers.compare_guesses(
        model, model, [{"input_ids": ids, "token_type_ids": torch.zeros_like(ids), "labels": labels}]
    )
    log_probs = model(ids).logits.detach().log_softmax(-1)
    right = (log_probs[0, 2, 7] + log_probs[1, 4, 9]) / 2
    assert found["agreement"] == 1
    assert found["perplexity"] == pytest.approx(math.exp(-float(right)), rel=1e-4)


@pytest.mark.parametrize("arm", BLANKS)
def test_every_arm_fills_blanks(arm: str, subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distilled_answers, "BertForMaskedLM", TINY_POCKET)
    monkeypatch.setattr(distilled_answers, "SCORED", 1)
    found: Any = BLANKS[arm](replace(subject, most_steps=1))
    assert found.scores.keys() == {"perplexity", "accuracy", "agreement"}
    assert (found.scores["agreement"] == 1) == (arm == "blanks, teacher")
    assert ("processor_seconds" in found.costs) == (arm not in ("blanks, teacher", "blanks, cut"))


def test_distilberts_losses_come_one_after_the_other() -> None:
    losses = (labels_alone(), distilled_answers.answers_on_words(), distilled_answers.on_words())
    assert [len(matches) for matches in losses] == [1, 2, 3]
    names = [match.knowledge.name for match in losses[-1]]
    assert names == ["token_logits", "label_loss", "hidden_states"]


# --- the arms -------------------------------------------------------------------------------------


def test_an_arm_names_whose_pieces_it_reads() -> None:
    for task, arms in STUDY.arms.items():
        for arm in arms:
            reads_pocket = arm in BLANKS or (arm in STUDENTS and STUDENTS[arm].pieces == "pocket")
            its = {one for one in STUDY.data_of(task, arm) if "pocket" in one}
            assert bool(its) == reads_pocket, arm
            assert (its <= {"data/pocket-bert/vocab.txt"}) == (
                arm not in {*BLANKS, "answers on augmented"}
            ), arm
