"""Where exercises are found: the course's own, and a lecturer's."""

from __future__ import annotations

from pathlib import Path

import pytest
from sabotage.hand_ins import NAME

from lib.exercises import registry

EXTRA = """
from lib.exercises.spec import Exercise, Mistake, edit

def triple(x):
    return 3 * x

EXERCISES = [
    Exercise("triple", "90_mine", triple, cases=lambda seed: [(1,), (5,)],
             mistakes=[Mistake("twice", "That is twice.", edit("3 *", "2 *"))]),
]
"""


def test_a_lecturers_own_exercises(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXTRA)
    found = registry.with_extra(tmp_path)
    assert set(found) == {*registry.course(), "triple"}
    assert found["triple"].check(lambda x: x + x + x).passed
    assert found["triple"].check(lambda x: x + x).mistake == "twice"
    assert "triple" not in registry.course()


def test_an_exercise_of_the_same_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXTRA.replace('"triple", "90', f'"{NAME}", "90'))
    with pytest.raises(ValueError, match="rename one"):
        registry.with_extra(tmp_path)
    with pytest.raises(ValueError, match="is no folder"):
        registry.with_extra(tmp_path / "nothing")
