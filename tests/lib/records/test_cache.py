"""The cache: made once, made anew when anything it depends on changes, and never read half-made."""

import importlib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from lib import root
from lib.command import Stopped
from lib.provenance import source_files
from lib.records import cache
from lib.records.cache import Entry, cached, entry_folder, make_once, read_meta
from studies import registry
from tools.__main__ import app

# A module that makes an entry. The folder `room` lets a test see it and stop it: each making leaves a line in
# room/log, waits while there is room/wait, and dies at the moment that room/die names.
MAKER = """
import os
import shutil
import signal
import time
from pathlib import Path

from lib.records import cache
from lib.records.cache import Entry, cached

TEXT = "as on the disk"


def write(folder: Path, room: str, seed: int = 0) -> None:
    cache.machine = lambda: "a machine"  # the true one takes a second to say its name
    with Path(room, "log").open("a") as log:
        log.write("made\\n")
    while Path(room, "wait").exists():
        time.sleep(0.01)
    if Path(room, "die").exists():
        die_at(Path(room, "die").read_text(), folder)
    (folder / "inner").mkdir()
    (folder / "inner" / "text.txt").write_text(TEXT)
    (folder / "seed.txt").write_text(str(seed))


def die_at(moment: str, folder: Path) -> None:
    if moment == "writing":
        (folder / "seed.txt").write_text("hal")
        os.kill(os.getpid(), signal.SIGKILL)
    left, rename = [int(moment)], os.replace

    def replace(first, second):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        rename(first, second)

    os.replace = replace


def write_both(folder: Path, room: str) -> None:
    first = cached(Entry("toy", "its first half", write, {"room": room, "seed": 1}, done="written"))
    shutil.copytree(first.folder / "inner", folder / "first")


def edit_oneself(folder: Path) -> None:
    with Path(__file__).open("a") as code:
        code.write("# more")


def refuse(folder: Path) -> None:
    raise ValueError("no seed will do")


def fill_the_disk(folder: Path) -> None:
    raise OSError(28, "No space left on device")
"""


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """That module, in a folder of its own; the cache is empty, in another."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "maker.py").write_text(MAKER)
    monkeypatch.syspath_prepend(tmp_path / "code")
    monkeypatch.setenv("BERT_COURSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "machine", lambda: "a machine")
    module: ModuleType = importlib.import_module("maker")
    yield module
    del sys.modules["maker"]


@pytest.fixture
def entry(maker: Any, tmp_path: Path) -> Entry:
    return Entry("toy", "a toy", maker.write, {"room": str(tmp_path), "seed": 3}, done="written")


def times_made(tmp_path: Path) -> int:
    log = tmp_path / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


# ---------------------------------------------------------------------------------------------
# Once


def test_an_entry_may_need_another_of_its_name(maker: Any, tmp_path: Path) -> None:
    """As long as both had one lock, the second waited for the first for ever."""
    both = cached(Entry("toy", "two halves", maker.write_both, {"room": str(tmp_path)}, done="written"))
    assert (both.folder / "first" / "text.txt").exists() and times_made(tmp_path) == 1


def test_an_entry_is_made_once_and_says_so(entry: Entry, maker: Any, tmp_path: Path) -> None:
    """By the code on the disk, whatever a notebook has put in its place."""
    maker.TEXT = "a reader's own"
    first, second = cached(entry), cached(entry)
    assert times_made(tmp_path) == 1
    assert (first.folder / "inner" / "text.txt").read_text() == "as on the disk"
    assert (first.made_here, second.made_here) == (True, False) and first.folder == second.folder
    assert str(first) == "written here in 0 s"
    assert str(second) == f"from the cache, written on {first.meta['date']} in 0 s"
    assert first.meta["machine"] == "a machine" and first.meta["commit"] == cache.commit()
    assert first.meta["made from"] == cache.parts_of_key(entry)


@pytest.mark.parametrize("silent", ["", "1"])
def test_what_takes_long_is_announced_and_a_stop_is_one_sentence(
    silent: str, entry: Entry, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("TQDM_DISABLE", silent)
    monkeypatch.setattr(cache.subprocess, "run", stop)
    with pytest.raises(Stopped, match="a toy was not written to its end, and nothing of it is kept"):
        cached(entry)
    announced = "Once on this machine: a toy. It may take minutes, and is kept.\n"
    assert capsys.readouterr().out == ("" if silent else announced)
    assert not list(cache.cache_folder().glob("toy-*"))


def test_processes_that_want_the_same_at_once_make_it_once(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "wait").touch()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(cached, entry) for _ in range(2)]
        while not times_made(tmp_path) or len(psutil.Process().children()) < 2:
            assert not all(one.done() for one in waiting)
        (tmp_path / "wait").unlink()
        found = [one.result() for one in waiting]
    assert times_made(tmp_path) == 1
    assert sorted(one.made_here for one in found) == [False, True]
    assert found[0].folder == found[1].folder


# ---------------------------------------------------------------------------------------------
# Anew


def test_a_changed_byte_of_its_code_makes_another(entry: Entry, maker: Any) -> None:
    before = entry_folder(entry)
    path = Path(maker.__file__)
    path.write_text(path.read_text().replace("as on the disk", "as on the desk"))
    assert entry_folder(entry) != before
    path.write_text(MAKER)
    assert entry_folder(entry) == before


def test_it_depends_on_all_that_its_code_imports_and_on_nothing_else(entry: Entry) -> None:
    code = cache.parts_of_key(entry)["code"]
    assert {"lib/records/cache.py", "lib/files.py", "lib/provenance.py", "lib/__init__.py"} <= code.keys()
    assert any(name.endswith("maker.py") for name in code)
    assert not [
        name for name in code if name.startswith(("lib/figures", "lib/text", "lib/training", "tests"))
    ]
    assert code["lib/files.py"] == cache.digest(root / "lib" / "files.py")


def test_other_settings_data_or_torch_make_another(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    (tmp_path / "texts.txt").write_text("one")
    entry = replace(entry, data=("public/texts.txt",))
    found = [entry_folder(entry), entry_folder(replace(entry, config={**entry.config, "seed": 4}))]
    (tmp_path / "texts.txt").write_text("two")
    found.append(entry_folder(entry))
    monkeypatch.setattr(cache, "version", lambda package: "9.0")
    found.append(entry_folder(entry))
    assert len(set(found)) == 4


def test_imports_are_followed_through_packages_and_functions() -> None:
    files = {path.relative_to(root).as_posix() for path in source_files(root / "tools/bench.py")}
    assert {"tools/bench.py", "lib/text/__init__.py", "lib/bert/model.py", "lib/__init__.py"} <= files
    assert source_files(root / "lib/__init__.py") == [root / "lib/__init__.py"]


# ---------------------------------------------------------------------------------------------
# Never wrong


def cut(folder: Path) -> None:
    (folder / "inner" / "text.txt").write_text("as on")


def turn_a_bit(folder: Path) -> None:
    content = bytearray((folder / "seed.txt").read_bytes())
    content[0] ^= 1
    (folder / "seed.txt").write_bytes(content)


def take_away(folder: Path) -> None:
    (folder / "seed.txt").unlink()


def put_in(folder: Path) -> None:
    (folder / "more.txt").touch()


def cut_meta(folder: Path) -> None:
    path = folder / cache.META
    path.write_text(path.read_text()[:-20])


def change_meta(folder: Path) -> None:
    path = folder / cache.META
    path.write_text(path.read_text().replace("a machine", "a nachine"))


def empty_meta(folder: Path) -> None:
    (folder / cache.META).write_text("[]")


@pytest.mark.parametrize(
    "damage",
    [cut, turn_a_bit, take_away, put_in, cut_meta, change_meta, empty_meta],
    ids=lambda one: one.__name__,
)
def test_a_damaged_entry_is_made_anew(entry: Entry, tmp_path: Path, damage: Any) -> None:
    folder = entry_folder(entry)
    assert make_once(entry, folder) and not make_once(entry, folder)
    damage(folder)
    assert read_meta(folder) is None
    assert make_once(entry, folder)
    assert read_meta(folder) is not None and times_made(tmp_path) == 2
    assert {path.name for path in folder.rglob("*")} == {"inner", "text.txt", "seed.txt", cache.META}


# Renames: the file that says what made it comes to its place, 1, then the folder, 2; where a damaged
# folder is in the way, that goes first, 2, and the new one comes, 3.
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(
    ("moment", "damaged"), [("writing", False), ("1", False), ("2", False), ("2", True), ("3", True)]
)
def test_killed_at_any_moment_nothing_wrong_is_read(
    entry: Entry, tmp_path: Path, moment: str, damaged: bool
) -> None:
    folder = entry_folder(entry)
    if damaged:
        make_once(entry, folder)
        cut(folder)
    (tmp_path / "die").write_text(moment)
    with pytest.raises(ValueError, match="toy could not be written: its process ended before"):
        cached(entry)
    assert read_meta(folder) is None
    (tmp_path / "die").unlink()
    assert make_once(entry, folder)
    assert read_meta(folder) is not None and (folder / "seed.txt").read_text() == "3"
    assert sorted(path.name for path in folder.parent.iterdir()) == [f".{folder.name}.lock", folder.name]


def test_what_goes_wrong_is_said_in_a_sentence(maker: Any, tmp_path: Path) -> None:
    for make, said in (
        (maker.refuse, "no seed will do"),
        (maker.fill_the_disk, "No space left on device"),
        (maker.edit_oneself, "what it depends on was changed meanwhile"),
    ):
        entry = Entry("toy", "a toy", make)
        with pytest.raises(ValueError, match=f"toy could not be trained: .*{said}"):
            cached(entry)
        assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".lock"}


def test_a_cache_that_cannot_be_is_said(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BERT_COURSE_CACHE", str(tmp_path / "file"))
    with pytest.raises(ValueError, match=r"The cache cannot be kept in .*name another folder"):
        cached(entry)


def test_in_a_read_only_home_entries_last_as_long_as_the_process(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(cache, "user_cache_path", lambda name, appauthor: tmp_path / "file" / name)
    monkeypatch.setenv("BERT_COURSE_CACHE", "")
    folder = cache.cache_folder()
    assert folder.is_dir() and cache.cache_folder() == folder
    assert cached(entry).made_here and not cached(entry).made_here
    assert entry_folder(entry).parent == folder


def test_only_what_can_be_made_again_is_kept(maker: Any) -> None:
    with pytest.raises(ValueError, match="code that toy depends on cannot be found"):
        Entry("toy", "a toy", lambda folder: None)
    for name in ("", "../toy", "toy-1", "t" * 24):
        with pytest.raises(ValueError, match="names no entry"):
            Entry(name, "a toy", maker.write)
        with pytest.raises(ValueError, match="names no entry"):
            cache.clear(name)


# ---------------------------------------------------------------------------------------------
# The command line


def test_the_cache_is_built_listed_and_cleared(
    entry: Entry, maker: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = replace(entry, name="other", config={"room": str(tmp_path), "seed": 5})
    monkeypatch.setattr(registry, "entries", lambda: {"toy": entry, "other": other})
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    def said(*arguments: str) -> str:
        answer = CliRunner().invoke(app, ["cache", *arguments])
        assert answer.exit_code == 0, answer.output
        return answer.output

    assert "toy: not made yet; a toy" in said("list")
    assert said("build", "toy") == "toy: written here in 0 s\n"
    assert sorted(said("build").splitlines()) == [
        "other: written here in 0 s",
        f"toy: from the cache, written on {cached(entry).meta['date']} in 0 s",
    ]
    listed = said("list")
    assert "toy: 0.0 MB, fresh, made on" in listed and "seed 3, torch" in listed
    Path(maker.__file__).write_text(MAKER + "# more\n")
    cut(next((tmp_path / "cache").glob("other-*")))
    listed = said("list")
    assert "toy: 0.0 MB, stale: changed since are" in listed and "maker.py, made on" in listed
    assert "other: 0.0 MB, damaged" in listed
    assert said("clear", "toy") == "Removed: 1\n" and "toy: not made yet" in said("list")
    assert said("clear") == "Removed: 1\n" and said("clear") == "Removed: 0\n"


def test_an_unknown_name_is_answered_by_a_sentence() -> None:
    answer = CliRunner().invoke(app, ["cache", "build", "nothing"])
    assert answer.exit_code == 2 and "there is no nothing; there are " in answer.output


def test_what_the_course_keeps_is_named_by_what_it_depends_on() -> None:
    found = registry.entries()
    assert [entry.name for entry in found.values()] == list(found)
    parts = cache.parts_of_key(found["grammar"])
    code = parts["code"]
    assert {"lib/text/packing.py", "lib/text/grammar/tables.py", "lib/bert/wordpiece.py"} <= code.keys()
    assert "data/grammar" in parts["data"]
    assert not [name for name in code if name.startswith(("lib/figures", "lib/exercises", "tools"))]
