"""The repository itself: what is installed, tracked, imported and said, and the programs around it."""

import ast
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from notebook_rules import MACHINE_PATH
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from lib import root
from lib.__main__ import app
from lib.analysis.cost import timing
from lib.bench import table
from lib.lab import arguments_for, free_port
from lib.provenance import files_of_lib, imported, modules_among
from lib.testing import Step, counted, steps, summary

PROJECT = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
EVERYWHERE = {"pip", "python"}
# Each floor imports from those before it, and nothing from those after it.
GROUND = ("command", "files", "provenance", "stats")
FLOORS = (*GROUND, "bert", "text", "analysis", "training", "compression", "experiments", "exercises")


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs this Python with other environment variables; text comes back."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def tracked() -> list[str]:
    """The files that git tracks, relative to the root; skips where this is no checkout."""
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    return subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    ).stdout.split("\0")[:-1]


# ---------------------------------------------------------------------------------------------
# What is installed


def requirements(lines: list[str]) -> dict[str, Requirement]:
    """Requirements by their normalized name."""
    parsed = [Requirement(line) for line in lines]
    return {canonicalize_name(requirement.name): requirement for requirement in parsed}


def extras() -> dict[str, list[str]]:
    return PROJECT["project"]["optional-dependencies"]


def test_packages_are_named_one_by_one() -> None:
    on_disk = {".".join(path.parent.relative_to(root).parts) for path in (root / "lib").rglob("__init__.py")}
    assert sorted(on_disk) == sorted(PROJECT["tool"]["setuptools"]["packages"])


def test_conda_installs_the_same_list() -> None:
    listed = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    pip = next(entry["pip"] for entry in listed if isinstance(entry, dict))
    assert pip[-1] == "-e ."
    conda = requirements([entry for entry in listed if isinstance(entry, str)] + pip[:-1])
    conda = {CONDA_NAMES.get(name, name): requirement for name, requirement in conda.items()}
    ours = requirements(PROJECT["project"]["dependencies"] + extras()["test"])
    assert {name: str(requirement.specifier) for name, requirement in ours.items()} == {
        name: str(requirement.specifier) for name, requirement in conda.items() if name not in EVERYWHERE
    }
    assert str(conda["python"].specifier) == PROJECT["project"]["requires-python"]


def test_constraints_name_one_version_of_everything_within_its_range() -> None:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    exact = requirements([line for line in lines if not line.startswith("#")])
    for name, requirement in exact.items():
        assert re.fullmatch(r"==[^*+,]+", str(requirement.specifier)), f"{name}: not one plain version"
    wanted = requirements(
        PROJECT["project"]["dependencies"] + [line for extra in extras().values() for line in extra]
    )
    for name, requirement in wanted.items():
        assert name in exact, f"constraints.txt has no version of {name}"
        version = str(exact[name].specifier).removeprefix("==")
        assert requirement.specifier.contains(version), f"{name} {version} is not {requirement.specifier}"


# ---------------------------------------------------------------------------------------------
# What is tracked, imported and said


def test_git_tracks_what_common_ignore_files_hide() -> None:
    files = tracked()
    for path in (root / "lib").rglob("*.py"):
        name = path.relative_to(root).as_posix()
        ignored = subprocess.run(["git", "-C", str(root), "check-ignore", "-q", "--no-index", name])
        assert ignored.returncode == 1, f"{name} is ignored"
    assert any(name.startswith("lib/bert/") for name in files)
    for name in (
        "lib/new.py",
        "data/reader/new.txt",
        "data/vectors/new.safetensors",
        "data/records/new.json",
    ):
        ignored = subprocess.run(["git", "-C", str(root), "check-ignore", "-q", "--no-index", name])
        assert ignored.returncode == 1, f"{name} would be ignored"
    if (root / "data").exists():
        assert any(name.startswith("data/") for name in files)


def test_nothing_is_said_of_the_machines_this_was_written_on() -> None:
    """No path of a machine, no host of a package registry; notebooks have their own rules too."""
    hosts = re.compile(r"\b(?:pypi\.org|pythonhosted|anaconda\.org)\b".replace("\\.", "[.]"))
    allowed = {"tests/notebook_rules.py", "tests/test_notebooks.py", "tests/test_house.py"}
    for name in tracked():
        if name in allowed or not (root / name).is_file():
            continue
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        assert not hosts.search(text), f"{name} names a package registry"
        found = MACHINE_PATH.search(text)
        assert found is None, f"{name} holds a path of somebody's machine: {found.group()}"


def modules() -> dict[str, set[str]]:
    """Every module of lib, by its full name, and the modules of lib that it imports, wherever in its file."""
    known = files_of_lib()
    return {name: modules_among(imported(path), known) for name, path in known.items()}


def test_imports_run_one_way() -> None:
    for name, imports in modules().items():
        parts = name.split(".")
        if len(parts) == 1 or parts[1] not in (*FLOORS, "figures"):
            continue  # the commands on top: bench, lab, testing, __main__
        floor = {"figures"} if parts[1] == "figures" else set(FLOORS[: FLOORS.index(parts[1]) + 1])
        for other in imports - {"lib"}:
            assert other.split(".")[1] in floor, f"{name} imports {other}"


