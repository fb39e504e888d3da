"""`compress ledger` prints what it is asked for."""

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from lib.compression.ledger import table
from lib.compression.ledger.rows import LedgerRow
from tools.__main__ import app

ROW = LedgerRow(
    method="Tiny", family="distillation", task="reviews", metric="accuracy", source="Some, 2020, table 1",
    scores=(0.93,), parameters=14_500_000,
)  # fmt: skip


def test_the_command_prints_the_tasks_that_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [ROW, replace(ROW, task="passages", metric="f1")]
    recorded = {"one machine": rows, "another": [replace(ROW, task="stories")]}
    monkeypatch.setattr(table, "recorded_by_machine", lambda: recorded)
    said = CliRunner().invoke(app, ["compress", "ledger", "passages"]).output
    assert "**passages**" in said and "**reviews**" not in said and "**stories**" not in said
    assert "Measured on one machine" in said and "another" not in said
    recorded.pop("another")
    assert "no rows of stories; it has passages, reviews" in str(
        CliRunner().invoke(app, ["compress", "ledger", "stories"]).exception
    )
    recorded.clear()
    assert "no rows yet" in str(CliRunner().invoke(app, ["compress", "ledger"]).exception)
