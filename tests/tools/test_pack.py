"""The course in one file: what a pack holds, whom it serves, and how course.py installs from it."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lib import root
from tools import pack


@pytest.fixture(autouse=True)
def nothing_said_to_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, "")  # so that it is put back
        monkeypatch.delenv(name)


@pytest.fixture
def course(tmp_path: Path) -> Any:
    """course.py as a module, in a folder of its own and with nothing unpacked in it."""
    spec = importlib.util.spec_from_file_location("course", root / "course.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.HERE, module.WHEELS = tmp_path, tmp_path / "wheels"
    (tmp_path / "constraints.txt").write_bytes((root / "constraints.txt").read_bytes())
    return module


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack with one wheel, fetched from nowhere."""

    def fetch(folder: Path) -> list[Path]:
        (folder / "torch-0-py3-none-any.whl").write_bytes(b"a wheel")
        return list(folder.iterdir())

    monkeypatch.setattr(pack, "fetch_wheels", fetch)
    target = tmp_path / "course.zip"
    assert "1 wheels" in pack.pack(target)
    return target


def rewritten(packed: Path, changed: str, content: str) -> Path:
    """The pack with one file changed."""
    target = packed.with_name("other.zip")
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name.endswith(changed) else old.read(name))
    return target


def test_a_pack_holds_the_tracked_files_and_the_wheels(packed: Path) -> None:
    with zipfile.ZipFile(packed) as archive:
        names = set(archive.namelist())
        card = json.loads(archive.read("bert-inside-out/wheels/pack.json"))
    assert {"bert-inside-out/course.py", "bert-inside-out/wheels/torch-0-py3-none-any.whl"} <= names
    assert len(names) == len(pack.tracked()) + 2
    assert card["python"] == f"{sys.version_info[0]}.{sys.version_info[1]}"


def test_course_installs_from_a_pack_and_leaves_nothing(course: Any, packed: Path) -> None:
    before = sorted(packed.parent.iterdir())
    with course.installing_from(str(packed)):
        links = Path(os.environ["PIP_FIND_LINKS"])
        assert [file.name for file in links.glob("*.whl")] == ["torch-0-py3-none-any.whl"]
        assert os.environ["PIP_NO_INDEX"] == "1"
    assert sorted(packed.parent.iterdir()) == before


def test_a_pack_that_was_unpacked_is_found(course: Any, packed: Path) -> None:
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(packed.parent)
    course.WHEELS = packed.parent / "bert-inside-out" / "wheels"
    with course.installing_from(None):
        assert os.environ["PIP_FIND_LINKS"] == str(course.WHEELS)


@pytest.mark.parametrize(
    ("changed", "content", "sentence"),
    [
        (
            "pack.json",
            '{"system": "Plan 9", "machine": "z80", "python": "3.11"}',
            "This pack is for Plan 9 on z80",
        ),
        ("constraints.txt", "torch==1.0\n", "another version of the course"),
        ("pack.json", "[", "The pack is damaged"),
        ("pack.json", "{}", "The pack is damaged"),
    ],
)
def test_a_pack_for_others_is_refused(
    course: Any, packed: Path, changed: str, content: str, sentence: str
) -> None:
    other = rewritten(packed, changed, content)
    with pytest.raises(SystemExit, match=sentence), course.installing_from(str(other)):
        pass
    assert "PIP_NO_INDEX" not in os.environ


def test_what_is_no_pack_is_refused(course: Any, tmp_path: Path) -> None:
    (tmp_path / "notes.zip").write_text("no archive")
    for name in ("notes.zip", "missing.zip"):
        with pytest.raises(SystemExit, match="is no pack of the course"), course.installing_from(name):
            pass


def test_a_pack_has_the_name_of_a_zip(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"such as course\.zip"):
        pack.pack(tmp_path / "course.tar")


@pytest.mark.parametrize("words", [["--from", "course.zip"], ["--from=course.zip"]])
def test_the_option_is_taken_out_before_the_course_sees_it(
    course: Any, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    @contextlib.contextmanager
    def installing(pack: str | None) -> Iterator[None]:
        seen.append(pack)
        yield

    monkeypatch.setattr(course, "installing_from", installing)
    monkeypatch.setattr(course, "is_ready", lambda extras: False)
    monkeypatch.setattr(course, "set_up", lambda extras: None)
    monkeypatch.setattr(course, "QUICK", ("lab",))
    monkeypatch.setattr(course.signal, "signal", lambda *_: None)
    monkeypatch.setattr(course.os, "execv", lambda program, command: sys.exit(" ".join(command[4:])))
    monkeypatch.setattr(course.os, "name", "posix")
    monkeypatch.setattr(course, "refusal_of_notebook", lambda arguments: None)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SystemExit, match=r"^lab 05$"):
        course.main(["lab", "05", *words])
    assert seen == ["course.zip"]
