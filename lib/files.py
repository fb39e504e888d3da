"""Files written whole or not at all, read by one at a time, known again by their digest; the reader's own."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lib

POINTER = b"version https://git-lfs"  # how a pointer begins


def home() -> Path:
    """Where the reader's own files are."""
    return Path(os.environ.get("BERT_COURSE_HOME") or lib.root / "my")


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A place beside `path` to write a file or a folder to; it takes the place of `path` at the end.

    Where the body raises, what was written is removed and `path` stays as it was. Its folder is made if need
    be. Two processes may do this at once: each has a place of its own, and the later one stays.
    """
    final = Path(path)
    final.parent.mkdir(parents=True, exist_ok=True)
    # a folder of its own, so that the body may write a file or a folder under the final name
    room = Path(tempfile.mkdtemp(prefix=f".{final.name[:40]}.", suffix=".part", dir=final.parent))
    beside = room / final.name
    try:
        yield beside
        _open_to_others(beside)
        if beside.is_dir() and final.is_dir():
            os.replace(final, room / "old")  # a folder that holds files cannot be replaced in one step
        os.replace(beside, final)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _open_to_others(written: Path) -> None:
    """Add to a file, or to all in a folder, a new file's rights: safetensors writes for the owner alone."""
    new = written.with_name(".new")
    new.touch()
    for path in (written, *written.rglob("*")):
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode | new.stat().st_mode)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a small file, in UTF-8 with "\\n" at line ends, whole or not at all; its folder if need be."""
    with replacing(path) as beside:
        beside.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def write_json(path: str | Path, content: Any) -> None:
    """Write a small JSON file, indented, whole or not at all; its folder if need be."""
    write_whole(path, json.dumps(content, indent=1) + "\n")


def validate_fetched(path: Path) -> None:
    """Raise a ValueError if a file is only the pointer that git leaves in its place without git-lfs."""
    with path.open("rb") as file:
        if file.read(len(POINTER)) == POINTER:
            raise ValueError(f"{path} is a pointer of git-lfs to the file: run `git lfs pull`, or fetch it.")


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file, which may be absent: then an empty one. ValueError if it is damaged."""
    if not path.is_file():
        return {}
    validate_fetched(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # no JSON, or not even text
        raise ValueError(f"{path} is not valid JSON ({error}): fetch or save it again.") from None
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds no JSON object: fetch or save it again.")
    return content


def kept(name: str) -> dict[str, Any]:
    """The object in a JSON file of the reader's home; an empty one where there is none, or a damaged one."""
    try:
        return read_object(home() / name)
    except (OSError, ValueError):
        return {}


@contextmanager
def locked(path: str | Path, busy: str = "", timeout: float = -1) -> Iterator[None]:
    """Let one process at a time in; the lock is the file `path`, which stays, and goes with its holder.

    timeout: seconds to wait, for ever where it is below 0. ValueError(busy) if it was not free in time.
    """
    from filelock import FileLock, Timeout  # not above: the model saves files, and is imported in a moment

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=timeout)
    except Timeout:
        raise ValueError(busy or f"Another process holds {path}: wait until it has ended.") from None
    try:
        yield
    finally:
        lock.release()


def digest(path: str | Path) -> str:
    """The SHA-256 of a file, by which it is known again."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
