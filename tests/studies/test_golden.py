"""What comes out of a study's arms on a tiny task is what came out before.

Where it differs, the study's rows would come out otherwise, too: raise `version` in its file, so that they
are made anew, or show that nothing changed. `python tests/studies/test_golden.py` writes them down again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
from tiny_task import EXAMPLES, TASK, tiny_model, tiny_teacher

from lib.records import subject as subjects
from lib.records.study import Arm, Measured
from studies import registry

FILE = Path(__file__).with_name("golden.json")
STEPS = 3
#: studies whose arms can be run on a tiny task and its teacher in a second
STUDIES = (
    "bits", "choosing_bits", "distilled_answers", "distilled_inside", "elastic", "film", "layer_maps",
    "pruned_structure", "pruned_weights", "small_designs", "ternary_binary",
)  # fmt: skip
#: arms of theirs that read more than that
ELSEWHERE = (
    "knowledge", "blanks", "unseen", "TinyBERT", "augment", "costs", "MiniLM", "width", "wide", "unlabeled",
    "teacher", "search",
    "layer_maps: headlines, labels", "layer_maps: reviews, labels", "layer_maps: SST-2, labels",
)  # fmt: skip


def kind_of(arm: Arm) -> str:
    """The functions that an arm is made of, without its numbers."""
    parts = [arm.func, *arm.args, *arm.keywords.values()] if isinstance(arm, partial) else [arm]
    names = [
        kind_of(part) if isinstance(part, partial) else getattr(part, "__qualname__", "") for part in parts
    ]
    return " ".join(name for name in names if name not in ("", "_under"))  # which only gives another name


def chosen() -> dict[str, Arm]:
    """Of each study one arm of each kind, by "study: task, arm"."""
    found: dict[str, Arm] = {}
    for name in STUDIES:
        seen: set[str] = set()
        for task, arms in registry.study(name).arms.items():
            for arm, run in arms.items():
                elsewhere = any(word in f"{name}: {task}, {arm}" for word in ELSEWHERE)
                if (kind := kind_of(run)) not in seen and not elsewhere:
                    seen.add(kind)
                    found[f"{name}: {task}, {arm}"] = run
    return found


@contextmanager
def tiny() -> Iterator[None]:
    """Every task is the tiny one, every model a few weights, in float32: bfloat16 depends on the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subjects, "task_named", lambda _name: TASK)
        patch.setattr(subjects, "load_teacher", tiny_teacher)
        patch.setattr(subjects, "texts_for", lambda *_: EXAMPLES)
        patch.setattr(subjects, "precision_here", lambda: "no")
        for name, module in list(sys.modules.items()):
            if name.startswith(("studies.", "chapters.", "lib.records.")):
                for attribute, value in {"fresh_model": tiny_model, "PRECISION": "no"}.items():
                    if hasattr(module, attribute):
                        patch.setattr(module, attribute, value)
        yield


def numbers_of(name: str, arm: Arm) -> dict[str, Any]:
    """What an arm gives: scores, costs other than time, and how large the weights of its model are."""
    task = name.partition(": ")[2].partition(", ")[0]
    with tiny():
        subject = subjects.Subject(task, 0, STEPS)
        measured = arm(subject)
        weights, before = subject.teacher.model.state_dict(), tiny_teacher().model.state_dict()
    assert all(torch.equal(tensor, before[key]) for key, tensor in weights.items()), "the teacher has changed"
    rows = measured if isinstance(measured, dict) else {"": measured}
    return {row: _numbers(run) for row, run in rows.items()}


def _numbers(run: Measured) -> dict[str, float]:
    numbers = {name: total(score) for name, score in run.scores.items()}
    for name, cost in run.costs.items():
        numbers[f"cost: {name}"] = 0.0 if "seconds" in name else total(cost)
    if run.model is not None:
        assert not run.model.training
        weights = run.model.state_dict().values()
        numbers["weights"] = sum(float(weight.float().abs().sum()) for weight in weights)
    return {name: float(f"{number:.7g}") for name, number in numbers.items()}


def total(value: Any) -> float:
    """A number as it is, and the sum of all numbers in lists or dicts; words count nothing."""
    if isinstance(value, str):
        return 0.0
    if isinstance(value, dict):
        return total(list(value.values()))
    return sum(map(total, value)) if isinstance(value, list | tuple) else float(value)


def write(golden: dict[str, dict[str, Any]]) -> None:
    """A line for each arm."""
    lines = [f"{json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in golden.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


ARMS = chosen()


@pytest.mark.parametrize("name", ARMS)
def test_an_arm_gives_what_it_gave(name: str) -> None:
    before = json.loads(FILE.read_text(encoding="utf-8"))
    assert name in before, "a new kind of arm: run this file to write its numbers down"
    now = numbers_of(name, ARMS[name])
    assert now.keys() == before[name].keys()
    for row, numbers in now.items():
        assert numbers == pytest.approx(before[name][row], rel=1e-3, abs=1e-4), (
            f"{row or name} comes out otherwise: raise the study's version, or show that nothing changed"
        )


if __name__ == "__main__":
    write({name: numbers_of(name, arm) for name, arm in ARMS.items()})
