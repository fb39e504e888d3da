"""Studies: rows, what of them fits, and a table that says what it does not have."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lib import records
from lib.names import stable_name
from lib.records import Run, Table, study
from lib.records.cache import Cached, Entry
from lib.records.study import Measured, Study
from lib.records.subject import Subject


def measure(steps: Any, subject: Subject) -> Measured:
    return Measured({"accuracy": steps + subject.seed / 10}, {"steps": steps})


def sweep(subject: Subject) -> dict[str, Measured]:
    return {f"level {level}": Measured({"accuracy": level}) for level in (1, 2)}


STUDY = Study("toy", "A toy", {"headlines": {"short": partial(measure, 1), "levels": sweep}}, seeds=(0, 1))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Entry]:
    """What the cache is asked for; runs are made in this process."""
    asked: list[Entry] = []

    def cached(entry: Entry) -> Cached:
        asked.append(entry)
        folder = Path(tempfile.mkdtemp(dir=tmp_path))
        arm = LATEST[0].arms[entry.config["task"]][entry.config["arm"]]
        found = arm(Subject(entry.config["task"], entry.config["seed"]))
        found = found if isinstance(found, dict) else {entry.config["arm"]: found}
        rows = {name: {"scores": one.scores, "costs": one.costs} for name, one in found.items()}
        (folder / "result.json").write_text(json.dumps(rows))
        meta = {"commit": "abc", "date": "2026-11-26", "machine": "a machine"}
        inputs = study.digests(entry.data)
        return Cached(entry, folder, meta | {"made from": {"data": inputs, "torch": "2.13.0"}}, True)

    monkeypatch.setattr(study, "cached", cached)
    return asked


LATEST = [STUDY]


@pytest.fixture(autouse=True)
def without_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Study, "entry", entry_without_module)


def entry_without_module(self: Study, task: str, arm: str, seed: int) -> Entry:
    LATEST[0] = self
    config = {"task": task, "arm": arm, "seed": seed}
    return Entry(f"toy_{seed}", "a toy", study.run_arm, config, self.data_of(task, arm), version=1)


def test_every_run_is_a_row_and_a_sweep_is_several(made: list[Entry]) -> None:
    rows = list(STUDY.rows())
    assert [(row.arm, row.seed) for row in rows] == [
        ("short", 0), ("short", 1), ("level 1", 0), ("level 2", 0), ("level 1", 1), ("level 2", 1),
    ]  # fmt: skip
    table = Table(rows)
    assert table.values("headlines", "short") == [1.0, 1.1]
    assert table.values("headlines", "short", "steps") == [1, 1]
    assert STUDY.misfits(table) == [] and len(made) == 4


def test_a_new_arm_is_a_new_row_and_touches_no_other(made: list[Entry]) -> None:
    table = Table(list(STUDY.rows()))
    made.clear()
    arms: dict[str, dict[str, Any]] = {"headlines": {**STUDY.arms["headlines"], "long": partial(measure, 9)}}
    more = replace(STUDY, arms=arms)
    assert any("'long' on headlines has no run of seed 0" in one for one in more.misfits(table))
    rows = list(more.rows(table))
    assert rows[: len(table.rows)] == table.rows and [entry.config["arm"] for entry in made] == ["long"] * 2
    assert more.misfits(Table(rows)) == []


def test_an_arm_that_has_changed_is_named(made: list[Entry]) -> None:
    table = Table(list(STUDY.rows()))
    changed = replace(STUDY, arms={"headlines": {"short": partial(measure, 2), "levels": sweep}})
    sentences = changed.misfits(table)
    assert any("has no run of seed 1 as it is now: measure(2)" in one for one in sentences)
    assert any("is of an arm that is no more: measure(1)" in one for one in sentences)
    assert any("version 1" in one for one in replace(STUDY, version=2).misfits(table))


def test_what_no_seed_changes_is_run_once(made: list[Entry]) -> None:
    once = replace(STUDY, once=frozenset({"levels"}))
    table = Table(list(once.rows()))
    assert [row.seed for row in table.runs("headlines", "level 1")] == [0]
    assert table.values("headlines", "short") == [1.0, 1.1] and len(made) == 3
    assert once.misfits(table) == []


def test_an_arm_that_nobody_can_know_again_is_refused() -> None:
    with pytest.raises(ValueError, match="write it as a function of the module"):
        Study("toy", "A toy", {"headlines": {"short": lambda subject: Measured({})}})


def test_a_table_says_what_it_does_not_have(made: list[Entry]) -> None:
    table = Table(list(STUDY.rows()))
    for asked, message in (
        (("headlines", "shrt"), r"no run of 'shrt' on 'headlines'\. The nearest arms are short, level"),
        (("headline", "short"), r"no run of 'short' on 'headline'\. The nearest tasks are headlines\."),
        (("headlines", "short", "accuracies"), r"has no 'accuracies'\. The nearest metrics are accuracy, st"),
    ):
        with pytest.raises(ValueError, match=message):
            table.values(*asked)
    assert table.tasks() == ["headlines"] and table.seeds() == [0, 1]
    assert table.arms("headlines") == ["short", "level 1", "level 2"]


def test_a_table_is_written_and_read(tmp_path: Path) -> None:
    rows = [Run("headlines", "short", seed, {"accuracy": 0.5}, {}, {"how": "x"}) for seed in (0, 1)]
    records.write_table("toy", "a toy", rows, tmp_path)
    assert records.table("toy", tmp_path).rows == rows
    assert len(json.loads((tmp_path / "toy.json").read_text())["made_with"]) == 1


# --- names ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Knob:
    value: Any


def test_names_are_the_same_in_every_process() -> None:
    inner = partial(measure, 3)
    assert stable_name(measure) == "measure"
    assert stable_name(partial(measure, steps=Knob((inner, {"a": 1})))) == (
        "measure(steps=Knob(value=[measure(3), {'a': 1}]))"
    )
    assert "<lambda>" in stable_name(lambda: 0)
