"""The repository itself: what is installed, tracked, imported and said, and the programs around it."""

import ast
import errno
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest
import typer
import yaml
from nbformat.v4 import new_code_cell, new_notebook
from notebook_rules import MACHINE_PATH
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from safetensors import SafetensorError
from typer.testing import CliRunner

from lib import root
from lib.__main__ import app
from lib.analysis.cost import timing
from lib.bench import PARTS, measurement
from lib.bench.tables import table
from lib.command import run
from lib.lab import already_open, arguments_for, chosen_port, free_port, token_of_the_session
from lib.provenance import HOUSES, imported, modules_among, modules_of_the_course
from lib.testing import Extent, Step, budgets, counted, longest_first, nbval, steps, summary

PROJECT = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
EVERYWHERE = {"pip", "python"}
# Each floor imports from those before it, and nothing from those after it.
GROUND = ("command", "errata", "files", "provenance", "stats")
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
    files = (path for house in HOUSES for path in (root / house).rglob("__init__.py"))
    on_disk = {".".join(path.parent.relative_to(root).parts) for path in files}
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
    for path in modules_of_the_course().values():
        name = path.relative_to(root).as_posix()
        ignored = subprocess.run(["git", "-C", str(root), "check-ignore", "-q", "--no-index", name])
        assert ignored.returncode == 1, f"{name} is ignored"
    assert any(name.startswith("lib/bert/") for name in files)
    for name in (
        "lib/new.py",
        "chapters/nb05/new.py",
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
    """Every module of the course by its full name, and those that it imports, wherever in its file."""
    known = modules_of_the_course()
    return {name: modules_among(imported(path), known) for name, path in known.items()}


def test_lib_imports_lib_alone_and_a_chapter_lib_and_itself() -> None:
    """Not seen here: `lib.exercises.registry` imports the chapters by name, as a string."""
    for name, imports in modules().items():
        house, *rest = name.split(".")
        if house in ("lib", "chapters"):
            allowed = ("lib.", ".".join(["chapters", *rest[:1], ""]) if house == "chapters" else "lib.")
            for other in imports - {house}:
                assert f"{other}.".startswith(allowed), f"{name} imports {other}"


def test_imports_run_one_way() -> None:
    for name, imports in modules().items():
        parts = name.split(".")
        if parts[0] != "lib" or len(parts) == 1 or parts[1] not in (*FLOORS, "figures"):
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
    module.LOCK = tmp_path / "venv.lock"
    module.installed = []

    def make_environment() -> str:
        module.PYTHON.parent.mkdir(parents=True)
        (module.ENVIRONMENT / "pyvenv.cfg").touch()
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


@pytest.mark.parametrize("place", ["studies", "studies/thesis.txt"])
def test_course_does_not_touch_what_is_not_its_own(place: str, tmp_path: Path) -> None:
    thesis = tmp_path / "studies" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("years of work")
    answer = python(str(root / "course.py"), "lab", BERT_COURSE_VENV=str(tmp_path / place))
    assert answer.returncode == 1
    assert "is in the way" in answer.stderr and "Traceback" not in answer.stderr
    assert thesis.read_text() == "years of work"


@pytest.mark.parametrize("damaged", ["[]", "null", '{"extras": 3}', '{"extras": [3]}', '{"home": 1}', "\0"])
def test_a_damaged_stamp_counts_as_none(course: Any, damaged: str) -> None:
    course.set_up(["test"])
    course.STAMP.write_text(damaged)
    course.set_up([])
    assert course.installed == [["test"], []]
    assert json.loads(course.STAMP.read_text())["extras"] == []


def test_course_says_where_it_may_not_write(course: Any, read_only_folder: Path) -> None:
    course.ENVIRONMENT = read_only_folder / "not" / "yet" / "there"
    with pytest.raises(SystemExit, match="cannot be written to"):
        course.set_up([])
    assert course.installed == []


def test_course_answers_a_typo_before_anything_is_installed(tmp_path: Path) -> None:
    answer = python(str(root / "course.py"), "lba", BERT_COURSE_VENV=str(tmp_path / "venv"), PIP_NO_INDEX="1")
    assert answer.returncode == 2 and "Did you mean lab?" in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_course_knows_the_commands_of_lib_and_explains_them(course: Any) -> None:
    group: Any = typer.main.get_command(app)
    assert sorted(course.COMMANDS) == sorted(group.commands)
    for name in course.COMMANDS:
        assert f"python course.py {name}" in course.__doc__
        assert course.refusal(name) is None


def holder_of_the_lock(lock: Path) -> subprocess.Popen[str]:
    """Another course.py that sets up the same environment until it can read a line."""
    code = (
        f"import importlib.util, pathlib\n"
        f"spec = importlib.util.spec_from_file_location('course', {str(root / 'course.py')!r})\n"
        f"course = importlib.util.module_from_spec(spec); spec.loader.exec_module(course)\n"
        f"course.LOCK = pathlib.Path({str(lock)!r})\n"
        f"with course.one_at_a_time(): print('inside', flush=True); input()"
    )
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_a_second_course_waits_for_the_first_and_says_so(tmp_path: Path) -> None:
    first = holder_of_the_lock(tmp_path / "lock")
    assert first.stdout and first.stdout.readline() == "inside\n"
    second = holder_of_the_lock(tmp_path / "lock")
    assert second.stdout and "this one waits" in second.stdout.readline()
    first.kill()  # the lock goes with its holder, however that ends
    first.communicate()
    assert second.stdout.readline() == "inside\n"
    second.communicate("\n")


def test_what_another_course_has_installed_is_not_installed_again(course: Any) -> None:
    @contextmanager
    def after_another() -> Iterator[None]:
        course.renew([])
        yield

    course.one_at_a_time = after_another
    course.set_up([])
    assert course.installed == [[]]


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


WRONG = ["lab 77", "lab --port 99999", "lab --port 0", "reset 77", "test --fast --all", "lba"]


@pytest.mark.parametrize("command", [*map(str.split, WRONG), ["lab", ""], ["reset", ""]])
def test_a_wrong_argument_is_answered_by_a_sentence(command: list[str]) -> None:
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 2
    assert "Error" in answer.output and "Traceback" not in answer.output


@pytest.mark.parametrize(
    ("part", "data", "says"),
    [
        ("noise", None, "there are speed, "),
        ("wordpiece", None, "needs --data"),
        ("objects", Path("x"), "no x"),
    ],
)
def test_what_cannot_be_measured_is_said_at_once(part: str, data: Path | None, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        measurement(part, data)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_the_bench_has_its_function_and_is_explained(part: str, tmp_path: Path) -> None:
    (tmp_path / "wikitext2").mkdir()
    for name in ("wikitext2/valid.txt", "ud_english_ewt", "pretrain_wikipedia"):
        (tmp_path / name).touch()
    assert callable(measurement(part, tmp_path))
    assert f"{part}: " in " ".join(CliRunner().invoke(app, ["bench", "--help"]).output.split())


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
        free = free_port(port)
        assert port < free <= port + 99
        assert chosen_port(free) == free
        with pytest.raises(ValueError, match=f"cannot have port {port}"):
            chosen_port(port)


def test_a_second_lab_on_the_same_copies_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    assert already_open(tmp_path) is None
    server = {"pid": os.getpid(), "root_dir": str(tmp_path), "url": "http://127.0.0.1:8888/", "token": "abc"}
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "jpserver-1.json").write_text(json.dumps(server))
    assert already_open(tmp_path / "lecturer") is None
    assert already_open(tmp_path) == "http://127.0.0.1:8888/lab?token=abc"


@pytest.mark.parametrize(("given", "kept"), [(None, False), ("", False), ("mine", True)])
def test_nobody_is_locked_out(given: str | None, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", "to be undone")
    if given is None:
        del os.environ["JUPYTER_TOKEN"]
    else:
        os.environ["JUPYTER_TOKEN"] = given
    token = token_of_the_session()
    assert token and (token == given) == kept
    assert os.environ["JUPYTER_TOKEN"] == token


def failing(error: Exception) -> Callable[[], None]:
    """A command that ends with that error."""

    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("There is no x."), "There is no x."),
        (
            OSError(errno.ENOSPC, "No space left on device", "a.csv"),
            "No space left on device: a.csv. Make room",
        ),
        (
            OSError(errno.EROFS, "Read-only file system", Path("a")),
            "Read-only file system: a. Choose a place",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "a"), "Permission denied: a. Choose a place"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a"), "No such file or directory: a"),
        (
            FileExistsError(errno.EEXIST, "File exists", "my"),
            "File exists: my. Move what is in the way, then",
        ),
        (OSError("no model of that name"), "no model of that name"),
        (TimeoutError(), "TimeoutError"),
        (SafetensorError("header too small"), "could not be read or written: header too small."),
    ],
)
def test_a_command_ends_with_a_sentence(error: Exception, says: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run(failing(error))
    assert says in str(ended.value) and "\n" not in str(ended.value)


def test_a_fault_of_the_code_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 / 0)


def test_a_reset_on_a_full_disk_is_answered_by_a_sentence(full_disk: Path) -> None:
    (full_disk / "05_attention.ipynb").write_text("my work")
    arguments = ("-P", "-m", "lib", "reset", "05")
    answer = python(*arguments, BERT_COURSE_HOME=str(full_disk))
    assert answer.returncode == 1
    assert "then run this again" in answer.stderr and "Traceback" not in answer.stderr
    assert [path.name for path in full_disk.iterdir()] == ["05_attention.ipynb"]


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


def test_all_notebooks_fit_into_their_minutes() -> None:
    """Those there are by their measured seconds, those to come by what is left for each."""
    budget = tomllib.loads((root / "budgets.toml").read_text(encoding="utf-8"))
    there = {path.stem for path in (root / "notebooks").glob("*.ipynb")}
    assert set(budget["seconds"]) == there
    to_come = budget["notebooks"] - len(there)
    assert sum(budget["seconds"].values()) + to_come * budget["to_come"] <= 60 * budget["minutes"]


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
