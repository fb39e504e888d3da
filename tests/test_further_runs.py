"""Records of what others lack: every run of theirs exists, and has its place in what is recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lib.records.cache import Entry
from studies import further_runs, how_to_teach, registry


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """What is asked of the cache, which gives each run its own name."""
    found: list[Entry] = []

    def note(entry: Entry) -> dict[str, Any]:
        found.append(entry)
        return {"run": entry.config.get("arm") or entry.config.get("part")}

    for module in (further_runs, how_to_teach):
        monkeypatch.setattr(module, "kept_result", note)
    return found


def test_reviews_get_what_only_headlines_and_sst2_had(asked: list[Entry]) -> None:
    found = further_runs.more_on_reviews(1)
    assert not set(further_runs.ARMS) & set(how_to_teach.arms_of("reviews"))
    assert {name: run["run"] for name, run in found["taught"].items() if name in further_runs.ARMS} == {
        name: name for name in further_runs.ARMS
    }
    for family in further_runs.FAMILIES:
        assert sum(how_to_teach.ARMS[name].family == family for name in further_runs.ARMS) >= 3
    assert all(entry.config["task"] == "reviews" and entry.config["seed"] == 1 for entry in asked)


def test_the_shortest_steps_stand_beside_none(asked: list[Entry]) -> None:
    found = further_runs.more_parts(1)
    assert found["taught"].keys() == {"reviews", "SST-2"}
    for of_task in found["taught"].values():
        assert list(of_task) == list(further_runs.SHORTEST)
    assert set(further_runs.SHORTEST) <= set(how_to_teach.ARMS)


@pytest.mark.parametrize("name", ["more_on_reviews", "more_parts"])
def test_the_records_are_registered(name: str) -> None:
    experiment = registry.EXPERIMENTS[name]
    assert len(experiment.seeds) == 3
    assert json.loads(json.dumps(experiment.config())) == experiment.config()
