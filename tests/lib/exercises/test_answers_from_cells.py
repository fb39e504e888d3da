"""Answers as cells define them: sabotage, what they print, what cannot travel to the process that judges."""

from __future__ import annotations

import json
import linecache
import multiprocessing
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from sabotage.hand_ins import NAME, RIGHT, SABOTAGED

from lib import exercises, root
from lib.exercises import processes, sandbox
from lib.exercises.report import Report

NOT_ABOUT_THE_ANSWER = {  # these are about cells, or about where the answer comes from
    *("imports_gone", "half_a_cell", "magics", "raises_at_the_top", "last_one_wins", "left_running"),
    *("other_cells_broken", "check_copied", "imports_reference", "calls_reference", "alias"),
    *("assigned", "wrapped", "loud_at_the_top", "loop_above", "loop_below", "exit_above"),
    *("death_above", "gigabytes_above", "lines_above", "own_test_below", "shown_above", "compared"),
}


def as_in_a_notebook(cells: tuple[str, ...]) -> Any:
    """The function that a notebook's cells define, its source known to linecache alone."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(cells):
        if source.startswith("check("):
            continue
        file = f"cell-{number}-of-{len(cells)}"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), space)
    return space[NAME]


@pytest.mark.parametrize("kind", [kind for kind in SABOTAGED if kind not in NOT_ABOUT_THE_ANSWER])
def test_no_answer_hurts_the_notebook(kind: str) -> None:
    case = SABOTAGED[kind]
    answer = sandbox.carried(as_in_a_notebook(case.cells))
    loops = case.status == "timeout"
    report = sandbox.run(exercises.get(NAME), answer, seconds=1.0 if loops else 60.0, memory=2**30)
    assert report.status == case.status, str(report)
    assert report.passed == (case.status == "passed")


def test_what_was_printed_is_shown_and_cut() -> None:
    source = RIGHT.replace("    scores", "    print('scores', 'x' * 5000)\n    scores", 1)
    source = source.replace("/ math.sqrt(query.size(-1))", "")
    report = exercises.get(NAME).check(as_in_a_notebook(("import math, torch", source)))
    assert report.mistake == "no_scale"
    assert "your code printed:\nscores xxx" in report.details
    assert report.details.count("scores") == 1
    assert "bytes more" in report.details
    assert len(report.details) < 4_000


LOCK = "import math, threading, torch\nlock = threading.Lock()"
BOX = "import math, threading, torch\nclass Box:\n    lock = 0\nbox = Box()\nbox.lock = threading.Lock()"


@pytest.mark.parametrize(
    ("start", "helper", "blamed"),
    [
        (LOCK, "def helper(): lock", "`lock` (lock)"),
        (BOX, "def helper(): [lambda: box for _ in range(2)]", "`box` (Box)"),
        (
            LOCK.replace("lock = threading.Lock()", "locks = [1, threading.Lock()]"),
            "class helper:\n    def f(self): locks",
            "`locks` (list)",
        ),
    ],
)
def test_what_cannot_travel_is_named(start: str, helper: str, blamed: str) -> None:
    source = RIGHT.replace("    scores", "    helper()\n    scores", 1)
    report = exercises.get(NAME).check(as_in_a_notebook((start, helper, source)))
    assert report.status == "error"
    assert blamed in report.message


def test_a_traceback_shows_the_lines_of_a_cell() -> None:
    source = RIGHT.replace("torch.softmax", "torch.soft_max")
    report = exercises.get(NAME).check(as_in_a_notebook(("import math, torch", source)))
    assert "weights = torch.soft_max(scores, dim=-1)" in report.message
    assert "line 5 of your cell" in report.message


def test_an_answer_cannot_print_its_own_verdict() -> None:
    verdict = json.dumps(asdict(Report(True, "passed", status="passed")))
    source = RIGHT.replace("    scores", f"    print({verdict!r})\n    scores", 1)
    report = exercises.get(NAME).check(as_in_a_notebook(("import torch", source)))
    assert report.status == "error"  # math is not imported


def test_it_works_where_processes_cannot_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_context", multiprocessing.get_context("spawn"))
    monkeypatch.setattr(processes, "_ahead", [])
    sandbox.warm_up()
    ahead = processes._ahead[0].process.pid
    wrong = as_in_a_notebook(("import math, torch", RIGHT.replace("dim=-1", "dim=-2")))
    assert exercises.get(NAME).check(wrong).mistake == "softmax_over_queries"
    (waits,) = processes._ahead  # it was used, and another waits
    assert waits.process.pid != ahead
    waits.connection.close()
    assert waits.wait(60) == 0


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "answers.py"
    script.write_text(
        "import multiprocessing, sys\n"
        "print('runs', flush=True)\n"
        "from lib import exercises\n"
        "from lib.exercises import processes\n"
        "if sys.argv[1] == 'spawn':\n"
        "    processes._context = multiprocessing.get_context('spawn')\n"
        "def causal_mask(length):\n"
        "    return NOTHING\n"
        "print(exercises.get('causal_mask').check(causal_mask).message)\n"
    )
    for way in ("forkserver", "spawn"):
        ran = subprocess.run([sys.executable, str(script), way], cwd=root, capture_output=True, text=True)
        assert ran.stderr == ""
        assert ran.stdout.count("runs") == 1
        assert "answers.py, line 8: return NOTHING" in ran.stdout
