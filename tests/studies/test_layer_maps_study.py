"""Layer maps: every lesson on a task of two words, what is looked at inside, and the arms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tiny_task import EXAMPLES

from chapters.nb23 import layer_lessons
from chapters.nb23.layer_lessons import Teaching
from lib.records.subject import Subject
from studies.layer_maps import FAMILIES, OfAnotherText

FURTHER = ["red dog", "a red", "two dogs", "dog", "red", "a dog or two"]
SHORTLY = Teaching(steps=2, batch_size=3, held=3)
LESSONS = {name: lesson for family in FAMILIES.values() for name, lesson in family.items()}

Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    monkeypatch.setattr(layer_lessons.own, "unlabeled", lambda _name: FURTHER)
    return tiny()


CHECKED = (
    "0,0", "2,5", "reverse 6,3", "another text 3,6", "CKD cross, student widened",
    "CKD overlap, teacher fused", "ALP", "ALP, buckets", "mean of all layers", "[CLS] 3,6",
)  # fmt: skip


def test_every_lesson_gives_what_the_record_holds(subject: Subject) -> None:
    found = layer_lessons.teach({name: LESSONS[name] for name in CHECKED}, SHORTLY, subject)
    assert tuple(found) == CHECKED
    for arm, one in found.items():
        mixed = arm.startswith(("ALP", "mean"))
        look = ["weights"] if mixed else ["spread"] if arm.startswith("CKD") else []
        looks = {f"{what} {when}" for what in look for when in ("before", "after")}
        assert one.scores.keys() == {"accuracy", "agreement", "fitness"} | looks, arm
        assert one.costs.keys() == {"processor_seconds", "asking_seconds"}
    weights = [found["ALP, buckets"].scores[f"weights {when}"] for when in ("before", "after")]
    assert all(sum(row) == pytest.approx(1) for when in weights for row in when)
    assert [len(row) for row in weights[1]] == [3, 3]
    assert found["mean of all layers"].scores["weights after"][0] == pytest.approx([1 / 6] * 6)
    spread = found["CKD cross, student widened"].scores
    assert spread["spread before"] == spread["spread after"]  # the teacher's alone


def test_a_student_of_labels_needs_no_teacher(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_lessons.KeptStates, "of", None)
    found = layer_lessons.teach_labels(SHORTLY, subject)
    assert found.scores.keys() == {"accuracy", "agreement", "fitness"}
    assert found.costs.keys() == {"processor_seconds"}


def test_all_students_begin_with_the_same_weights(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_lessons, "_fit", lambda *_: 0.0)
    new = layer_lessons.new_layers(subject.teacher.model, 2, subject.seed)
    found = layer_lessons.teach({name: LESSONS[name] for name in CHECKED[:3]}, SHORTLY, subject)
    models: list[Any] = [one.model for one in (*found.values(), layer_lessons.teach_labels(SHORTLY, subject))]
    for name, tensor in new.state_dict().items():
        assert all(torch.equal(tensor, model.state_dict()[name]) for model in models)


def test_nobody_learns_from_what_fitness_is_measured_on(
    subject: Subject, tiny: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[str]] = []

    def note(examples: list[Any], subject: Subject) -> Any:
        read.append([example.first for example in examples])
        return rows(examples, subject)

    rows = layer_lessons._rows
    monkeypatch.setattr(layer_lessons, "_rows", note)
    held, labeled = layer_lessons.parted(EXAMPLES, 3)
    assert len(held) == 3 and held + labeled != EXAMPLES and sorted(held + labeled) == sorted(EXAMPLES)
    layer_lessons.teach({}, SHORTLY, subject)
    layer_lessons.teach_labels(SHORTLY, subject)
    layer_lessons.teach({}, SHORTLY, tiny("SST-2"))
    others = [example.first for example in labeled]
    assert read == [FURTHER, others, others]
    assert not {one.first for one in held} & set(others)


def test_students_of_a_teacher_see_no_labels(tiny: Make) -> None:
    _, labeled = layer_lessons.parted(EXAMPLES, 3)
    assert all(one.label is not None for one in labeled)
    assert all(one.label is None for one in layer_lessons._unlabeled(labeled, tiny("SST-2")))


def test_another_text_is_the_next_of_the_batch() -> None:
    states = torch.arange(6.0).view(3, 2, 1)  # [B, T, D]
    pairs = OfAnotherText(((1, 3),))(lambda _layer: states, lambda _layer: states)
    assert pairs[0][1][:, 0, 0].tolist() == [4, 0, 2]


def test_spread_is_0_of_one_direction_and_large_of_many() -> None:
    assert layer_lessons.spread_of(torch.tensor([[1.0, 1], [2, 2], [5, 5]])) == pytest.approx(0, abs=1e-6)
    assert layer_lessons.spread_of(torch.tensor([[1.0, 0], [-1, 0]])) == pytest.approx(1)
    assert layer_lessons.spread_of(torch.tensor([[1.0, 0], [0, 1]])) == pytest.approx(1 / 2)
