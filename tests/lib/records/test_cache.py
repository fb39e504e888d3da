"""The cache: made once, made anew when anything it depends on changes, and never read half-made."""

import importlib
import os
import sys
from collections.abc import Callable
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
        die_at_replacement(int(Path(room, "die").read_text()))
    (folder / "inner").mkdir()
    (folder / "inner" / "text.txt").write_text(TEXT)
    (folder / "seed.txt").write_text(str(seed))


def die_at_replacement(number: int) -> None:
    left, rename = [number], os.replace

    def replace(first, second):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        rename(first, second)

    os.replace = replace


def write_halves(folder: Path, room: str) -> None:
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


def test_an_entry_may_need_another_of_its_name(maker: Any, tmp_path: Path) -> None:
    """As long as both had one lock, the second waited for the first for ever."""
    halves = cached(Entry("toy", "two halves", maker.write_halves, {"room": str(tmp_path)}, done="written"))
    assert (halves.folder / "first" / "text.txt").exists() and times_made(tmp_path) == 1


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
            assert not all(future.done() for future in waiting)
        (tmp_path / "wait").unlink()
        entries = [future.result() for future in waiting]
    assert times_made(tmp_path) == 1
    assert sorted(made.made_here for made in entries) == [False, True]
    assert entries[0].folder == entries[1].folder


def test_the_grammar_depends_on_all_that_its_code_imports_and_on_nothing_else() -> None:
    parts = cache.parts_of_key(registry.entries()["grammar"])
    code = parts["code"]
    assert {"lib/text/packing.py", "lib/text/grammar/tables.py", "lib/bert/wordpiece.py"} <= code.keys()
    assert {"lib/records/cache.py", "lib/files.py", "lib/provenance.py", "lib/__init__.py"} <= code.keys()
    assert not [name for name in code if name.startswith(("lib/figures", "lib/exercises", "tools", "tests"))]
    assert code["lib/files.py"] == cache.digest(root / "lib" / "files.py")
    assert "data/grammar" in parts["data"]


def test_another_byte_of_code_or_data_another_setting_or_torch_make_another(
    entry: Entry, maker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    (tmp_path / "texts.txt").write_text("one")
    entry = replace(entry, data=("public/texts.txt",))
    folders = [entry_folder(entry), entry_folder(replace(entry, config={**entry.config, "seed": 4}))]
    (tmp_path / "texts.txt").write_text("two")
    folders.append(entry_folder(entry))
    Path(maker.__file__).write_text(MAKER.replace("as on the disk", "as on the desk"))
    folders.append(entry_folder(entry))
    monkeypatch.setattr(cache, "version", lambda package: "9.0")
    folders.append(entry_folder(entry))
    assert len(set(folders)) == 5


def turn_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[0] ^= 1
    file.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a file is cut": lambda folder: (folder / "inner" / "text.txt").write_text("as on"),
    "a bit is turned": lambda folder: turn_a_bit(folder / "seed.txt"),
    "a file is gone": lambda folder: (folder / "seed.txt").unlink(),
    "a file is new": lambda folder: (folder / "more.txt").touch(),
    "meta is cut": lambda folder: os.truncate(folder / cache.META, 20),
    "meta is changed": lambda folder: turn_a_bit(folder / cache.META),
    "meta is no object": lambda folder: (folder / cache.META).write_text("[]"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
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
@pytest.mark.parametrize(("moment", "damaged"), [(1, False), (2, False), (2, True), (3, True)])
def test_killed_at_any_moment_nothing_wrong_is_read(
    entry: Entry, tmp_path: Path, moment: int, damaged: bool
) -> None:
    folder = entry_folder(entry)
    if damaged:
        make_once(entry, folder)
        DAMAGES["a file is cut"](folder)
    (tmp_path / "die").write_text(str(moment))
    with pytest.raises(ValueError, match="toy could not be written: its process ended before"):
        cached(entry)
    assert read_meta(folder) is None
    (tmp_path / "die").unlink()
    assert make_once(entry, folder)
    assert read_meta(folder) is not None and (folder / "seed.txt").read_text() == "3"
    assert sorted(path.name for path in folder.parent.iterdir()) == [f".{folder.name}.lock", folder.name]


def test_what_goes_wrong_is_said_in_a_sentence(maker: Any, tmp_path: Path) -> None:
    for make, sentence in (
        (maker.refuse, "no seed will do"),
        (maker.fill_the_disk, "No space left on device"),
        (maker.edit_oneself, "what it depends on was changed meanwhile"),
    ):
        entry = Entry("toy", "a toy", make)
        with pytest.raises(ValueError, match=f"toy could not be trained: .*{sentence}"):
            cached(entry)
        assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".lock"}


def test_a_cache_that_cannot_be_is_said(entry: Entry, maker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERT_COURSE_CACHE", maker.__file__)
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


def test_the_cache_is_built_and_cleared(
    entry: Entry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry, "entries", lambda: {"toy": entry})

    def output_of(word: str) -> str:
        answer = CliRunner().invoke(app, ["cache", word])
        assert answer.exit_code == 0, answer.output
        return answer.output

    built = "toy: written here in 0 s\n"
    assert output_of("build").endswith(built)
    assert output_of("build") == f"toy: from the cache, written on {cached(entry).meta['date']} in 0 s\n"
    (tmp_path / "cache" / ".other-0.1.part").mkdir()  # left by a process that was killed
    assert output_of("clear") == "Removed: 1\n" and output_of("clear") == "Removed: 0\n"
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".lock"}
    assert output_of("build").endswith(built)
