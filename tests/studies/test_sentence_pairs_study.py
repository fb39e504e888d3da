"""Pairs by bags of words: every task and size, on a few short articles."""

from __future__ import annotations

from pathlib import Path

import pytest

from chapters.nb11 import bag_of_words
from lib.records.subject import Subject
from studies import sentence_pairs
from studies.sentence_pairs import LEARNED, SIZES, STUDY, measure_bags


def test_a_row_for_each_task_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def found(folder: Path, seed: int, sizes: tuple[int, ...], count: int) -> dict[str, object]:
        asked.append((folder, seed, count))
        shares = [[0.5, 0.25, 0.5, 0.75 + size] for size in sizes]
        return {"sentences": list(sizes), "next": shares, "order, two bags": shares}

    monkeypatch.setattr(sentence_pairs, "on_folder", found)
    monkeypatch.setattr(sentence_pairs, "public", lambda name: tmp_path / name)
    rows = measure_bags((1, 4), 7, Subject("Wikipedia", 2))
    assert asked == [(tmp_path / "pretrain_wikipedia", 2, 7)]
    assert [*rows] == [f"{task}, {size} sentences" for task in ("next", "order, two bags") for size in (1, 4)]
    assert rows["next, 4 sentences"].scores == {"accuracy": [0.5, 0.25, 0.5, 4.75]}


def test_the_record_was_made_with_these() -> None:
    assert STUDY.identity("Wikipedia", "bags of words") == f"measure_bags([1, 2, 4, 8, 12], {LEARNED})"
    assert (SIZES[-1], LEARNED, bag_of_words.FOLDS, STUDY.version) == (12, 2000, 4, 1)
    assert STUDY.data_of("Wikipedia", "bags of words") == ("public/pretrain_wikipedia",)
