"""Rows of the ledger: the models, their files, what they answer and cost."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES, SIZES, TASK, tiny_model

from lib.bert import (
    BertConfig,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    WordPieceTokenizer,
)
from lib.compression.ledger import word_counts
from lib.compression.ledger.rows import SHAPES, LedgerRow, rows_of
from lib.compression.ledger.word_counts import WordCounts
from lib.compression.packed import load_packed, save_packed
from lib.compression.quantizers.model import quantize_weights
from lib.records import study, teachers
from lib.records.cache import Entry, entry_folder, read_meta
from lib.records.inputs import is_at_hand
from lib.records.results import PACKED, RESULT, result_in
from lib.training import baselines
from lib.training.known_tasks import load_task
from lib.training.task_kinds import row_logits
from studies import bits, distilled_answers, distilled_inside, ledger, ledger_public, ledger_runs, registry
from studies.ledger_runs import TEACHER, TF_IDF, Method

COSTS: dict[str, Any] = {
    "parameters": 1, "file_bytes": 1, "peak_memory": 1, "multiply_adds": dict.fromkeys(SHAPES, 1),
    "milliseconds": {"float32": dict.fromkeys(SHAPES, 1.0)},
}  # fmt: skip


ROWS_OF = [
    (of, task, method)
    for of, tasks in (
        (ledger, ledger.METHODS),
        (ledger_public, {name: ledger_public.methods_of(name) for name in ("SST-2", "MRPC", "SQuAD 1.1")}),
    )
    for task, methods in tasks.items()
    for method in methods
]


def tiny_source(_seed: int) -> tuple[BertForSequenceClassification, float]:
    return tiny_model(), 2.0


def packed_methods(task: str) -> list[str]:
    """Those whose file is one of ours."""
    return [method for method, made in ledger.METHODS[task].items() if made.route == "float32"]


@pytest.mark.parametrize("method", packed_methods("reviews"))
def test_a_file_answers_as_the_model_that_was_packed(method: str, tmp_path: Path) -> None:
    """Every packed file is loaded again, and says the same to the bit."""
    made = replace(ledger.METHODS["reviews"][method], source=tiny_source)
    ledger_runs.run_method(tmp_path, made, TASK, seed=1, max_length=16)
    found = result_in(tmp_path)
    assert found["costs"] is None
    assert ledger_runs.answers_of(tmp_path, made, TASK, 16)["predictions"] == found["predictions"]
    model = tiny_model()
    made.rounding(model)
    rows = TASK.kind.rows(TASK.test, WordPieceTokenizer.from_pretrained(made.pieces), 16)
    again, expected = (torch.stack(row_logits(one, rows)) for one in (load_packed(tmp_path / PACKED), model))
    assert torch.equal(again, expected)


@pytest.mark.parametrize("method", packed_methods("passages"))
def test_a_question_models_file_answers_as_the_model(method: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = BertForQuestionAnswering(BertConfig(**SIZES)).eval()
    ledger.METHODS["passages"][method].rounding(model)
    save_packed(model, tmp_path / PACKED)
    ids = torch.tensor([[5, 9, 30, 7], [8, 6, 2, 3]])
    again, expected = (one(input_ids=ids) for one in (load_packed(tmp_path / PACKED), model))
    assert torch.equal(again.start_logits, expected.start_logits)
    assert torch.equal(again.end_logits, expected.end_logits)


def test_onnxruntimes_row_has_its_own_bytes_and_route(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ledger_runs, "peak_memory", lambda *_: 1)
    made = ledger_runs.roundings(tiny_source)["onnxruntime int8"]
    ledger_runs.run_method(tmp_path, made, TASK, seed=0, max_length=16)
    costs = result_in(tmp_path)["costs"]
    assert costs["file_bytes"] == (tmp_path / ledger_runs.INT8).stat().st_size
    assert costs["milliseconds"].keys() == {"onnxruntime int8"}
    assert {path.name for path in tmp_path.iterdir()} == {ledger_runs.INT8, RESULT}


def test_costs_are_measured_of_seed_0_with_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def measure(model: Any, folder: Path) -> dict[str, Any]:
        for name in (ledger_runs.WHOLE, ledger_runs.INT8):
            Path(folder, name).touch()
        ledger_runs.save_packed(model, folder / PACKED)
        return COSTS

    monkeypatch.setattr(ledger_runs, "measure_costs", measure)
    ledger_runs.run_method(tmp_path, Method("baseline", tiny_source), TASK, 0, 16)
    assert result_in(tmp_path)["costs"] == COSTS and result_in(tmp_path)["processor_seconds"] == 2
    assert {path.name for path in tmp_path.iterdir()} == {PACKED, RESULT}


def test_what_was_trained_rounded_is_rounded_to_the_same_again(tmp_path: Path) -> None:
    """A ledger's row of it is made of its plain numbers, which the same rounding keeps."""
    model = tiny_model()
    quantize_weights(model, 4)
    ledger_runs.save_packed(model, tmp_path / "once")
    again = load_packed(tmp_path / "once")
    plain = {name: tensor.clone() for name, tensor in again.state_dict().items()}
    quantize_weights(again, 4)
    ledger_runs.save_packed(again, tmp_path / "twice")
    for name, tensor in load_packed(tmp_path / "twice").state_dict().items():
        torch.testing.assert_close(tensor, plain[name])
    assert (tmp_path / "once").stat().st_size == (tmp_path / "twice").stat().st_size


