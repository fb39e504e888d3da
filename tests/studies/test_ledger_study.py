"""Rows of the ledger: the models, their files, what they answer and cost."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, tiny_model

from lib.bert import BertConfig, BertForQuestionAnswering
from lib.compression.ledger import word_counts
from lib.compression.ledger.rows import SHAPES, LedgerRow
from lib.compression.ledger.word_counts import WordCounts
from lib.compression.packed import load_packed, save_packed
from lib.records import ledger as recorded
from lib.records import teachers
from lib.records.cache import Entry
from lib.records.results import PACKED
from lib.records.subject import Subject
from lib.training import baselines
from lib.training.known_tasks import load_task
from studies import floppy, ledger
from studies.floppy import Rival, Stack
from studies.ledger import STUDY, Method

COSTS: dict[str, Any] = {
    "parameters": 1, "file_bytes": 1, "peak_memory": 1, "multiply_adds": dict.fromkeys(SHAPES, 1),
    "milliseconds": {"float32": dict.fromkeys(SHAPES, 1.0)},
}  # fmt: skip
METHODS = [
    (task, name, arm.args[0])  # type: ignore[attr-defined]
    for task, arms in STUDY.arms.items()
    for name, arm in arms.items()
    if getattr(arm, "func", None) is ledger.measure_packed
]


IDS = torch.tensor([[5, 9, 30, 7], [8, 6, 2, 3]])


def assert_comes_back(model: Any, file: Path) -> None:
    """Its packed file answers to the bit as the model does."""
    save_packed(model, file)
    again, expected = load_packed(file)(input_ids=IDS), model(input_ids=IDS)
    for name in ("start_logits", "end_logits") if hasattr(expected, "start_logits") else ("logits",):
        assert torch.equal(getattr(again, name), getattr(expected, name))


@pytest.mark.parametrize(("task", "name", "method"), METHODS)
def test_a_file_answers_as_the_model_that_was_packed(
    task: str, name: str, method: Method, tmp_path: Path
) -> None:
    model: Any = tiny_model()
    if task == "passages":
        torch.manual_seed(0)
        model = BertForQuestionAnswering(BertConfig(**SIZES)).eval()
    method.rounding(model)
    assert_comes_back(model, tmp_path / PACKED)


@pytest.mark.parametrize("name", sorted(ledger.SHAPES_ALONE))
def test_a_shape_is_packed_and_answers_out_of_its_file(name: str, tmp_path: Path) -> None:
    _, shape = STUDY.arms["headlines"][name].args  # type: ignore[attr-defined]
    assert_comes_back(shape(tiny_model()), tmp_path / PACKED)


def tiny_source(_subject: Subject) -> tuple[Any, float]:
    return tiny_model(), 2.0


def test_costs_are_measured_of_seed_0_and_answers_of_all(
    monkeypatch: pytest.MonkeyPatch, tiny: Callable[..., Subject]
) -> None:
    monkeypatch.setattr(ledger, "measure_costs", lambda *_: COSTS)
    monkeypatch.setitem(ledger.LENGTHS, "headlines", 16)
    first, second = (
        ledger.measure_packed(Method(family="baseline", source=tiny_source), tiny("headlines", seed))
        for seed in (0, 1)
    )
    assert first.costs == {"family": "baseline", "processor_seconds": 2.0, **COSTS}
    assert second.costs == {"family": "baseline", "processor_seconds": 2.0}
    assert first.scores == second.scores and first.scores["agreement"] == 1


def test_onnxruntimes_row_has_its_own_bytes_and_route(
    monkeypatch: pytest.MonkeyPatch, tiny: Callable[..., Subject]
) -> None:
    monkeypatch.setattr(ledger, "peak_memory", lambda *_: 1)
    monkeypatch.setitem(ledger.LENGTHS, "headlines", 16)
    found = ledger.measure_onnx(tiny_source, tiny("headlines"))
    assert found.costs["milliseconds"].keys() == {"onnxruntime int8"}
    assert found.costs["file_bytes"] > 0 and found.costs["family"] == "quantization"


def test_words_come_back_out_of_their_file(tmp_path: Path) -> None:
    for name in ("reviews", "headlines"):
        task = load_task(name)
        train, test = task.train[::5], task.test[:50]
        counts = WordCounts.fit([one.first for one in train], [one.label for one in train])
        counts.save(tmp_path / PACKED)
        predictions = WordCounts.load(tmp_path / PACKED).predict([one.first for one in test])
        assert predictions == baselines.classify_texts(train, test)


def test_what_counting_words_costs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(word_counts, "peak_memory", lambda *_: 1)
    counts = WordCounts.fit([example.first for example in EXAMPLES], [example.label for example in EXAMPLES])
    costs = word_counts.measure_word_counts(counts, tmp_path)
    assert costs["file_bytes"] == (tmp_path / "model.safetensors").stat().st_size
    row = LedgerRow(
        method="TF-IDF", family="baseline", task="colors", metric="accuracy", seeds=(0,), scores=(1.0,),
        processor_seconds=(0.0,), **costs,
    )  # fmt: skip
    assert row.parameters == 2 * len(counts.words) + 1


# --- what rows are made from ----------------------------------------------------------------------


class Reached(Exception):
    """A method has asked for what the cache, or the course, keeps."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """What a method's source asks the cache for, before anything is made; it ends there."""
    found: list[Entry] = []

    def note(entry: Entry) -> Any:
        found.append(entry)
        raise Reached

    def ask_for_questions() -> Any:
        raise Reached

    monkeypatch.setattr(teachers, "cached", note)
    monkeypatch.setattr(teachers, "is_shipped", lambda *_: False)
    monkeypatch.setattr(ledger, "question_model", ask_for_questions)
    return found


