"""The notebooks where the course is not installed: in a clone, and as the web book's downloads."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from lib import root
from tools.copies import every_notebook, find
from tools.notebook_files import read_notebook

#: runs the code that follows as a kernel does that starts in the current folder, the course not installed
ALONE = """\
import sys
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in repr(finder)]
sys.path = ["", *(place for place in sys.path if "site-packages" in place or "python3" in place)]
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The course's folders, as if cloned; nothing is copied."""
    folder = tmp_path / "bert-inside-out"
    (folder / "notebooks").mkdir(parents=True)
    for name in ("lib", "chapters", "data", "tools", "studies", "pyproject.toml", "constraints.txt"):
        (folder / name).symlink_to(root / name)
    for path in [*every_notebook(), *(root / "notebooks").glob("*.py")]:
        (folder / "notebooks" / path.name).write_bytes(path.read_bytes())
    return folder


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-P", "-c", ALONE + code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


def first_code(notebook: Path) -> str:
    """The source of the first cell of code, which imports all that the notebook needs."""
    return next(cell.source for cell in read_notebook(notebook).cells if cell.cell_type == "code")


def test_without_the_two_modules_the_course_is_not_found(clone: Path) -> None:
    """Or the tests below would show nothing."""
    for name in ("lib.py", "chapters.py"):
        (clone / "notebooks" / name).unlink()
    assert "No module named 'lib'" in run("import lib", clone / "notebooks").stderr


def test_a_notebook_of_a_clone_runs_where_it_lies(clone: Path) -> None:
    code = first_code(clone / "notebooks" / find("05").name)
    found = "\nimport lib, chapters.nb05; print(lib.root, chapters.nb05.__file__)"
    answer = run(code + found, clone / "notebooks")
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[-1].startswith(str(root)) or str(clone) in answer.stdout


def test_where_packages_are_missing_a_sentence_says_what_to_type(clone: Path) -> None:
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    (clone / "pyproject.toml").unlink()
    (clone / "pyproject.toml").write_text(
        project.replace("dependencies = [", 'dependencies = [\n    "a-package-of-nobody>=1",', 1)
    )
    answer = run("from lib import figures", clone / "notebooks")
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: The course needs packages that this kernel hasn't, such as")
    assert "a-package-of-nobody" in last and "%pip install -q -c ../constraints.txt -e .." in last


def test_binder_installs_what_the_course_needs_and_nothing_for_its_tests() -> None:
    def listed(path: Path) -> set[str]:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))["dependencies"]
        pip = next(entry["pip"] for entry in entries if isinstance(entry, dict))
        return {entry for entry in [*entries, *pip] if isinstance(entry, str)}

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    of_tests = set(project["optional-dependencies"]["test"])
    everything = listed(root / "environment.yml")
    assert everything - listed(root / ".binder" / "environment.yml") == of_tests | {"-e ."}
    assert os.access(root / ".binder" / "postBuild", os.X_OK) or os.name == "nt"


def test_github_calls_what_everybody_calls() -> None:
    folder = root / ".github" / "workflows"
    called = {
        path.stem: [
            step["run"]
            for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
            for step in job["steps"]
            if "run" in step
        ]
        for path in folder.glob("*.yml")
    }
    assert called == {"tests": [".ci/run"], "site": ["python3 course.py site -o site"]}
    assert "python3 course.py site -o " in (root / ".ci" / "run").read_text(encoding="utf-8")


def test_a_download_runs_from_a_clone_as_its_first_cell_says(clone: Path) -> None:
    from tools.book.build import download

    book = json.loads(download(find("05")))
    typed = "".join(book["cells"][0]["source"])
    assert "%cd bert-inside-out" in typed
    code = next("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code")
    there = f"import os; os.chdir({str(clone)!r})\n"  # what %cd does
    answer = run(there + code, clone.parent)
    assert answer.returncode == 0, answer.stderr