def test_rows_are_joined_over_seeds_and_cost_what_seed_0_does() -> None:
    families = {TEACHER: "baseline", "8 bits per row": "quantization"}
    first = {method: {"costs": COSTS} for method in families}

    def of_seed(seed: int, said: list[int]) -> list[LedgerRow]:
        results = {
            TEACHER: {"scores": {"accuracy": 0.75}, "predictions": [0, 1], "processor_seconds": 3.0},
            "8 bits per row": {"scores": {"accuracy": 0.5}, "predictions": said, "processor_seconds": 0.0},
        }
        return ledger_runs.rows_from(TASK, families, results, first, seed)

    results = json.loads(
        json.dumps([[vars(row) for row in of_seed(0, [0, 0])], [vars(row) for row in of_seed(1, [0, 1])]])
    )
    joined = rows_of(results)
    assert [row.method for row in joined] == list(families)
    assert joined[1].agreement == (0.5, 1.0) and joined[0].agreement == (1.0, 1.0)


def test_words_come_back_out_of_their_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(word_counts, "peak_memory", lambda *_: 1)
    for name in ("reviews", "headlines"):
        task = load_task(name)
        task = replace(task, train=task.train[::5], test=task.test[:50])
        monkeypatch.setattr(ledger_runs, "measure_word_counts", partial(fast_costs, tmp_path))
        ledger_runs.run_word_counts(tmp_path, task)
        assert result_in(tmp_path)["predictions"] == baselines.classify_texts(task.train, task.test)


def fast_costs(folder: Path, counts: WordCounts, _folder: Path) -> dict[str, Any]:
    counts.save(folder / PACKED)
    return COSTS


def test_what_counting_words_costs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(word_counts, "peak_memory", lambda *_: 1)
    counts = WordCounts.fit([example.first for example in EXAMPLES], [example.label for example in EXAMPLES])
    costs = word_counts.measure_word_counts(counts, tmp_path)
    assert costs["file_bytes"] == (tmp_path / "model.safetensors").stat().st_size
    row = LedgerRow(
        method=TF_IDF, family="baseline", task="colors", metric="accuracy", seeds=(0,), scores=(1.0,),
        training_cpu_seconds=(0.0,), **costs,
    )  # fmt: skip
    assert row.parameters == 2 * len(counts.words) + 1


def test_published_rows_name_their_paper_and_its_table() -> None:
    assert all(re.search(r", \d{4}, table \d", row.source or "") for row in ledger_public.PUBLISHED)
    assert {row.task for row in ledger_public.PUBLISHED} <= teachers.PUBLIC_SETS.keys()


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

    for module in (ledger_runs, teachers):
        monkeypatch.setattr(module, "cached", note)
    for of in (ledger, ledger_public):
        monkeypatch.setattr(of, "question_model", ask_for_questions)
    monkeypatch.setattr(ledger_public, "task_named", lambda _name: TASK)
    return found


def method_of(of: Any, task: str, method: str) -> Method:
    methods = ledger.METHODS[task] if of is ledger else ledger_public.methods_of(task)
    return methods[method]


@pytest.mark.parametrize(("of", "task", "method"), ROWS_OF)
def test_a_row_names_all_that_its_model_is_made_from(
    of: Any, task: str, method: str, asked: list[Entry]
) -> None:
    made = method_of(of, task, method)
    with pytest.raises(Reached):
        made.source(0)
    entry = of.run_of(task, method, 0)
    assert {made.pieces}.union(*(one.data for one in asked)) <= set(entry.data)
    if not asked:
        assert {"minilm", "data/minilm-squad"} <= set(entry.data)


RECORDS_OF = {
    "reviews": "ledger",
    "passages": "ledger",
    "SST-2": "ledger_sst2",
    "MRPC": "ledger_mrpc",
    "SQuAD 1.1": "ledger_squad",
}


