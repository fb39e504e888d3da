"""CONTRIBUTING's walk from a method to its notebook, taken with a toy in a copy of the houses."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from programs import python

from lib import root

#: what the toy writes at each place of the list that is code
TOY = {
    "lib/compression/quantizers/signs.py": '''
"""The sign of each weight times the mean size (a toy)."""

import torch
from torch import Tensor, nn

from lib.bert.alterations import parametrization
from lib.compression.encodings import Encoded, decodes


@parametrization
class Signs(nn.Module):
    def __init__(self, weight: Tensor):
        super().__init__()

    def forward(self, weight: Tensor) -> Tensor:
        return weight.sign() * weight.abs().mean()

    def right_inverse(self, weight: Tensor) -> Tensor:
        return weight

    def encode(self, tensor: Tensor) -> Encoded:
        parts = {"size": tensor.abs().mean()[None], "signs": tensor.sign().to(torch.int8)}
        return Encoded("toy signs", parts)


@decodes("toy signs")
def decode(parts: dict[str, Tensor]) -> Tensor:
    return parts["signs"].float() * parts["size"]
''',
    "studies/signs.py": '''
"""MiniLM with signs for weights (a toy)."""

from functools import partial

from lib.bert.alterations import parametrize
from lib.compression.parts import paths_of
from lib.compression.quantizers.signs import Signs
from lib.records.study import Measured, Study
from lib.records.subject import Subject


def measure_signs(layers: int, subject: Subject) -> Measured:
    model = subject.teacher.model
    for path in paths_of(model)[:layers]:
        parametrize(model, path, Signs.__name__)
    return Measured(subject.judge(model), {"layers": layers})


STUDY = Study("signs", "Signs", {"headlines": {"1 layer": partial(measure_signs, 1)}}, seeds=(0,))
''',
    "chapters/nb99/__init__.py": '''
"""What notebook 99 alone needs."""

NOTEBOOK = "99_signs"
EXERCISES = ("count_signs",)
''',
    "chapters/nb99/count_signs.py": '''
"""How many values a sign has."""

from lib.exercises.spec import Exercise

EXERCISE = Exercise(
    name="count_signs", kind="predict", minutes=1, difficulty=1, reference=2, answer="2",
    form="An answer is a whole number.", mistakes=[],
    hints=("Think of zero.", "Is zero one of them?", "Plus and minus."), why="Plus and minus.",
)
''',
}

WALK = """
import sys, torch
sys.path.insert(0, {tests!r})
from tiny_task import EXAMPLES, TASK, tiny_model, tiny_teacher
from lib import exercises
from lib.bert.alterations import parametrize
from lib.compression.packed import save_packed
from lib.records import subject
from studies import registry

assert "signs" in registry.names()
subject.task_named, subject.load_teacher = (lambda _name: TASK), tiny_teacher
study = registry.study("signs")
found = study.arms["headlines"]["1 layer"](subject.Subject("headlines", 0))
assert 0 <= found.scores["accuracy"] <= 1, found
assert study.identity("headlines", "1 layer") == "measure_signs(1)"
assert exercises.get("count_signs").check(2).passed and not exercises.get("count_signs").check(3).passed
model = tiny_model()
parametrize(model, "bert.encoder.layer.0.attention.self.query", "Signs")
save_packed(model, sys.argv[1])
"""

LOAD = """
import sys
from lib.compression.packed import load_packed
weight = load_packed(sys.argv[1]).bert.encoder.layer[0].attention.self.query.weight
print(len(weight.abs().unique()))
"""


def places() -> list[str]:
    """The first file that each line of the list names."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("### A method and its notebook")[1].split("\n## ")[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


def test_the_list_has_at_most_fourteen_places_and_holds_the_toy() -> None:
    named = [
        place.replace("NAME", "signs").replace("NN", "99").replace("EXERCISE", "count_signs")
        for place in places()
    ]
    assert len(named) <= 14 and TOY.keys() <= set(named)
    there = [place for place in places() if not re.search("NAME|NN|EXERCISE", place)]
    assert all((root / place).is_file() for place in there)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The houses with the toy in them, and nothing else changed."""
    folder = tmp_path_factory.mktemp("course")
    for house in ("lib", "chapters", "studies"):
        shutil.copytree(root / house, folder / house, ignore=shutil.ignore_patterns("__pycache__"))
    for beside in ("data", "notebooks"):
        (folder / beside).symlink_to(root / beside)
    for place, text in TOY.items():
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / place).write_text(text.lstrip(), encoding="utf-8")
    return folder


def test_a_toy_method_is_found_measured_asked_about_and_loaded(copy: Path) -> None:
    file = str(copy / "model.safetensors")
    walk = python("-P", "-c", WALK.format(tests=str(root / "tests")), file, PYTHONPATH=str(copy))
    assert not walk.returncode, walk.stderr
    load = python("-P", "-c", LOAD, file, PYTHONPATH=str(copy))  # which has never heard of the method
    assert load.stdout.strip() == "1", load.stderr
