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

sys.path.insert(0, str(Path(__file__).parents[1]))
from tiny_task import EXAMPLES, TASK, tiny_model, tiny_teacher

from lib.records import subject as subjects
from lib.records.study import Arm, Measured
from studies import registry

FILE = Path(__file__).with_name("golden.json")
STEPS = 3
#: studies whose arms can be run on a tiny task and its teacher in a second
STUDIES = (
    "bits",
    "distilled_answers",
    "distilled_inside",
    "elastic",
    "layer_maps",
    "pruned_structure",
    "pruned_weights",
)
#: arms of theirs that read more than that
ELSEWHERE = (
    "knowledge", "blanks", "unseen", "TinyBERT", "augment", "costs", "MiniLM", "width", "wide", "unlabeled",
    "teacher", "layer_maps: headlines, labels", "layer_maps: reviews, labels", "layer_maps: SST-2, labels",
)  # fmt: skip


def kind_of(arm: Arm) -> str:
    """The functions that an arm is made of, without its numbers."""
    parts = [arm.func, *arm.args, *arm.keywords.values()] if isinstance(arm, partial) else [arm]
    names = [kind_of(one) if isinstance(one, partial) else getattr(one, "__qualname__", "") for one in parts]
    return " ".join(filter(None, names))


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
    """Every task is the tiny one, every model a few weights."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subjects, "task_named", lambda _name: TASK)
        patch.setattr(subjects, "load_teacher", tiny_teacher)
        patch.setattr(subjects, "texts_for", lambda *_: EXAMPLES)
        patch.setattr(subjects, "precision_here", lambda: "no")
        for name, module in list(sys.modules.items()):
            if name.startswith(("studies.", "chapters.", "lib.records.")) and hasattr(module, "fresh_model"):
                patch.setattr(module, "fresh_model", tiny_model)
        yield


def numbers_of(name: str, arm: Arm) -> dict[str, Any]:
    """What an arm gives: scores, and how large the weights of its model are."""
    task = name.partition(": ")[2].partition(", ")[0]
    with tiny():
        measured = arm(subjects.Subject(task, 0, STEPS))
    rows = measured if isinstance(measured, dict) else {"": measured}
    return {row: _numbers(one) for row, one in rows.items()}


def _numbers(one: Measured) -> dict[str, Any]:
    found = {name: score for name, score in one.scores.items() if isinstance(score, int | float)}
    if one.model is not None:
        found["weights"] = sum(
            float(weight.float().abs().sum()) for weight in one.model.state_dict().values()
        )
    return found


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
    golden = {name: numbers_of(name, arm) for name, arm in ARMS.items()}
    FILE.write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")