@pytest.mark.parametrize(("of", "task", "method"), ROWS_OF)
def test_a_record_names_all_that_its_rows_are_made_from(of: Any, task: str, method: str) -> None:
    inputs = registry.EXPERIMENTS[RECORDS_OF[task]].inputs
    for name in of.run_of(task, method, 0).data:
        assert any(one == name or one.startswith(f"{name}/") for one in inputs), name


def test_what_a_row_reads_out_of_the_cache_is_kept_there(asked: list[Entry]) -> None:
    studied = {one.name: one.keep for one in (distilled_answers.STUDY, distilled_inside.STUDY)}
    for made in ledger.METHODS[ledger.TASK].values():
        with pytest.raises(Reached):
            made.source(0)
    assert {entry.make for entry in asked} == {study.run_arm, bits.run_part, teachers.train_teacher}
    assert all(entry.config["part"] in bits.TRAINED for entry in asked if entry.make is bits.run_part)
    runs = [entry.config for entry in asked if entry.make is study.run_arm]
    assert {run["study"] for run in runs} == studied.keys()
    assert all(run["arm"] in studied[run["study"]] for run in runs)


# --- whole records --------------------------------------------------------------------------------

FOUND = {
    "scores": {"accuracy": 0.5, "f1": 0.5}, "predictions": [0, 1], "processor_seconds": None, "costs": COSTS,
}  # fmt: skip


def test_a_seed_has_a_row_for_each_method(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_runs, "kept_result", lambda _entry: FOUND)
    monkeypatch.setattr(ledger, "load_task", lambda name: replace(TASK, name=name))
    on_reviews = [TF_IDF, *ledger.METHODS["reviews"]]
    for seed, of_questions in ((0, list(ledger.METHODS["passages"])), (2, [])):
        rows = ledger.ledger(seed)
        assert [row.method for row in rows if row.task == "reviews"] == on_reviews
        assert [row.method for row in rows if row.task == "passages"] == of_questions
        assert all(row.seeds == (seed,) for row in rows)


@pytest.mark.parametrize(
    ("name", "rows_of"),
    [
        ("SST-2", ledger_public.on_sst2),
        ("MRPC", ledger_public.on_mrpc),
        ("SQuAD 1.1", ledger_public.on_squad),
    ],
)
def test_a_public_set_has_a_row_for_each_method_and_those_that_are_published(
    name: str, rows_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_runs, "kept_result", lambda _entry: FOUND)
    monkeypatch.setattr(ledger_public, "task_named", lambda name: replace(TASK, name=name))
    first, second = rows_of(0), rows_of(1)
    assert [row for row in first if row.source] == [
        row for row in ledger_public.PUBLISHED if row.task == name
    ]
    assert {row.task for row in first} == {name} and not any(row.source for row in second)
    for rows in (first, second):
        measured = {row.method for row in rows if not row.source}
        assert measured - {TF_IDF} == ledger_public.methods_of(name).keys()


def kept_rows() -> dict[Path, tuple[Any, str, str]]:
    """By its folder, the ledger's module, task and method of every row that this machine's cache has."""
    with_words = dict.fromkeys((of, task, TF_IDF) for of, task, _ in ROWS_OF)
    found = {}
    for of, task, method in [*ROWS_OF, *with_words]:
        for seed in registry.EXPERIMENTS["ledger"].seeds:
            entry = of.run_of(task, method, seed)
            if all(map(is_at_hand, entry.data)) and read_meta(folder := entry_folder(entry)):
                found[folder] = of, task, method
    return found


@pytest.mark.slow
def test_kept_files_of_the_ledgers_answer_as_recorded() -> None:
    """Every file that this machine has is loaded again and says what it said.

    Of 32 examples; onnxruntime is asked all of them, since its ranges are those of a batch: an answer depends
    on what else is in it, and 2 of 32 were others among fewer.
    """
    kept = kept_rows()
    if not kept:
        pytest.skip("the ledger has not been made on this machine")
    for folder, (of, task, method) in kept.items():
        read = load_task(task) if of is ledger else ledger_public._task(task)
        few, recorded = replace(read, test=read.test[:32]), result_in(folder)["predictions"]
        if method == TF_IDF:
            said, differ = WordCounts.load(folder / PACKED).predict([one.first for one in few.test]), 0
        elif (made := method_of(of, task, method)).route == "onnxruntime int8":
            said, differ = ledger_runs.answers_of(folder, made, read, of.LENGTHS[task])["predictions"], 1
        else:
            said, differ = ledger_runs.answers_of(folder, made, few, of.LENGTHS[task])["predictions"], 0
        unlike = [one for one, other in zip(said, recorded[: len(said)], strict=True) if one != other]
        assert len(unlike) <= differ, (task, method, folder.name)
