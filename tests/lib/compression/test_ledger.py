"""The ledger: its rows, its table, its command, how models are compared, and what measuring one gives."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from lib import records
from lib.bert import BertConfig, BertForSequenceClassification
from lib.compression.ledger import costs, memory, table, timing
from lib.compression.ledger.agreement import Flips, agreement, flips
from lib.compression.ledger.rows import SHAPES, LedgerRow
from lib.compression.quantizers.model import quantize_weights
from lib.records import Run, ledger

ROW = LedgerRow(
    method="prune 50 %", family="pruning", task="reviews", metric="accuracy", seeds=(0,), scores=(0.81,),
    agreement=(0.95,), parameters=22_000_000, file_bytes=45_000_000, peak_memory=120_000_000,
    multiply_adds={"32 x 32": 11_000_000_000, "1 x 9": 96_000_000}, processor_seconds=(41.0,),
    milliseconds={"float32": {"32 x 32": 60.0, "1 x 9": 4.25}},
)  # fmt: skip
PUBLISHED = LedgerRow(
    method="Tiny", family="distillation", task="reviews", metric="accuracy", source="Some, 2020, table 1",
    scores=(0.93,), parameters=14_500_000,
)  # fmt: skip
CONFIG = BertConfig(
    vocab_size=60, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
    max_position_embeddings=40,
)  # fmt: skip


def stored(row: LedgerRow, seed: int, machine: str = "one machine", **changes: Any) -> Run:
    """A run as the record has it."""
    costs = {name: getattr(row, name) for name in ledger.COSTS} | {"processor_seconds": 41.0} | changes
    return Run(row.task, row.method, seed, {row.metric: 0.81, "agreement": 0.95}, costs, {"machine": machine})


@pytest.fixture(autouse=True)
def no_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger of a test has the rows that are written for it, and joins no other record."""
    monkeypatch.setattr(ledger, "METHODS", ())


def written(folder: Path, *rows: Run) -> dict[str, list[LedgerRow]]:
    """The rows of a record as they come back from its file."""
    records.write_table("ledger", "a test", rows, folder)
    return ledger.ledger_rows(folder)


# ---------------------------------------------------------------------------------------------
# Rows


def test_the_runs_of_a_method_become_one_row(tmp_path: Path) -> None:
    other = replace(ROW, task="passages", metric="f1")
    timed = {"family": "pruning", "processor_seconds": 43.0}
    again = replace(stored(ROW, 1), scores={"accuracy": 0.79, "agreement": 0.9}, costs=timed)
    found = {
        task: rows
        for task, rows in written(tmp_path, stored(ROW, 0), again, stored(other, 0)).items()
        if rows
    }
    joined = replace(
        ROW, seeds=(0, 1), scores=(0.81, 0.79), agreement=(0.95, 0.9), processor_seconds=(41.0, 43.0)
    )
    found.pop("SST-2")  # what is printed of it
    assert found == {"reviews": [joined], "passages": [other]}


WRONG: list[dict[str, Any]] = [
    {"method": ""},
    {"family": "magic"},
    {"task": ""},
    {"metric": ""},
    {"source": ""},
    {"seeds": ()},
    {"seeds": (1, 1), "scores": (0.5, 0.5), "agreement": (), "processor_seconds": (1.0, 1.0)},
    {"scores": (0.5, 0.5)},
    {"scores": (81.0,)},
    {"scores": (float("nan"),)},
    {"agreement": (1.2,)},
    {"parameters": None},
    {"parameters": True},
    {"file_bytes": 0},
    {"file_bytes": 4.5e7},
    {"peak_memory": -1},
    {"multiply_adds": {"32 x 32": 5}},
    {"multiply_adds": {"32 x 32": 5, "1 x 9": 0.5}},
    {"milliseconds": {}},
    {"milliseconds": {"float32": {"32 x 32": 60.0}}},
    {"milliseconds": {"float32": {"32 x 32": 60.0, "1 x 9": float("inf")}}},
    {"processor_seconds": (1.0, 2.0)},
    {"processor_seconds": (-1.0,)},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_a_wrong_row_is_refused_when_it_is_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"no right (.* and )?{next(iter(wrong))}"):
        replace(ROW, **wrong)


