"""Records of compression: texts that students read, and few bits."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TASK, tiny_model, tiny_teacher

from lib.bert import BertConfig, BertForMaskedLM, WordPieceTokenizer
from lib.compression.distillation.losses import SoftenedKL
from lib.compression.packed import load_packed
from lib.compression.quantizers.activations import MovingRange
from lib.compression.quantizers.model import prepare_q8bert
from lib.records import augmented, students
from lib.records.results import PACKED, RESULT
from lib.records.teachers import Teacher
from lib.text.tasks import TaskBatches, own
from lib.training.finetuning import Recipe
from studies import (
    bits,
    distilled_answers,
    distilled_inside,
    ledger,
    registry,
)
from tools.bench.compression import soft_loss

TINY_POCKET = SimpleNamespace(  # in place of BertForMaskedLM
    from_pretrained=lambda _name: BertForMaskedLM(
        BertConfig(**SIZES | {"max_position_embeddings": 64}, vocab_size=9000)
    )
)


# --- texts and steps ------------------------------------------------------------------------------


def test_labels_go_with_labeled_texts_alone() -> None:
    labeled = students.texts_for("labeled", "headlines", 0)
    assert all(example.label is not None for example in labeled)
    more = students.texts_for("unlabeled", "headlines", 0)
    assert [example.first for example in more] == [
        *(example.first for example in labeled),
        *own.unlabeled("headlines"),
    ]
    assert all(example.label is None for example in more)


def test_augmented_texts_have_no_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(students, "augmented", lambda _task, _seed: {"texts": ["one", "other"]})
    assert students.texts_for("augmented", "reviews", 0) == students.without_labels(["one", "other"])


def test_variants_are_written_with_their_texts_and_seconds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(augmented, "load_task", lambda _name: replace(TASK, train=EXAMPLES[:2]))
    monkeypatch.setattr(augmented, "BertForMaskedLM", TINY_POCKET)
    augmented.write_variants(tmp_path, "reviews", seed=0, rounds=2)
    found = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    assert found.keys() == {"texts", "processor_seconds"}
    assert {"red 0", "dog 0"} <= set(found["texts"]) and len(found["texts"]) <= 2 * (1 + 2)


# --- bits -----------------------------------------------------------------------------------------


def tiny_exam() -> tuple[Teacher, bits.Exam]:
    teacher, tokenizer = tiny_teacher(), WordPieceTokenizer.from_pretrained("minilm")
    rows = TASK.kind.rows(TASK.test, tokenizer, 16)
    return teacher, bits.Exam(TASK, tokenizer, rows, teacher.predictions)


def test_a_teacher_agrees_with_itself() -> None:
    teacher, exam = tiny_exam()
    assert exam(teacher.model) == {"accuracy": teacher.scores["accuracy"], "agreement": 1}


def test_rounded_weights_have_the_layout_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "BITS", (8, 2))
    teacher, exam = tiny_exam()
    found = bits.rounded_weights(teacher, exam)
    assert found["weights"].keys() == bits.PARTS.keys()
    assert found["weights"]["all"].keys() == {"tensor", "row"}
    assert found["weights"]["attention"].keys() == {"tensor", "group", "row"}
    assert found["layers"].keys() == {f"layer {number}" for number in range(6)}
    assert found["weights"]["all"]["row"]["8"]["agreement"] == 1
    assert exam(teacher.model)["agreement"] == 1  # left as it was


def test_rounded_activations_leave_nothing_behind() -> None:
    teacher, exam = tiny_exam()
    before = set(dict(teacher.model.named_modules()))
    found = bits.rounded_activations(teacher.model, exam)
    assert found.keys() == {"tensor", "token", "asymmetric tensor"}
    assert set(dict(teacher.model.named_modules())) == before


def test_blanks_are_filled_with_every_number_of_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "BertForMaskedLM", TINY_POCKET)
    monkeypatch.setattr(bits, "BLANK_BATCHES", 1)
    found = bits.on_blanks(seed=0)
    assert found.keys() == {"float32", "tensor", "row"}
    for per in ("tensor", "row"):
        assert found[per].keys() == {str(number) for number in bits.BITS}
        assert found[per]["8"]["perplexity"] == pytest.approx(found["float32"]["perplexity"], rel=0.01)
        assert found[per]["2"] != found["float32"]


@pytest.mark.parametrize("name", bits.TRAINED)
def test_what_is_trained_is_measured_before_and_after(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "RECIPE", Recipe(epochs=1, batch_size=4, max_length=16))
    teacher, exam = tiny_exam()
    found = bits.trained(teacher.model, name, exam, seed=0)
    assert found.keys() == {"before", "after", "processor_seconds"}
    if name == "float32":
        assert found["before"]["agreement"] == 1


def test_a_training_with_rounding_is_kept_with_its_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bits, "RECIPE", Recipe(epochs=1, batch_size=4, max_length=16))
    monkeypatch.setattr(bits, "_prepared", lambda _seed: tiny_exam())
    bits.run_part(tmp_path, "4 bits per row", seed=0)
    assert {path.name for path in tmp_path.iterdir()} == {RESULT, PACKED}
    model: Any = load_packed(tmp_path / PACKED)
    assert len(model.bert.encoder.layer[0].output.dense.weight[0].unique()) <= 15  # values of a row


def test_ranges_are_seen_and_no_weight_moves() -> None:
    model, tokenizer = tiny_model(), WordPieceTokenizer.from_pretrained("minilm")
    prepare_q8bert(model, decay=0.9)
    before = {name: tensor.clone() for name, tensor in model.named_parameters()}
    rows = TASK.kind.rows(TASK.train, tokenizer, 16)
    bits.see_ranges(model, TaskBatches(rows, tokenizer.pad_token_id, 4))
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.named_parameters())
    ranges = [module for module in model.modules() if isinstance(module, MovingRange)]
    assert ranges and all(module.threshold > 0 and not module.training for module in ranges)


# --- all of them ----------------------------------------------------------------------------------

NEW = (
    "bits",
    "ledger",
    "ledger_mrpc",
    "ledger_squad",
    "ledger_sst2",
)


@pytest.mark.parametrize("name", NEW)
def test_records_are_registered_with_a_config_of_json(name: str) -> None:
    experiment = registry.EXPERIMENTS[name]
    found = experiment.config()
    assert json.loads(json.dumps(found)) == found
    assert experiment.seeds == ((0,) if name == "ledger_squad" else (0, 1, 2))


def test_every_run_can_be_told_apart() -> None:
    entries = [bits.run_of(part, seed) for part in ("weights", *bits.TRAINED) for seed in (0, 1)]
    entries += [
        study.entry("reviews", arm, 0)
        for study in (distilled_answers.STUDY, distilled_inside.STUDY)
        for arm in study.arms["reviews"]
    ]
    entries += [ledger.run_of("passages", method, 0) for method in ledger.METHODS["passages"]]
    told = [(entry.name, json.dumps(entry.config)) for entry in sorted(entries, key=lambda one: one.name)]
    assert all(one != other for one, other in pairwise(sorted(told)))


def test_the_loop_that_is_compared_has_the_same_loss() -> None:
    student, teacher = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(soft_loss(student, teacher), SoftenedKL(2.0)(student, teacher).mean())
