"""The ledger's rows of the second part: what they are made from, and that zeros stay out of their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from test_ledger_runs import FOUND
from tiny_task import tiny_model

from lib.compression.packed import load_packed, save_packed
from lib.compression.pruning.masks import add_masks
from lib.records.cache import Entry
from studies import (
    choosing_bits,
    elastic,
    how_to_teach,
    ledger_runs,
    ledger_second,
    pruned_questions,
    pruned_structure,
    pruned_weights,
    registry,
)

ROWS = [
    (record, task, method)
    for record, tasks in ledger_second.METHODS.items()
    for task, methods in tasks.items()
    for method in methods
]


SAVED = ("widths", "sizes", "LayerDrop", "0.25 x 0.5 alone")  # parts of elastic networks that leave a model


class Reached(Exception):
    """A method has asked for what the cache keeps."""


@pytest.mark.parametrize(("record", "task", "method"), ROWS)
def test_a_row_is_of_a_model_that_its_experiment_keeps(
    record: str, task: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Entry] = []

    def note(entry: Entry) -> Any:
        asked.append(entry)
        raise Reached

    def note_teacher(*_: Any) -> Any:
        raise Reached

    monkeypatch.setattr(ledger_runs, "cached", note)
    monkeypatch.setattr(ledger_second, "teacher_of", note_teacher)
    monkeypatch.setattr(ledger_second.layer_maps, "setting_of", note_teacher)
    monkeypatch.setattr(ledger_second, "question_model", note_teacher)
    monkeypatch.setattr(ledger_second, "subject", note_teacher)
    with pytest.raises(Reached):
        ledger_second.METHODS[record][task][method].source(0)
    data = set(ledger_second.run_of(record, task, method, 0).data)
    for entry in asked:
        assert set(entry.data) <= data
        arm = entry.config.get("part") or entry.config.get("arm")
        kept = {
            pruned_weights.run_part: pruned_weights.KEPT,
            pruned_structure.run_part: pruned_structure.KEPT,
            pruned_questions.run_arm: ("importance",),
            how_to_teach.run_arm: how_to_teach.KEPT,
            choosing_bits.run_part: choosing_bits.KEPT,
            elastic.run_part: [
                elastic.FROM_LABELS,
                *(part for part in elastic.parts_of("headlines") if part.startswith(SAVED)),
            ],
        }
        assert arm in kept[entry.make]


@pytest.mark.parametrize("record", ledger_second.METHODS)
def test_a_record_names_what_its_rows_are_made_from(record: str) -> None:
    inputs = registry.EXPERIMENTS[f"ledger_{record}"].inputs
    for _, task, method in (row for row in ROWS if row[0] == record):
        for name in ledger_second.run_of(record, task, method, 0).data:
            assert any(one == name or one.startswith(f"{name}/") for one in inputs), name


def test_zeros_are_left_out_of_a_file_again(tmp_path: Path) -> None:
    model = tiny_model()
    save_packed(model, tmp_path / "dense")
    ledger_second.smallest_to_zero(model, 0.9)
    save_packed(model, tmp_path / "pruned")
    again = load_packed(tmp_path / "pruned")
    plain = {name: tensor.clone() for name, tensor in again.state_dict().items()}
    add_masks(again)
    save_packed(again, tmp_path / "again")
    sizes = [(tmp_path / name).stat().st_size for name in ("dense", "pruned", "again")]
    assert sizes[1] == sizes[2] < sizes[0]
    for name, tensor in load_packed(tmp_path / "again").state_dict().items():
        torch.testing.assert_close(tensor, plain[name], rtol=0, atol=0)


def test_every_row_of_a_seed_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger_runs, "kept_result", lambda _entry: FOUND)
    for record in ledger_second.METHODS:
        rows = registry.EXPERIMENTS[f"ledger_{record}"].run(1)
        told = {(task, method) for one, task, method in ROWS if one == record}
        assert {(row.task, row.method) for row in rows} == told
