"""The files that an answer's code reads: which are handed on, and where they come to lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from sabotage.hand_ins import IMPORTS, NAME, NOTEBOOK, RIGHT, notebook

from lib import exercises
from lib.exercises import walls
from tools import grading
from tools.beside import MAX_BYTES, MAX_FILES, beside, lay_out, with_written

try:
    WALLS = walls.command()
except ValueError:
    WALLS = []
BUBBLEWRAP = pytest.mark.skipif(not WALLS, reason="bubblewrap is not here, or cannot work")


def test_the_python_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("secret = 1")
    texts = ["a.py", "b/c.py", "b/d/e.py", ".hidden.py", ".git/f.py", "notes.txt", "eve/g.py", "eve/x.ipynb"]
    for name in texts:
        path = tmp_path / "ann" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "ann" / "large.py").write_bytes(b"#" * (MAX_BYTES + 1))
    (tmp_path / "ann" / "link.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "ann" / "linked").symlink_to(tmp_path)
    (tmp_path / "ann" / "folder.py").mkdir()
    assert beside(tmp_path / "ann") == {name: name.encode() for name in ("a.py", "b/c.py", "b/d/e.py")}


def test_no_more_files_than_a_homework_has(tmp_path: Path) -> None:
    for number in range(MAX_FILES + 1):
        (tmp_path / f"{number}.py").touch()
    assert len(beside(tmp_path)) == MAX_FILES


def test_no_path_leads_out_of_the_answers_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    paths = ["a.py", "./b.py", "src/c", "/content/d", "../../e", "src/../../f", "~/.bashrc"]
    none = ["/", "..", "x\0", "", "src", "a.py/g"]
    lay_out(with_written({}, enumerate(f"%%writefile {path}\n1" for path in [*paths, *none])))
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(files) == [f"here/{name}" for name in (".bashrc", "a.py", "b.py", "d", "e", "f", "src/c")]


@pytest.mark.parametrize("walled", [pytest.param(True, marks=BUBBLEWRAP, id="walls"), False])
def test_a_learner_has_the_own_files_and_nobody_elses(walled: bool, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    written = (f"%%writefile answers.py\n1/0\n{RIGHT}", "from answers import *")
    for learner, module in (("ann", "helper"), ("ben", "answers"), ("eve", "other")):
        (folder / learner).mkdir(parents=True)
        (folder / learner / f"{module}.py").write_text(f"{IMPORTS}\n{RIGHT}")
        cells = written if learner == "ben" else ("from helper import *",)
        (folder / learner / NOTEBOOK).write_text(notebook(cells))
    around = walls.command([folder]) if walled else ()
    rows = grading.grade(folder, {NAME: exercises.get(NAME)}, tmp_path / "grades.csv", 60, around)
    found = {row.hand_in: row.report.status for row in rows}
    assert found == {"ann": "passed", "ben": "error", "eve": "error"}
    assert "No such module here: helper." in rows[2].report.message
    assert not list(folder.rglob("__pycache__"))