def test_no_module_imports_itself_in_a_circle() -> None:
    """Also not inside a package, and not where an import stands in a function."""
    left = {
        name: {other for other in others if not name.startswith(other)} for name, others in modules().items()
    }
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert not left, f"these modules import each other in a circle: {sorted(left)}"


def test_the_model_needs_torch_and_safetensors_alone() -> None:
    others = (
        "transformers huggingface_hub numpy.testing pandas sklearn matplotlib datasets tokenizers IPython"
    )
    code = f"import sys, lib.bert; print([name for name in {others.split()!r} if name in sys.modules])"
    answer = python("-P", "-c", code)
    assert answer.stdout.strip() == "[]", answer.stdout + answer.stderr
    allowed = {"torch", "safetensors", "lib", "huggingface_hub", *sys.stdlib_module_names}
    for path in (root / "lib" / "bert").glob("*.py"):
        assert {name.split(".")[0] for name in imported(path)} <= allowed, path.name


# ---------------------------------------------------------------------------------------------
# course.py


@pytest.fixture
def course(tmp_path: Path) -> Any:
    """course.py as a module, its environment in an empty folder and nothing really installed."""
    spec = importlib.util.spec_from_file_location("course", root / "course.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ENVIRONMENT = tmp_path / "venv"
    module.PYTHON = module.ENVIRONMENT / "bin" / "python"
    module.STAMP = module.ENVIRONMENT / "course.json"
    module.installed = []

    def make_environment() -> str:
        module.PYTHON.parent.mkdir(parents=True)
        return "3.12"

    module.make_environment = make_environment
    module.python_version = lambda: "3.12" if module.PYTHON.parent.exists() else None
    module.install = module.installed.append
    return module


def test_course_imports_the_standard_library_alone() -> None:
    assert {name.split(".")[0] for name in imported(root / "course.py")} <= sys.stdlib_module_names
    ast.parse((root / "course.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_course_explains_itself_before_anything_is_installed(tmp_path: Path) -> None:
    answer = python(str(root / "course.py"), "--help", BERT_COURSE_VENV=str(tmp_path / "venv"))
    assert answer.returncode == 0 and "course.py lab" in answer.stdout
    assert not (tmp_path / "venv").exists()


def test_course_installs_once(course: ModuleType) -> None:
    course.set_up([])
    course.set_up([])
    assert course.installed == [[]]


def test_course_adds_what_the_tests_need_and_keeps_it(course: ModuleType) -> None:
    course.set_up([])
    course.set_up(["test"])
    course.set_up([])
    course.set_up(["test"])
    assert course.installed == [[], ["test"]]


def test_course_installs_again_after_a_change(course: Any) -> None:
    course.set_up(["test"])
    course.fingerprint = lambda version: "another"
    course.set_up([])
    assert course.installed == [["test"], ["test"]]


def test_an_interrupted_installation_is_done_again(course: Any) -> None:
    course.set_up([])
    course.fingerprint = lambda version: "another"

    def interrupt(extras: list[str]) -> None:
        raise KeyboardInterrupt

    whole, course.install = course.install, interrupt
    with pytest.raises(KeyboardInterrupt):
        course.set_up([])
    assert not course.STAMP.exists()
    course.install = whole
    course.set_up([])
    assert course.installed == [[], []]
    assert course.STAMP.exists()


def test_a_moved_checkout_gets_a_new_environment(course: Any) -> None:
    course.set_up([])
    course.STAMP.write_text(json.dumps(json.loads(course.STAMP.read_text()) | {"home": "elsewhere"}))
    made: list[str] = []
    make_environment = course.make_environment

    def counting() -> str:
        made.append("made")
        course.PYTHON.parent.rmdir()
        return make_environment()

    course.make_environment = counting
    course.set_up([])
    assert made == ["made"]
    assert course.installed == [[], []]


def test_course_does_not_touch_a_folder_that_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    answer = python(str(root / "course.py"), "lab", BERT_COURSE_VENV=str(tmp_path))
    assert answer.returncode == 1
    assert "is in the way" in answer.stderr and "Traceback" not in answer.stderr
    assert (tmp_path / "thesis.txt").exists()


def test_course_says_so_when_it_cannot_install(course: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("course", root / "course.py")
    assert spec is not None and spec.loader is not None
    fresh: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    course.install = fresh.install
    monkeypatch.setattr(subprocess, "run", lambda command: subprocess.CompletedProcess(command, 1))
    with pytest.raises(SystemExit, match="Installing did not finish"):
        course.set_up([])
    assert not course.STAMP.exists()


# ---------------------------------------------------------------------------------------------
# The command line


@pytest.mark.parametrize("command", ["", "lab", "test", "bench", "records", "cache", "reset"])
def test_help_is_there(command: str) -> None:
    answer = CliRunner().invoke(app, [*command.split(), "--help"])
    assert answer.exit_code == 0
    assert "python" in answer.output


@pytest.mark.parametrize(
    "command", [["lab", "77"], ["reset", "77"], ["bench", "wordpiece"], ["bench", "noise"]]
)
def test_a_wrong_argument_is_answered_by_a_sentence(command: list[str]) -> None:
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 2
    assert "Error" in answer.output and "Traceback" not in answer.output


def test_lab_stays_on_this_machine_and_asks_nothing_of_the_network() -> None:
    arguments = arguments_for(Path("my"), "00_start_here.ipynb", 8888, browser=False)
    assert "--ServerApp.ip=127.0.0.1" in arguments
    assert "--LabApp.news_url=None" in arguments
    assert "--ServerApp.open_browser=False" in arguments


def test_our_defaults_reach_jupyterlab() -> None:
    """The question whether it may fetch news is answered in its settings."""
    code = (
        "from lib.lab import never_ask_about_news; never_ask_about_news()\n"
        "from jupyterlab_server.config import ConfigManager\n"
        "print(ConfigManager(config_dir_name='labconfig').get('default_setting_overrides'))"
    )
    answer = python("-P", "-c", code)
    assert "'fetchNews': 'false'" in answer.stdout, answer.stdout + answer.stderr


def test_lab_takes_a_port_that_nobody_has() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert port < free_port(port) <= port + 99


def test_a_stray_kernel_does_not_replace_ours(tmp_path: Path) -> None:
    """Somebody's own kernel called python3 points to a Python without the course."""
    for place in ("data", "path"):
        folder = tmp_path / place / "kernels" / "python3"
        folder.mkdir(parents=True)
        spec = {"argv": ["/usr/bin/false"], "display_name": "stray", "language": "python"}
        (folder / "kernel.json").write_text(json.dumps(spec))
    code = (
        "from lib.exercises.editions import bind_jupyter_to_this_python as bind; bind()\n"
        "from jupyter_client import KernelManager\n"
        "print(KernelManager(kernel_name='python3').format_kernel_cmd()[0])"
    )
    answer = python(
        "-P", "-c", code, JUPYTER_DATA_DIR=str(tmp_path / "data"), JUPYTER_PATH=str(tmp_path / "path")
    )
    assert Path(answer.stdout.strip()) == Path(sys.executable), answer.stdout + answer.stderr


# ---------------------------------------------------------------------------------------------
# The test runner and the bench


def test_fast_opens_no_notebook(tmp_path: Path) -> None:
    assert [step.name for step in steps(True, tmp_path)] == ["style", "types", "unit tests"]
    unit = steps(True, tmp_path)[-1].command
    assert unit[-2:] == ["-m", "not notebook"]


def test_every_notebook_is_solved_and_run(tmp_path: Path) -> None:
    by_name = {step.name: step.command for step in steps(False, tmp_path)}
    for path in (root / "notebooks").glob("*.ipynb"):
        assert str(path) in by_name["solving"]
    assert {"--nbval-lax", str(tmp_path), "loadscope"} <= set(by_name["notebooks"])
    assert list(by_name)[-1] == "browser"


def test_a_report_is_counted(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    suite = '<testsuite tests="10" failures="1" errors="2" skipped="3"></testsuite>'
    report.write_text(f"<testsuites>{suite}</testsuites>")
    assert counted(report) == Counter(failed=1, errors=2, passed=4, skipped=3)


def test_the_summary_adds_up_and_names_what_failed() -> None:
    done = [
        Step("style", [], passed=True, seconds=1),
        Step("unit tests", [], Counter(failed=0, passed=7, skipped=1, errors=0), True, 60),
        Step("browser", [], Counter(failed=1, passed=2, skipped=0, errors=1), False, 9.5),
    ]
    text = summary(done)
    assert "Not passed: browser." in text
    assert (
        text.splitlines()[-1].strip("= ") == "1 failed, 1 error, 9 passed, 1 skipped in 70.50s (1 min 10 s)"
    )


def test_pairs_alternate_and_take_turns_at_beginning() -> None:
    calls: list[str] = []
    timing.median_of_pairs(lambda: calls.append("a"), lambda: calls.append("b"), pairs=4, warm_up=1)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab" + "ba"


def test_the_spread_is_the_median_and_the_quartiles() -> None:
    assert timing.spread([5.0, 1.0, 2.0, 4.0, 3.0]) == timing.Seconds(median=3.0, lower=2.0, upper=4.0)


def test_the_memory_of_a_child_is_seen() -> None:
    code = "data = bytearray(200_000_000); input()"
    with (
        timing.PeakMemory() as peak,
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as child,
    ):
        while peak.bytes < 200_000_000 and child.poll() is None:
            timing.time.sleep(0.01)
        child.communicate(b"\n")
    assert peak.bytes >= 200_000_000


def test_a_table_is_markdown() -> None:
    assert table(["what", "ms"], [["a", "1"]]).splitlines() == [
        "| what | ms |",
        "| --- | ---: |",
        "| a | 1 |",
    ]
