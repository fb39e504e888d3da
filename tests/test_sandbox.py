"""Processes for answers: walls, limits, verdicts that cannot be faked cheaply, servers that come back."""

from __future__ import annotations

import dataclasses
import hmac
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from sabotage.hand_ins import IMPORTS, NAME, RIGHT, Case
from sabotage.hostile import DAEMON, HOSTILE, claims, does

from lib import exercises, root
from lib.exercises import room, sandbox
from lib.exercises.report import Report
from tools.hand_ins import HandedIn

ATTENTION = exercises.get(NAME)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and forks are Linux's")


def judged(case: Case, walls: str = "namespaces", seconds: float = 60.0) -> Report:
    """The verdict on the attention exercise in a hand-in."""
    with room.fresh(walls=walls) as own:
        return sandbox.run(ATTENTION, HandedIn(list(enumerate(case.cells, 1)), NAME), seconds, room=own)


@LINUX
def test_a_class_that_means_no_good() -> None:
    """A dozen of the cases of `python -m tests.hostile`: rows, stray processes, files outside."""
    command = [sys.executable, "-m", "tests.hostile", "--quick"]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Protection" in ran.stdout


# --- rooms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("walls", ["namespaces", "process"])
@pytest.mark.parametrize("kind", ["deletes_its_folder", "locks_its_folder", "moves_away", "fakes_by_frames"])
def test_no_answer_disturbs_the_next(kind: str, walls: str) -> None:
    report = judged(HOSTILE[kind], walls)
    assert report.status in HOSTILE[kind].status.split("|"), str(report)
    assert judged(does("open('mine', 'w').close()", "passed"), walls).passed


@pytest.mark.parametrize("walls", ["namespaces", "process"])
def test_an_answer_lives_in_an_empty_folder_of_its_own(walls: str) -> None:
    looks = "here = os.getcwd()\nassert not os.listdir(here)\nimport tempfile\n"
    looks += "assert tempfile.gettempdir() == os.path.expanduser('~') == here"
    case = Case((f"{IMPORTS}\nimport os", f"{looks}\n{RIGHT}"), "passed")
    report = judged(case, walls)
    assert report.passed, str(report)
    assert not list(Path(tempfile.gettempdir()).glob("answer-*/here"))


def test_a_room_is_gone_afterwards_whatever_was_made_of_it() -> None:
    with room.fresh() as own:
        (Path(own.folder) / "a" / "b").mkdir(parents=True)
        (Path(own.folder) / "a" / "b" / "c").write_text("c")
        (Path(own.folder) / "out").symlink_to(root)
        (Path(own.folder) / "a").chmod(0)
    assert not Path(own.folder).exists()
    assert (root / "lib").exists()


@LINUX
def test_a_room_is_gone_however_deep_its_folders_stand_in_each_other() -> None:
    program = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
    with room.fresh() as own:
        subprocess.run([sys.executable, "-c", program], cwd=own.folder, check=True)
    assert not Path(own.folder).exists()


@LINUX
def test_another_user_can_write_to_his_folder_alone(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root may become another user")
    program = (
        "import sys\nfrom lib.exercises import confinement\nconfinement._needed = lambda: []\n"
        "confinement.lib.__file__ = '/etc/passwd'\nown, other = sys.argv[1:]\n"
        "confinement.become_nobody(own)\nopen(own + '/x', 'w').close()\n"
        "try:\n    open(other + '/x', 'w')\nexcept PermissionError:\n    print('refused')\n"
    )
    with room.fresh() as own:
        os.chmod(own.folder, 0o700)
        command = [sys.executable, "-c", program, own.folder, str(tmp_path)]
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ran.stdout.strip() == "refused", ran.stderr


# --- processes ------------------------------------------------------------------------------------


@LINUX
def test_a_daemon_ends_without_namespaces_too(tmp_path: Path) -> None:
    daemon = DAEMON.replace(
        "time.sleep", f"open('{tmp_path}/' + str(os.getpid()), 'w').close()\n        time.sleep"
    )
    assert judged(does(f"{daemon}\ntime.sleep(0.1)", "passed"), "process").passed
    started = [int(path.name) for path in tmp_path.iterdir()]
    assert started
    assert not any(map(runs, started))


def runs(pid: int) -> bool:
    """Whether a process exists and has not ended: its parent may not have heard of that yet."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_server_that_an_answer_has_ended_or_stopped_is_replaced(number: int) -> None:
    from lib.exercises import fork_server

    server = fork_server.ForkServer()
    server.warm_up()
    assert server._process is not None
    first = server._process.pid
    os.kill(first, number)
    process, connection = server.start(None, 5, timeout=60 if number == signal.SIGKILL else 1)
    try:
        assert server._process.pid != first
    finally:
        process.kill()
        connection.close()
        server._end()


@LINUX
def test_an_answer_that_kills_the_server_costs_nobody_else_a_row() -> None:
    kills = does(
        "import psutil\nfor one in psutil.Process().parents()[:2][::-1]: one.kill()\ntime.sleep(60)", "died"
    )
    assert judged(kills, "process").status == "died"
    assert judged(Case((IMPORTS, RIGHT), "passed")).passed


def test_time_is_what_is_computed_not_what_the_clock_says() -> None:
    waits = Case((f"{IMPORTS}\nimport time", f"time.sleep(2)\n{RIGHT}"), "passed")
    assert judged(waits, seconds=1.0).passed


def test_what_the_server_learns_is_loaded_once() -> None:
    judged(Case((IMPORTS, RIGHT), "passed"))
    report = exercises.get("causal_mask").check(exercises.get("causal_mask").reference)
    assert report.passed
    if sys.platform == "linux":
        assert any(name.startswith("chapters.nb05.") for name in sandbox._source._modules)


# --- verdicts -------------------------------------------------------------------------------------


def signed(content: object, key: bytes = b"k") -> bytes:
    """A message as the judge sends it."""
    text = json.dumps(content).encode()
    return hmac.digest(key, text, "sha256") + text


RIGHT_REPORT = dataclasses.asdict(Report(True, "right", status="passed"))


def test_a_report_is_read() -> None:
    assert sandbox._read(signed(RIGHT_REPORT), b"k") == Report(True, "right", status="passed")


@pytest.mark.parametrize(
    "message",
    [
        signed(RIGHT_REPORT, b"guessed"),
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
    report = sandbox._read(message, b"k")
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


def wanted(find: Callable[[str], bool]) -> list[str]:
    """The hostile cases whose code fits."""
    return [kind for kind, case in HOSTILE.items() if find(case.cells[-1])]


def test_forty_mean_harm() -> None:
    assert len(HOSTILE) >= 40
    assert len(wanted(lambda code: "OUTSIDE" in code or "CLASS" in code)) >= 4
