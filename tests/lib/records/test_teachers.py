"""Teachers: one for each task, and each comes back as it was trained."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from tiny_task import TASK, tiny_model

from lib import root
from lib.bert import WordPieceTokenizer
from lib.records import teachers
from lib.training.finetuning import Recipe, evaluate
from lib.training.known_tasks import OWN

RECIPE = Recipe(epochs=1, batch_size=4, max_length=16)


def test_there_is_a_teacher_for_each_of_the_courses_tasks() -> None:
    assert OWN.keys() <= teachers.RECIPES.keys()
    assert len({teachers.teacher_entry(task).name for task in teachers.RECIPES}) == len(teachers.RECIPES)
    assert all((root / folder).is_dir() for task in OWN for folder in teachers.folders_of(task))


def test_a_teacher_comes_back_as_it_was_trained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(teachers, "load_task", lambda _name: TASK)
    monkeypatch.setattr(teachers, "fresh_model", tiny_model)
    teachers.train_teacher(tmp_path, "reviews", 0, asdict(RECIPE))
    monkeypatch.setattr(teachers, "cached", lambda _entry: SimpleNamespace(folder=tmp_path))
    teacher = teachers.load_teacher("reviews")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    scores, predictions = evaluate(teacher.model, tokenizer, TASK.kind, TASK.test, RECIPE.max_length)
    assert (teacher.scores, teacher.predictions) == (scores, predictions)
    assert len(teacher.losses) == 2
    assert not torch.equal(teacher.model.state_dict()["classifier.weight"], tiny_model().classifier.weight)


def test_a_teacher_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no teacher for 'weather': use reviews"):
        teachers.load_teacher("weather")
