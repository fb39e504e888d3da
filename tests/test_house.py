"""The repository itself: what is installed, tracked, imported and said, and the programs around it."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
import yaml
from notebook_rules import MACHINE_PATH
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from programs import python
from setuptools import find_packages

from lib import root
from lib.provenance import HOUSES, imported, modules_among, modules_of_the_course
from tools.__main__ import app

PROJECT = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
CONDA_NAMES = {"pytorch-cpu": "torch", "matplotlib-base": "matplotlib"}
EVERYWHERE = {"pip", "python"}
# Each floor imports from those before it, and nothing from those after it.
GROUND = ("by_hand", "command", "errata", "questions", "files", "names", "provenance", "stats")
FLOORS = (*GROUND, "bert", "text", "analysis", "training", "compression", "records", "exercises")


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


def test_every_package_is_installed() -> None:
    files = (path for house in HOUSES for path in (root / house).rglob("__init__.py"))
    on_disk = {".".join(path.parent.relative_to(root).parts) for path in files}
    found = find_packages(str(root), include=PROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
    assert set(found) == on_disk


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
    names = [path.relative_to(root).as_posix() for path in modules_of_the_course().values()]
    names += ["lib/new.py", "chapters/nb05/new.py", "data/reader/new.txt", "data/vectors/new.safetensors"]
    for name in [*names, "data/records/new.json"]:
        ignored = subprocess.run(["git", "-C", str(root), "check-ignore", "-q", "--no-index", name])
        assert ignored.returncode == 1, f"{name} is ignored"
    assert any(name.startswith("lib/bert/") for name in files)
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
    """Every module of the course, by its full name, and those that it imports, wherever in its file."""
    known = modules_of_the_course()
    return {name: modules_among(imported(path), known) for name, path in known.items()}


# What each house may import: what one notebook alone needs is the chapter's, and its study may run it too.
ARROWS = {"lib": {"lib"}, "chapters": {"lib", "chapters"}, "studies": {"lib", "chapters", "studies"}}


def test_houses_import_one_way() -> None:
    for name, imports in modules().items():
        house = name.split(".")[0]
        for other in imports:
            assert other.split(".")[0] in ARROWS.get(house, set(HOUSES)), f"{name} imports {other}"
            if house == "chapters" and other.startswith("chapters."):
                assert other.split(".")[1] == name.split(".")[1], f"{name} imports another chapter's {other}"


def test_floors_of_lib_import_one_way() -> None:
    for name, imports in modules().items():
        parts = name.split(".")
        if parts[0] != "lib" or len(parts) == 1:
            continue
        floor = {"figures", "files"} if parts[1] == "figures" else set(FLOORS[: FLOORS.index(parts[1]) + 1])
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
# Shapes

SHAPE = re.compile(r"\[(?!(?:CLS|MASK|SEP|PAD)\])|\bshapes?\b")  # "[out, in]", or "of any shape"


def takes_or_gives_tensors(function: ast.FunctionDef) -> bool:
    """Whether an annotation names Tensor, other than in the `**batch` of an objective."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg]
    annotations = [argument.annotation for argument in named if argument is not None]
    return any("Tensor" in ast.unparse(some) for some in (*annotations, function.returns) if some is not None)


def without_shapes(body: list[ast.stmt], of_class: str = "") -> Iterator[str]:
    """Public functions on tensors that say no shape in their docstring nor in that of their class.

    `counts` of an objective is left out: what it returns are numbers, as `Objective.counts` says.
    """
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef) or re.match("_(?!_call__)", node.name):
            continue
        docstrings = of_class + (ast.get_docstring(node) or "")
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name}" for name in without_shapes(node.body, docstrings))
        elif node.name != "counts" and takes_or_gives_tensors(node) and not SHAPE.search(docstrings):
            yield node.name


