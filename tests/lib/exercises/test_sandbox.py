"""Processes for answers: walls, limits, verdicts that cannot be faked cheaply, servers that come back."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from programs import python
from sabotage.hand_ins import IMPORTS, NAME, NOTEBOOK, RIGHT, Case, does, notebook
from sabotage.hostile import HOSTILE, claims

from lib import exercises, root
from lib.exercises import sandbox, walls
from lib.exercises.report import Report
from tools.hand_ins import HandedIn

ATTENTION = exercises.get(NAME)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")
try:
    WALLS = walls.command()
except ValueError:
    WALLS = []
BUBBLEWRAP = pytest.mark.skipif(not WALLS, reason="bubblewrap is not here, or cannot work")


def judged(case: Case, around: Sequence[str] = (), seconds: float = 60.0, folder: str = "") -> Report:
    """The verdict on the attention exercise in a hand-in."""
    answer = HandedIn(list(enumerate(case.cells, 1)), NAME)
    if not around:
        return sandbox.run(ATTENTION, answer, seconds, folder=folder)
    with closing(walls.Walled(around)) as walled:
        return sandbox.run(ATTENTION, answer, seconds, start=walled.start, folder=walls.SCRATCH)


@BUBBLEWRAP
def test_a_class_that_means_no_good() -> None:
    """A dozen of the cases of `python -m tests.hostile`: rows, stray processes, files outside."""
    command = [sys.executable, "-m", "tests.hostile", "--quick"]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Protection: bubblewrap" in ran.stdout


# --- walls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("around", [pytest.param(WALLS, marks=BUBBLEWRAP, id="walls"), []])
@pytest.mark.parametrize("kind", ["deletes_its_folder", "locks_its_folder", "moves_away", "fakes_by_frames"])
def test_no_answer_disturbs_the_next(kind: str, around: list[str], tmp_path: Path) -> None:
    report = judged(HOSTILE[kind], around, folder=str(tmp_path))
    assert report.status in HOSTILE[kind].status.split("|"), str(report)
    assert judged(does("open('mine', 'w').close()", "passed"), around, folder=str(tmp_path)).passed


@pytest.mark.parametrize("around", [pytest.param(WALLS, marks=BUBBLEWRAP, id="walls"), []])
def test_an_answer_lives_in_an_empty_folder_of_its_own(around: list[str], tmp_path: Path) -> None:
    looks = "here = os.getcwd()\nassert not os.listdir(here)\nimport tempfile\n"
    looks += "assert tempfile.gettempdir() == os.path.expanduser('~') == here"
    case = Case((f"{IMPORTS}\nimport os", f"{looks}\n{RIGHT}"), "passed")
    report = judged(case, around, folder=str(tmp_path))
    assert report.passed, str(report)


@BUBBLEWRAP
def test_behind_walls_nothing_of_ours_is_seen_or_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_TOKEN", "secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "id_rsa").write_text("secret")
    (tmp_path / "class").mkdir()
    looks = (
        "import os, psutil\nassert 'A_TOKEN' not in os.environ"
        f"\nassert not os.path.exists({str(tmp_path / 'id_rsa')!r})"
        f"\nassert len(psutil.pids()) < 5\nfor place in ({str(root)!r}, '/etc', {sys.prefix!r}):\n"
        "    try:\n        open(os.path.join(place, 'trace'), 'w')\n"
        "    except OSError:\n        continue\n    raise SystemExit(place)\n"
    )
    report = judged(Case((IMPORTS, looks + RIGHT), "passed"), walls.command([tmp_path / "class"]))
    assert report.passed, str(report)


@BUBBLEWRAP
def test_every_exercise_is_judged_behind_walls() -> None:
    """What it reads, weights among them, is in sight there."""
    with closing(walls.Walled(WALLS)) as walled:
        for exercise in exercises.all():
            report = sandbox.run(exercise, sandbox.carried(...), start=walled.start)
            assert report.status == "blank", f"{exercise.name}: {report}"


@pytest.mark.parametrize("program", ["", "#!/bin/sh\necho No permission to create a namespace >&2\nexit 1\n"])
@LINUX
def test_without_walls_grading_is_refused_in_a_sentence(program: str, tmp_path: Path) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    (tmp_path / "class" / "ann" / NOTEBOOK).write_text(notebook((IMPORTS, RIGHT)), "utf-8")
    if program:
        (tmp_path / "bwrap").write_text(program)
        (tmp_path / "bwrap").chmod(0o755)
    command = [sys.executable, "-m", "tools", "grade", "class", "-o", "grades.csv"]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1
    for part in ("apt install bubblewrap", "--unprotected", "No permission" if program else "not installed"):
        assert part in ran.stderr
    assert not (tmp_path / "grades.csv").exists()


@BUBBLEWRAP
def test_behind_walls_a_daemon_ends_and_the_next_answer_is_judged(tmp_path: Path) -> None:
    right = Case((IMPORTS, RIGHT), "passed")
    with closing(walls.Walled(WALLS)) as walled:
        for case in (right, HOSTILE["daemon"], right, HOSTILE["kills_its_parent"], right):
            answer = HandedIn(list(enumerate(case.cells, 1)), NAME)
            report = sandbox.run(ATTENTION, answer, start=walled.start, folder=walls.SCRATCH)
            assert report.status == case.status, str(report)
            if walled._process is not None:  # bubblewrap, its first process, the one that forks
                assert len(psutil.Process(walled._process.pid).children(recursive=True)) == 2


# --- processes ------------------------------------------------------------------------------------


@LINUX
def test_what_an_answer_leaves_running_in_its_group_ends_with_it(tmp_path: Path) -> None:
    leaves = f"subprocess.run('sleep 1000 & echo $! > {tmp_path}/pid', shell=True)"
    assert judged(does(leaves, "passed")).passed
    pid, deadline = int((tmp_path / "pid").read_text()), time.monotonic() + 60
    while runs(pid) and time.monotonic() < deadline:  # killed, and of nobody's here that could wait for it
        time.sleep(0.01)
    assert not runs(pid)


def runs(pid: int) -> bool:
    """Whether a process exists and has not ended: its parent may not have heard of that yet."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@LINUX
