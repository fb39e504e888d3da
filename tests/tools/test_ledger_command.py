"""`ledger` prints what it is asked for."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from lib.compression.ledger.rows import LedgerRow
from lib.records import ledger
from tools.__main__ import app

ROW = LedgerRow(
    method="Tiny", family="distillation", task="reviews", metric="accuracy", source="Some, 2020, table 1",
    scores=(0.93,), parameters=14_500_000,
)  # fmt: skip


def test_the_command_prints_the_tasks_that_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"reviews": [ROW], "passages": [replace(ROW, task="passages", metric="f1")]}
    monkeypatch.setattr(ledger, "ledger_rows", lambda: rows)
    monkeypatch.setattr(ledger, "machines", lambda: {"reviews": "one machine", "passages": "another"})
    said = CliRunner().invoke(app, ["ledger", "passages"]).output
    assert "**passages**" in said and "**reviews**" not in said
    assert "Measured on another" in said and "one machine" not in said
    assert "no rows of stories; it has reviews, passages" in str(
        CliRunner().invoke(app, ["ledger", "stories"]).exception
    )
