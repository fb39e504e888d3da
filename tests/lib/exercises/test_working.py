"""A notebook goes on with the learner's function if it is right, and with the course's if it is not."""

from typing import Any

import pytest

from lib.compression.pruning import schedule
from lib.exercises import notebook, working


@pytest.fixture(autouse=True)
def nothing_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "_passed", {})


def test_a_right_answer_runs_from_there_on(capsys: Any) -> None:
    def cubic_sparsity(step: int, steps: int, final: float) -> float:
        left = 1 - step / steps
        return final - final * left**3

    assert working(cubic_sparsity) is cubic_sparsity
    assert "your cubic_sparsity runs" in capsys.readouterr().out


def test_of_a_wrong_or_missing_one_the_courses_runs(capsys: Any) -> None:
    def cubic_sparsity(step: int, steps: int, final: float) -> float:
        return final * step / steps

    assert working(cubic_sparsity) is schedule.cubic_sparsity
    assert "does not pass its check yet" in capsys.readouterr().out

    def blank(step: int, steps: int, final: float) -> Any: ...

    blank.__name__ = blank.__qualname__ = "cubic_sparsity"
    assert working(blank) is schedule.cubic_sparsity
    assert "the course's runs" in capsys.readouterr().out


def test_the_solved_edition_says_whose_it_is(capsys: Any) -> None:
    assert working(schedule.cubic_sparsity) is schedule.cubic_sparsity
    assert "the course's cubic_sparsity runs" in capsys.readouterr().out


def test_what_is_no_exercise_is_refused() -> None:
    with pytest.raises(ValueError, match="of an exercise"):
        working(len)
