"""Students of the inside: every arm on a task of two words and models of a few weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tiny_task import EXAMPLES, tiny_model, tiny_teacher

from lib.records.subject import Subject
from studies import distilled_inside
from studies.distilled_inside import STUDENTS

SMALL = {"num_hidden_layers": 2, "hidden_size": 12, "num_attention_heads": 12, "intermediate_size": 8}

Make = Callable[..., Subject]


@pytest.fixture
def subject(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> Subject:
    """Students are tiny, and every phase is two steps."""
    monkeypatch.setattr(distilled_inside, "SIZES", {"narrow": SMALL, "wide": SMALL | {"hidden_size": 24}})
    monkeypatch.setattr(distilled_inside, "fresh_model", tiny_model)
    monkeypatch.setattr(distilled_inside, "general_texts", lambda: ["red", "a dog"])
    monkeypatch.setattr(distilled_inside, "steps_of", lambda *_: 2)
    return tiny("headlines")


@pytest.mark.parametrize("name", STUDENTS["headlines"])
def test_every_arm_of_the_inside_can_be_learned(name: str, subject: Subject) -> None:
    student = STUDENTS["headlines"][name]
    found = distilled_inside.measure_inside(student, subject)
    assert found.costs["steps"] == 2 * len(student.phases)
    assert found.costs["seconds_given"] == 90 and found.costs["rows"] == len(EXAMPLES)
    assert found.scores.keys() == {"accuracy", "agreement"}
    assert found.model is not None and not found.model.training
    assert found.model.config.hidden_size == (24 if name.startswith("wide") else 12)


@pytest.mark.parametrize("name", ["labels", "TinyBERT", "TinyBERT, both stages"])
def test_seconds_are_counted_by_stage(name: str, subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distilled_inside, "time", SimpleNamespace(process_time=lambda: 0.0))
    monkeypatch.setattr(Subject, "train", lambda *_, **__: 1.5)
    student = STUDENTS["headlines"][name]
    costs = distilled_inside.measure_inside(student, subject).costs
    stages = [phase.stage for phase in student.phases]
    for stage in ("general", "inside", "answers"):
        assert costs[f"{stage}_seconds"] == 1.5 * stages.count(stage)
    assert costs["processor_seconds"] == 1.5 * len(stages)


def test_every_phase_draws_its_own_dropout(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    draws: list[int] = []

    def note(*_: Any, draw: int, **__: Any) -> float:
        draws.append(draw)
        return 0.0

    monkeypatch.setattr(Subject, "train", note)
    distilled_inside.measure_inside(STUDENTS["headlines"]["TinyBERT, both stages"], subject)
    assert draws == [0, 1, 2]


def test_what_stands_beside(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"texts": ["red", "a dog"], "processor_seconds": 2.0}
    monkeypatch.setattr(distilled_inside, "augmented", lambda *_: made)
    assert distilled_inside.measure_augmenting(subject).costs == {"processor_seconds": 2.0, "rows": 2}
    teacher = distilled_inside.measure_teacher(subject)
    assert teacher.scores == subject.teacher.scores and teacher.costs["parameters"] > 0


def test_steps_cost_what_the_share_pays_for(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {"narrow": {"answers": 0.1, "layers": 0.5}}
    monkeypatch.setattr(distilled_inside, "STEP_SECONDS", {"headlines": steps})
    monkeypatch.setattr(distilled_inside, "ASKING_SECONDS", {"headlines": 5.0})
    student = replace(STUDENTS["headlines"]["TinyBERT"], seconds=90.0)
    found = [distilled_inside.steps_of("headlines", student, phase) for phase in student.phases]
    assert found == [90, 400]


def test_every_phase_has_its_seconds_and_its_rate() -> None:
    for task, students in STUDENTS.items():
        for student in students.values():
            for phase in student.phases:
                assert phase.learned in distilled_inside.RATES
                assert distilled_inside.STEP_SECONDS[task][student.width][phase.learned] > 0


def test_one_dense_layer_goes_through_both_stages() -> None:
    teacher = tiny_teacher().model
    lessons = distilled_inside.Lessons(tiny_model(), teacher)
    first, second = (lessons.matches("layers")[0].map for _ in range(2))
    assert first is second is lessons.projection


def test_general_text_is_of_many_sentences() -> None:
    texts = distilled_inside.general_texts()
    assert len(texts) > 7000 + 1000 and all(texts)
