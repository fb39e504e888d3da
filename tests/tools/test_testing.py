"""The test runner: what it runs, in which order, and how it sums up."""

import os
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from programs import python

from lib import root
from tools.testing import Extent, Status, Step, budgets, counted, longest_first, nbval, run, steps, summary
from tools.testing import pytest as pytest_command


def test_fast_opens_no_notebook(tmp_path: Path) -> None:
    todo = steps(Extent.FAST, tmp_path)
    assert [step.name for step in todo] == ["style", "types", "unit tests"]
    assert todo[-1].command[-2:] == ["-m", "not notebook and not slow"]


@pytest.mark.parametrize(("extent", "marked"), [(Extent.USUAL, "not slow"), (Extent.ALL, "")])
def test_slow_tests_are_left_for_all(extent: Extent, marked: str, tmp_path: Path) -> None:
    by_name = {step.name: step.command for step in steps(extent, tmp_path)}
    assert by_name["unit tests"][-2:] == by_name["browser"][-2:] == ["-m", marked]


def test_every_notebook_is_solved_and_run_the_longest_first(tmp_path: Path) -> None:
    by_name = {step.name: step.command for step in steps(Extent.USUAL, tmp_path)}
    solved = [word for word in by_name["solving"] if word.endswith(".ipynb")]
    assert sorted(solved) == sorted(str(path) for path in (root / "notebooks").glob("*.ipynb"))
    ran = [word for word in by_name["notebooks"] if word.endswith(".ipynb")]
    assert ran == [str(tmp_path / Path(word).name) for word in solved]
    seconds = [budgets()[Path(word).stem] for word in ran]
    assert seconds == sorted(seconds, reverse=True)
    assert list(by_name)[-1] == "browser"


def test_every_cell_is_collected_under_a_name_of_its_own_and_in_order(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.ipynb" for name in "cab"]
    for path in paths:
        nbformat.write(new_notebook(cells=[new_code_cell("1"), new_code_cell("2")]), path)
    answer = python(*nbval(paths)[1:], "--collect-only")
    cells = [f"{path.name}::Cell {number}" for path in paths for number in (0, 1)]
    assert answer.stdout.splitlines()[:6] == cells, answer.stdout + answer.stderr


def test_a_notebook_without_a_budget_is_run_first() -> None:
    paths = [Path("00_start_here.ipynb"), Path("40_new.ipynb"), Path("12_pretraining.ipynb")]
    assert [path.stem[:2] for path in longest_first(paths)] == ["40", "12", "00"]


def test_a_report_is_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    suite = '<testsuite tests="10" failures="1" errors="2" skipped="3"></testsuite>'
    report.write_text(f"<testsuites>{suite}</testsuites>")
    assert counted(report) == Counter(failed=1, errors=2, passed=4, skipped=3)


PASSED = Counter(failed=0, passed=7, skipped=1, errors=0)


def test_the_summary_adds_up_and_names_what_failed() -> None:
    done = [
        Step("style", [], status=Status.PASSED, seconds=1),
        Step("unit tests", [], PASSED, Status.PASSED, 60),
        Step("browser", [], Counter(failed=1, passed=2, skipped=0, errors=1), Status.FAILED, 9.5),
    ]
    text = summary(done)
    assert "Not passed: browser." in text and "Not run" not in text
    assert (
        text.splitlines()[-1].strip("= ") == "1 failed, 1 error, 9 passed, 1 skipped in 70.50s (1 min 10 s)"
    )


def test_the_summary_of_an_interrupted_run_names_where_and_what_is_left() -> None:
    done = [
        Step("style", [], status=Status.PASSED, seconds=1),
        Step("unit tests", [], status=Status.INTERRUPTED, seconds=60),
        Step("browser", []),
    ]
    text = summary(done)
    assert "Interrupted: unit tests." in text and "Not run: browser." in text and "Not passed" not in text
    assert text.splitlines()[-1].strip("= ").startswith("failed in 61.00s")


TWO_TESTS = """\
import os

def test_wrong():
    assert 1 == 2, "one is not two"

def test_stopped():
    if os.environ["STOPPED"] == "yes":
        raise KeyboardInterrupt
"""


@pytest.mark.parametrize(("workers", "stopped"), [("1", "no"), ("0", "yes")])
def test_a_failed_test_is_named_at_once_and_after_ctrl_c(
    workers: str, stopped: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "test_two.py"
    file.write_text(TWO_TESTS)
    step = Step("two tests", pytest_command("-n", workers, f"--rootdir={tmp_path}", str(file)))
    run(step, {**os.environ, "STOPPED": stopped}, tmp_path / "report.xml")
    assert step.status is Status.FAILED
    printed = capfd.readouterr().out
    at_once, _, at_the_end = printed.partition("= short test summary info =")
    assert "FAILED test_two.py::test_wrong: AssertionError: one is not two\n" in at_once
    assert "test_two.py::test_wrong" in at_the_end and ("KeyboardInterrupt" in at_the_end) == (
        stopped == "yes"
    )