def test_a_server_that_an_answer_has_ended_is_replaced() -> None:
    kills = does("os.kill(os.getppid(), 9)", "passed")
    assert judged(kills).passed
    assert judged(Case((IMPORTS, RIGHT), "passed")).passed


@LINUX
def test_a_stopped_process_is_ended_in_time() -> None:
    report = judged(does("os.kill(os.getpid(), signal.SIGSTOP)", "timeout"), seconds=0.3)
    assert report.status == "timeout"


def test_time_is_what_is_computed_not_what_the_clock_says() -> None:
    waits = Case((f"{IMPORTS}\nimport time", f"time.sleep(2)\n{RIGHT}"), "passed")
    assert judged(waits, seconds=1.0).passed


@LINUX
def test_what_is_preloaded_an_answer_does_not_import() -> None:
    ran = python("-P", "-c", PRELOADED)
    assert ran.stdout.strip() == "passed", ran.stderr


PRELOADED = """
from lib import exercises
from lib.exercises import sandbox
sandbox.warm_up(["colorsys"])
def causal_mask(length):
    import sys
    assert "colorsys" in sys.modules and "torch" in sys.modules
    import torch
    return torch.ones(length, length).tril() > 0
print(exercises.get("causal_mask").check(causal_mask).status)
"""


# --- verdicts -------------------------------------------------------------------------------------


KEY = b"k" * 32


def signed(content: object, key: bytes = KEY) -> bytes:
    """A message as the judge sends it."""
    return key + json.dumps(content).encode()


RIGHT_REPORT = dataclasses.asdict(Report(True, "right", status="passed"))


def test_a_report_is_read() -> None:
    assert sandbox._read(signed(RIGHT_REPORT), KEY) == Report(True, "right", status="passed")


@pytest.mark.parametrize(
    "message",
    [
        signed(RIGHT_REPORT, b"g" * 32),
        json.dumps(RIGHT_REPORT).encode(),
        b"",
        signed([]),
        signed(RIGHT_REPORT | {"message": ["a", "list"]}),
        signed(RIGHT_REPORT | {"details": None}),
        signed(RIGHT_REPORT | {"mistake": 3}),
        signed(RIGHT_REPORT | {"status": "unreadable"}),
        signed(RIGHT_REPORT | {"status": ["passed"]}),
        signed(RIGHT_REPORT | {"passed": 1}),
        signed(RIGHT_REPORT | {"status": "failed"}),
        signed(RIGHT_REPORT | {"more": 1}),
    ],
)
def test_what_is_no_report_is_refused_where_it_is_received(message: bytes) -> None:
    report = sandbox._read(message, KEY)
    assert not report.passed
    assert report.status == "died"


@pytest.mark.parametrize(
    ("replaced", "lines"),
    [
        ("torch.allclose", "torch.equal = torch.allclose = lambda *given, **options: True"),
        ("torch.Tensor.sum", "torch.Tensor.sum = lambda *given, **options: torch.ones(1)"),
        ("builtins.abs", "import builtins\nbuiltins.abs = lambda value: 0"),
        (
            "lib.exercises.compare.agree",
            "from lib.exercises import compare\ncompare.agree = lambda *given: True",
        ),
    ],
)
def test_an_answer_may_not_replace_what_judges_it(replaced: str, lines: str) -> None:
    report = judged(claims(lines))
    assert replaced in report.message, str(report)
    assert not report.passed


def test_what_is_compiled_travels_as_what_it_was_made_from() -> None:
    def compiled() -> None:
        raise AssertionError("this one cannot travel")

    compiled._torchdynamo_orig_callable = ATTENTION.reference  # type: ignore[attr-defined]
    assert ATTENTION.check(compiled).passed


def test_a_long_message_is_cut() -> None:
    report = judged(does("raise ValueError('line\\n' * 10**5 + 'x' * 10**6)", "error"))
    assert report.status == "error"
    assert len(report.message) < 1000


def test_frames_of_compiled_packages_are_not_the_learners() -> None:
    report = judged(does("import numpy as np\nnp.random.default_rng(0).choice([], 3)", "error"))
    assert report.status == "error"
    assert "np.random.default_rng(0).choice([], 3)" in report.message
    assert ".pyx" not in str(report)