def test_a_published_row_has_what_its_source_prints_and_nothing_wrong() -> None:
    assert PUBLISHED.seeds == () and PUBLISHED.file_bytes is None
    with pytest.raises(ValueError, match="no right scores"):
        replace(PUBLISHED, scores=())
    with pytest.raises(ValueError, match="no right parameters"):
        replace(PUBLISHED, parameters=0)


def test_a_recorded_row_that_lacks_a_cost_is_named(tmp_path: Path) -> None:
    row = stored(ROW, 0)
    row.costs.pop("file_bytes")
    with pytest.raises(ValueError, match=r"'prune 50 %' on reviews has no file_bytes.*records run ledger"):
        written(tmp_path, row)


# ---------------------------------------------------------------------------------------------
# The table and its command


def test_the_machine_that_measured_the_costs_of_a_task_is_known(tmp_path: Path) -> None:
    other = replace(ROW, task="SQuAD 1.1", metric="f1")
    found = written(tmp_path, stored(ROW, 0), stored(other, 0, "another"))
    assert found["SQuAD 1.1"] == [other, *(row for row in ledger.PUBLISHED if row.task == "SQuAD 1.1")]
    assert ledger.machines(tmp_path) == {"reviews": "one machine", "SQuAD 1.1": "another"}


def test_a_method_joins_what_it_costs_with_what_its_own_study_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs are the ledger's, weighed on headlines; scores and seconds of training are another record's."""
    answers = {"headlines": ("bits", "rounded"), "SST-2": ("bits", "rounded")}
    monkeypatch.setattr(ledger, "METHODS", (ledger.Method("8 bits", "20", "shape", answers),))
    shape = replace(stored(replace(ROW, task="headlines", method="shape"), 0), scores={})
    runs = [
        Run(task, "rounded", seed, {"accuracy": 0.5 + seed / 10}, {"processor_seconds": 7.0}, {})
        for task in answers
        for seed in (0, 1)
    ]
    records.write_table("bits", "a test", runs, tmp_path)
    for task, rows in written(tmp_path, shape).items():
        assert rows[0].method == "8 bits" and rows[0].task == task
        assert rows[0].scores == (0.5, 0.6) and rows[0].processor_seconds == (7.0, 7.0)
        assert rows[0].file_bytes == ROW.file_bytes and rows[0].agreement == ()


def test_every_method_stands_in_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    rows = ledger.ledger_rows()
    for task in ("headlines", "SST-2"):
        names = [method.name for method in ledger.METHODS if task in method.answers]
        assert [row.method for row in rows[task] if row.source is None] == names
        assert all(row.parameters and row.milliseconds for row in rows[task] if row.source is None)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"made_with": [], "rows": [{}]}'])
def test_a_damaged_record_of_the_ledger_is_named(content: str, tmp_path: Path) -> None:
    (tmp_path / "ledger.json").write_text(content)
    with pytest.raises(ValueError, match=r"ledger\.json is no record"):
        ledger.ledger_rows(tmp_path)


def test_the_table_has_a_line_for_each_method_and_says_what_is_not_known() -> None:
    joined = replace(
        ROW, seeds=(0, 1), scores=(0.81, 0.79), agreement=(0.95, 0.9), processor_seconds=(41.0, 43.0)
    )
    baseline = replace(ROW, method="MiniLM", family="baseline", agreement=())
    text = table.ledger_tables([PUBLISHED, joined, baseline])
    heading, _, titles, ruler, *lines = text.splitlines()
    assert heading.startswith("**reviews**: accuracy")
    assert {len(line) for line in (titles, ruler, *lines)} == {len(titles)}
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [line[0] for line in cells] == ["MiniLM", "prune 50 %", "Tiny [Some, 2020, table 1]"]
    assert cells[1][1:] == [
        "pruning", "80.0 (79.0 to 81.0)", "92.5 (90.0 to 95.0)", "22.0", "45.0", "11,000 / 96.0",
        "60.0 / 4.2", "120.0", "42",
    ]  # fmt: skip
    assert cells[2][1:] == ["distillation", "93.0", "–", "14.5", "–", "– / –", "–", "–", "–"]


def test_each_task_has_a_table_of_its_own() -> None:
    text = table.ledger_tables([ROW, replace(ROW, task="passages", metric="f1")])
    assert "**reviews**: accuracy" in text and "**passages**: f1" in text


# ---------------------------------------------------------------------------------------------
# Agreement


def test_agreement_counts_answers_that_are_alike_right_or_wrong() -> None:
    assert agreement([0, 1, 1, 0], [0, 1, 0, 0]) == 0.75
    assert agreement(["paris", ""], ["paris", "in paris"]) == 0.5
    assert agreement([["O", "B"]], [["O", "B"]]) == 1.0


def test_accuracy_can_stay_while_agreement_falls() -> None:
    right = [0, 1, 2, 0, 1]
    before, now = [0, 1, 2, 1, 0], [0, 1, 1, 0, 2]
    assert flips(before, now, right) == Flips(lost=1, gained=1, moved=1)
    assert agreement(before, now) == pytest.approx(1 - 3 / 5)
    assert agreement(before, right) == agreement(now, right)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2])])
def test_answers_to_other_rows_cannot_be_compared(first: list[int], second: list[int]) -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        agreement(first, second)
    with pytest.raises(ValueError, match="cannot be compared"):
        flips(first, second, second)


# ---------------------------------------------------------------------------------------------
# Time, memory, and all of it


@pytest.mark.parametrize(
    ("seconds", "of", "words"),
    [
        (1, 2.71, "2.7 times as fast"),
        (1, 12.4, "12 times as fast"),
        (1, 1, "1.0 times as fast"),
        (1.02, 1, "1.0 times as fast"),
        (1.3, 1, "1.3 times slower"),
        (400_833, 14_316, "28 times slower"),
    ],
)
def test_a_ratio_below_one_is_said_as_slower(seconds: float, of: float, words: str) -> None:
    assert timing.speed(seconds, of) == words


def test_calls_take_turns_and_another_one_begins_each_round() -> None:
    calls: list[str] = []
    seconds = timing.in_turns({name: partial(calls.append, name) for name in "abc"}, rounds=3, warm_up=1)
    assert "".join(calls) == "abc" + "abc" + "bca" + "cab"
    assert {name: len(found) for name, found in seconds.items()} == {"a": 3, "b": 3, "c": 3}


def test_routes_of_torch_are_the_model_and_a_copy_in_half_the_bytes() -> None:
    model = BertForSequenceClassification(CONFIG).eval()
    routes: dict[str, Any] = timing.torch_routes(model)
    batch = timing.example_batch(60, (2, 5))
    logits = {name: route(**batch).logits for name, route in routes.items()}
    assert torch.equal(logits["float32"], model(**batch).logits)
    assert logits["bfloat16"].dtype == torch.bfloat16
    assert model.classifier.weight.dtype == torch.float32
    with pytest.raises(ValueError, match="training mode"):
        timing.torch_routes(model.train())


def one_linear(size: int) -> nn.Module:
    """A model that ignores what it is given, of size * size weights."""

    class Weights(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.ones(size, size)

        def forward(self, **batch: torch.Tensor) -> torch.Tensor:
            return self.weight.sum()

    return Weights()


def test_peak_memory_is_that_of_the_model_and_not_of_python() -> None:
    """4,000 x 4,000 numbers of 4 bytes are 64 MB; Python and PyTorch would be several hundred more."""
    peak = memory.peak_memory(partial(one_linear, 4000), vocab_size=60)
    assert 64_000_000 <= peak < 150_000_000


def test_all_costs_of_a_model_fit_into_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the file: eight bits a weight, and not one operation fewer."""
    monkeypatch.setattr(costs, "peak_memory", lambda load, vocab_size: len(list(load().parameters())))
    model = BertForSequenceClassification(CONFIG).eval()
    whole = costs.measure_costs(model, tmp_path / "whole", rounds=2)
    quantize_weights(model, bits=8)
    small = costs.measure_costs(model, tmp_path / "small", rounds=2)
    row = replace(ROW, **small)
    assert set(row.milliseconds) == {"float32", "bfloat16", "onnxruntime float32", "onnxruntime int8"}
    assert row.multiply_adds == whole["multiply_adds"] and set(row.multiply_adds) == set(SHAPES)
    assert row.parameters == whole["parameters"] == sum(p.numel() for p in model.parameters())
    assert row.file_bytes == (tmp_path / "small" / "model.safetensors").stat().st_size
    assert row.file_bytes < 0.6 * whole["file_bytes"]