@pytest.mark.parametrize(("task", "name", "method"), METHODS)
def test_a_row_names_all_that_its_model_is_made_from(
    task: str, name: str, method: Method, asked: list[Entry]
) -> None:
    with pytest.raises(Reached):
        method.source(Subject(task, 0))
    inputs = set(STUDY.data_of(task, name))
    if method.pieces == "pocket":
        assert ledger.POCKET_VOCABULARY in inputs
    for entry in asked:
        assert set(entry.data) - {"data/pocket-bert/vocab.txt"} <= inputs, entry.data
    if not asked:
        assert {"minilm", "data/minilm-squad"} <= inputs


def test_a_shape_has_costs_and_no_scores(
    monkeypatch: pytest.MonkeyPatch, tiny: Callable[..., Subject]
) -> None:
    monkeypatch.setattr(ledger, "measure_costs", lambda *_: COSTS)
    found = ledger.measure_shape("pruning", partial(ledger.with_zeros, 0.5), tiny("headlines"))
    assert found.scores == {} and found.costs == {"family": "pruning", **COSTS}


def test_what_is_on_a_disk_is_weighed_and_timed_from_text_on(
    monkeypatch: pytest.MonkeyPatch, tiny: Callable[..., Subject]
) -> None:
    monkeypatch.setitem(floppy.PLACES, "SST-2", 32)  # as many as the model of a few weights has
    monkeypatch.setattr(ledger, "peak_memory", lambda *_: 1)
    monkeypatch.setattr(ledger, "milliseconds", lambda routes, _: {name: {"1 x 9": 1.0} for name in routes})
    combined, alone = (
        ledger.measure_disk(stack, Rival(2, 3, 4, buckets=16), tiny("SST-2")).costs
        for stack in (Stack(3, 3, 3, 3), None)
    )
    assert combined.keys() == {"family", *COSTS} and combined["milliseconds"] == {"float32": {"1 x 9": 1.0}}
    for cost in ("parameters", "file_bytes"):
        assert 0 < alone[cost] < combined[cost]
    assert 0 < alone["multiply_adds"]["1 x 9"] < combined["multiply_adds"]["1 x 9"]


# --- the record -----------------------------------------------------------------------------------


def test_every_model_that_a_method_costs_is_weighed() -> None:
    assert {method.costs for method in recorded.METHODS} <= STUDY.arms["headlines"].keys()
    assert recorded.machines().keys() >= {"headlines", "passages", "SQuAD 1.1"}


def test_published_rows_name_their_paper_and_its_table() -> None:
    assert all(re.search(r", \d{4}, table \d", row.source or "") for row in recorded.PUBLISHED)
    assert {row.task for row in recorded.PUBLISHED} <= teachers.PUBLIC_SETS.keys()
