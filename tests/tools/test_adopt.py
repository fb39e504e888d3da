"""What the code of before the move made keeps its place, and nothing else does."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from lib.files import write_json
from lib.records import cache
from lib.records.cache import META, Entry
from studies import registry
from tools import adopt as adopting
from tools.adopt import adopt

CODE = {"lib/experiments/toy.py": "0" * 64}


def make(folder: Path, steps: int) -> None:
    (folder / "made.txt").write_text(str(steps))


ENTRY = Entry("toy_0", "a toy", make, {"steps": 3})


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes an entry as the code of before did, with changes to what it was made from."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    monkeypatch.setattr(adopting, "CODE_BEFORE", {"toy_0": cache.digest_of(CODE)})

    def write(**changes: Any) -> Path:
        folder = tmp_path / "toy-0123456789abcdef"
        folder.mkdir()
        make(folder, 3)
        now = cache.parts_of_key(ENTRY)
        made_from = {name: now[name] for name in ("make", "config", "data", "torch")} | {"code": CODE}
        meta = {"date": "2026-11-22", "seconds": 41.0, "made from": made_from | changes}
        meta["files"] = {"made.txt": hashlib.sha256(b"3").hexdigest()}
        write_json(folder / META, meta | {"digest": cache.digest_of(meta)})
        return folder

    return write


def test_an_entry_of_before_is_carried_over_once(before: Any) -> None:
    folder = before()
    assert dict(adopt([ENTRY])) == {"toy_0": "was carried over from toy-0123456789abcdef"}
    found = cache.cached(ENTRY)
    assert not found.made_here and found.meta["adopted from"] == folder.name
    assert str(found) == "from the cache, trained on 2026-11-22 in 41 s"
    assert folder.is_dir() and dict(adopt([ENTRY])) == {"toy_0": "is there"}


@pytest.mark.parametrize(
    "changes",
    [{"code": {"lib/x.py": "1"}}, {"config": {"steps": 4}}, {"torch": "1.0"}, {"data": {"minilm": "2"}}],
)
def test_what_was_made_from_something_else_is_made_anew(changes: dict[str, Any], before: Any) -> None:
    before(**changes)
    assert dict(adopt([ENTRY]))["toy_0"].startswith("is made anew")


def test_a_damaged_entry_is_made_anew(before: Any) -> None:
    (before() / "made.txt").write_text("4")
    assert dict(adopt([ENTRY]))["toy_0"].startswith("is made anew")


def test_the_map_names_entries_that_there_are() -> None:
    assert adopting.CODE_BEFORE.keys() <= registry.entries().keys()
