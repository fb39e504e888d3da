"""Texts that students read, and how they are varied."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_task import EXAMPLES, TASK, TINY_POCKET

from lib.records import augmented, students
from lib.records.results import RESULT
from lib.text.tasks import own


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