def test_functions_that_compress_say_the_shapes_of_their_tensors() -> None:
    modules = sorted((root / "lib" / "compression").rglob("*.py"))
    silent = [
        f"{path.relative_to(root)}: {name}"
        for path in modules
        for name in without_shapes(ast.parse(path.read_text(encoding="utf-8")).body)
    ]
    assert modules and not silent, "\n".join(silent)


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
    module.installed, module.install_with_pip = [], module.install

    def make_environment() -> str:
        shutil.rmtree(module.ENVIRONMENT, ignore_errors=True)
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


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["--help"], 0, "course.py lab"),
        (["lab", "--help"], 0, "once the course is installed"),
        (["lba"], 2, "Did you mean lab?"),
        (["lab", "99"], 2, "There is no notebook"),
        (["reset", "7", "77"], 2, "There is no notebook"),
        (["slides", "99", "-o", "decks"], 2, "There is no notebook"),
    ],
)
def test_course_answers_before_anything_is_installed(
    words: list[str], status: int, sentence: str, tmp_path: Path
) -> None:
    environment = {"BERT_COURSE_VENV": str(tmp_path / "venv"), "PIP_NO_INDEX": "1"}
    answer = python(str(root / "course.py"), *words, **environment)
    assert answer.returncode == status and sentence in answer.stdout + answer.stderr
    assert list(tmp_path.iterdir()) == []


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
    (course.ENVIRONMENT / "old").touch()
    course.set_up([])
    assert course.installed == [[], []] and not (course.ENVIRONMENT / "old").exists()


def of_another(course: Any, other: Path) -> str:
    """The stamp of an environment which the course in the folder `other` has installed, and written."""
    course.set_up([])
    other.mkdir()
    stamp = json.dumps(json.loads(course.STAMP.read_text()) | {"home": str(other)})
    course.STAMP.write_text(stamp)
    return stamp


def test_two_checkouts_do_not_erase_each_others_environment(course: Any, tmp_path: Path) -> None:
    stamp = of_another(course, tmp_path / "other")
    for extras in ([], ["test"]):
        with pytest.raises(SystemExit, match=f"of another copy of the course, in {tmp_path / 'other'}"):
            course.set_up(extras)
    assert course.installed == [[]] and course.STAMP.read_text() == stamp
    shutil.rmtree(course.PYTHON.parent)  # half of it is gone, and it is still not ours
    with pytest.raises(SystemExit, match="of another copy"):
        course.set_up([])


def test_an_environment_that_was_copied_with_its_folder_is_made_anew(course: Any, tmp_path: Path) -> None:
    course.fingerprint = lambda version: "a fingerprint"
    of_another(course, tmp_path / "other")
    course.HERE = tmp_path
    shutil.rmtree(course.PYTHON.parent)
    course.set_up([])
    assert course.installed == [[], []] and json.loads(course.STAMP.read_text())["home"] == str(tmp_path)


def test_what_is_installed_is_announced_with_its_time(course: Any, capsys: Any) -> None:
    for extras, announced in (
        ([], "5 to 15 minutes"),
        (["test"], "what the tests need, too: about a minute"),
    ):
        course.set_up(extras)
        assert announced in capsys.readouterr().out


@pytest.mark.parametrize("place", ["studies", "studies/thesis.txt"])
def test_course_does_not_touch_what_is_not_its_own(place: str, tmp_path: Path) -> None:
    thesis = tmp_path / "studies" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("years of work")
    answer = python(str(root / "course.py"), "lab", BERT_COURSE_VENV=str(tmp_path / place))
    assert answer.returncode == 1
    assert "is in the way" in answer.stderr and "Traceback" not in answer.stderr
    assert thesis.read_text() == "years of work"


@pytest.mark.parametrize(
    "damaged",
    ["[]", "null", '{"extras": [], "home": 3, "fingerprint": ""}', '{"extras": 3}', '{"extras": [3]}',
     '{"home": 1}', "\0"],
)  # fmt: skip
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


def test_course_knows_the_words_and_explains_them(course: Any) -> None:
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
    course.install = course.install_with_pip
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, ""))
    with pytest.raises(SystemExit, match="Installing did not finish"):
        course.set_up([])
    assert not course.STAMP.exists()


def fail(extras: list[str]) -> None:
    raise SystemExit("Installing did not finish.")


def test_what_cannot_be_installed_breaks_nothing_that_was(course: Any, capsys: Any) -> None:
    """Offline, `test` is refused, and `lab` goes on; after an update `lab` goes on with what there is."""
    course.set_up([])
    course.install = fail
    with pytest.raises(SystemExit, match="did not finish"):
        course.set_up(["test"])
    course.set_up([])
    assert course.is_ready([]) and "goes on" not in capsys.readouterr().out
    course.fingerprint = lambda version: "another"
    course.set_up([])
    assert "goes on with what was installed before" in capsys.readouterr().out
    assert course.STAMP.exists() and not course.is_ready([])


@pytest.mark.parametrize(
    "words",
    [["lab", "05", "--port", "8890"], ["lab"], ["slides", "05", "-o", "2026"], ["cache", "build", "99"]],
)
def test_other_numbers_are_no_notebooks(words: list[str], course: Any) -> None:
    assert course.refusal_of_notebook(words) is None


SMALL = "https://example.org/cpu"


@pytest.mark.parametrize(
    ("found_at", "typed", "told", "said"),
    [
        ("settings", [], [], ""),
        (SMALL, [SMALL], ["--extra-index-url", SMALL], "pytorch.org"),
        (SMALL, ["no address", SMALL], ["--extra-index-url", SMALL], "no PyTorch"),
        ("nowhere", [SMALL, ""], [], "takes the large build"),
        ("nowhere", None, [], "takes the large build"),  # nobody is there to ask
    ],
)
def test_on_linux_without_a_card_the_small_pytorch_is_found_or_asked_for(
    found_at: str,
    typed: list[str] | None,
    told: list[str],
    said: str,
    course: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    def pip(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        if "--dry-run" not in command:  # torch is not installed
            return subprocess.CompletedProcess(command, 1)
        assert any(re.fullmatch(r"torch==[\d.]+\+cpu", word) for word in command)
        place = command[-1] if "--extra-index-url" in command else "settings"
        return subprocess.CompletedProcess(command, int(place != found_at))

    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setattr(course.sys, "platform", "linux")
    monkeypatch.setattr(course.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(course.shutil, "which", lambda name: None)
    monkeypatch.setattr(course.sys.stdin, "isatty", lambda: typed is not None, raising=False)
    answers = iter(typed or [])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    if Path("/proc/driver/nvidia").exists():
        pytest.skip("this machine has an NVIDIA card")
    assert course.small_pytorch(["pip", "install"]) == told
    assert said in capsys.readouterr().out


def test_with_a_card_pip_takes_its_usual_pytorch(course: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.shutil, "which", lambda name: "/usr/bin/nvidia-smi")
    assert course.small_pytorch(["pip", "install"]) == []


@pytest.mark.parametrize(
    ("version", "silent"), [("23.2.1", True), ("25.0", True), ("25.1", False), ("26.3", False)]
)
def test_an_old_pip_is_renewed_for_its_bar(
    version: str, silent: bool, course: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = ".".join(version.split(".")[:2]) + "\n"
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, printed))
    assert course.pip_is_silent() == silent


# ---------------------------------------------------------------------------------------------
# The notebooks' time


def test_all_notebooks_fit_into_their_minutes() -> None:
    """Those there are by their seconds in `budgets.toml`, those to come by what is left for each."""
    budget = tomllib.loads((root / "budgets.toml").read_text(encoding="utf-8"))
    there = {path.stem for path in (root / "notebooks").glob("*.ipynb")}
    assert set(budget["seconds"]) == there
    to_come = budget["notebooks"] - len(there)
    assert sum(budget["seconds"].values()) + to_come * budget["to_come"] <= 60 * budget["minutes"]
